import { FileError } from '../../../errors.ts';

/** The refusal of a damaged PNG. `what` completes the sentence "This PNG is damaged: …". */
export function brokenPng(what: string): FileError {
  return new FileError('broken_image', `This PNG is damaged: ${what}. Export the picture again and send the new file.`);
}
