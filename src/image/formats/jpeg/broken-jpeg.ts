import { FileError } from '../../../errors.ts';

/** A per-file failure for a damaged JPEG. @param what the end of the sentence "The JPEG file is damaged: …" */
export function brokenJpeg(what: string): FileError {
  return new FileError('broken_image', `The JPEG file is damaged: ${what}. Export or upload it again.`);
}
