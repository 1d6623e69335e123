import { FileError, RequestError } from '../errors.ts';
import { identify } from '../image/identify.ts';
import { limits } from '../limits.ts';
import type { StagedFile, Staging } from './staging.ts';

/**
 * Checks by content that a staged watermark can be used: a still PNG of at most `limits.watermarkPixels`. Its size in bytes
 * was checked while it was staged.
 * @throws RequestError invalid_request
 */
export async function checkWatermark(staged: StagedFile, staging: Staging): Promise<void> {
  const bytes = new Uint8Array(staged.size);
  await staging.read(staged, 0, bytes);
  const header = await identify(bytes).catch((error: unknown) => {
    if (error instanceof FileError) throw refuse(`it cannot be read. ${error.message}`);
    throw error;
  });
  if (header.format !== 'png') throw refuse(`it is not a PNG but ${header.format}.`);
  if (header.animated) throw refuse('it is animated.');
  const pixels = header.width * header.height;
  if (pixels > limits.watermarkPixels) throw refuse(`it has ${(pixels / 1e6).toFixed(1)} megapixels.`);
}

function refuse(reason: string): RequestError {
  const allowed = `Send a still PNG of at most ${limits.watermarkPixels / 1e6} megapixels.`;
  return new RequestError('invalid_request', `The field watermarkFile cannot be used: ${reason} ${allowed}`);
}
