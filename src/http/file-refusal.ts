import { RequestError } from '../errors.ts';
import { limits, MIB } from '../limits.ts';

export function fileTooLarge(name: string): RequestError {
  const message = `File ${name} exceeds the ${limits.fileBytes / MIB}MB limit. Send a smaller file.`;
  return new RequestError('file_too_large', message, { name });
}

/** @param name as sent; empty: a file input in which nothing was chosen */
export function fileIsEmpty(name: string): RequestError {
  const fault = name === '' ? 'No file was chosen in the field file.' : `File ${name} is empty. Send an image.`;
  return new RequestError('invalid_request', fault);
}

/** @param field of the form that should have had a file */
export function fileSentAsText(field: string): RequestError {
  const asFile = 'Send it as a file, with a filename in Content-Disposition.';
  return new RequestError('invalid_request', `The field ${field} was sent as text. ${asFile}`);
}
