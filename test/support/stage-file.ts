import type { StagedFile, Staging } from '../../src/batch/staging.ts';

/** Stages a file of a request, as the form reader does. */
export function stageFile(
  staging: Staging,
  content: Uint8Array,
  part: number | 'watermark' = 0,
  requestId: string = crypto.randomUUID(),
): Promise<StagedFile> {
  const body = (async function* () {
    yield content;
  })();
  return staging.store(staging.keyFor(requestId, part), body, content.length, () => new Error('too large'));
}
