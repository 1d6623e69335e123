import type { StagedFile, Staging } from '../../src/batch/staging.ts';

/** Stages a file of a request, as the form reader does. */
export async function stageFile(
  staging: Staging,
  content: Uint8Array,
  part: number | 'watermark' = 0,
  requestId: string = crypto.randomUUID(),
): Promise<StagedFile> {
  const body = (async function* () {
    yield content;
  })();
  const share = await staging.enter();
  try {
    const key = staging.keyFor(requestId, part);
    return await staging.store(key, body, { share, maxBytes: content.length, tooLarge: () => new Error('too large') });
  } finally {
    share.leave();
  }
}
