import type { HoldSmallFile } from '../../src/batch/hold-small-file.ts';
import type { StagedFile, Staging } from '../../src/batch/staging.ts';
import { limits } from '../../src/limits.ts';

/** Stages a file of a request, as the form reader does. */
export async function stageFile(
  staging: Staging,
  content: Uint8Array,
  part: number | 'watermark' = 0,
  requestId: string = crypto.randomUUID(),
  take?: HoldSmallFile,
): Promise<StagedFile> {
  const body = (async function* () {
    yield content;
  })();
  const share = await staging.enter();
  try {
    const key = staging.keyFor(requestId, part);
    const place = part === 'watermark' ? limits.files : part;
    const hold = take && ((pieces: readonly Uint8Array<ArrayBuffer>[]) => take(place, pieces));
    const tooLarge = () => new Error('too large');
    return await staging.store(key, body, { share, maxBytes: content.length, tooLarge, hold });
  } finally {
    share.leave();
  }
}
