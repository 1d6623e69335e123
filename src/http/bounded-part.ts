import { RequestError } from '../errors.ts';
import { limits } from '../limits.ts';
import type { FormPart } from './multipart.ts';

/** The content of a field, which is ignored where it is unknown or too long, but not without an end. @throws RequestError payload_too_large */
export async function* boundedPart({ name, body }: FormPart): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > limits.fileBytes) {
      throw new RequestError('payload_too_large', `The field ${name.slice(0, 100)} is larger than any field may be.`);
    }
    yield chunk;
  }
}

/** Reads a field that nobody wants. @throws RequestError payload_too_large */
export async function passOver(part: FormPart): Promise<void> {
  for await (const _ of boundedPart(part));
}
