import { Buffer } from 'node:buffer';
import { RequestError } from '../errors.ts';
import { limits } from '../limits.ts';

/** All text that is kept of one form: its fields and the names of its files. Together they have a limit. */
export class FormText {
  readonly #fields = new Map<string, string>();
  #bytes = 0;

  /** By name; the last of a repeated one counts. */
  get fields(): ReadonlyMap<string, string> {
    return this.#fields;
  }

  /** @throws RequestError invalid_request when the form has too much text */
  setField(name: string, value: string): void {
    this.#bytes -= Buffer.byteLength(this.#fields.get(name) ?? '');
    this.#fields.set(name, value);
    this.count(value);
  }

  /** Counts text that is kept elsewhere. @throws RequestError invalid_request when the form has too much text */
  count(text: string): void {
    this.#bytes += Buffer.byteLength(text);
    if (this.#bytes <= limits.formTextBytes) return;
    const message = `The text fields and file names of the form have more than ${limits.formTextBytes / 1024} KiB together. Send shorter ones.`;
    throw new RequestError('invalid_request', message);
  }
}

/**
 * Reads a text field as it arrives, cut at `limits.fieldBytes`: that is longer than any field may be, so that it is refused for its
 * length. Nothing is taken for what does not arrive.
 */
export async function readText(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const kept: Buffer[] = [];
  let room: number = limits.fieldBytes;
  for await (const chunk of chunks) {
    if (room === 0) continue;
    const piece = Buffer.from(chunk.subarray(0, room));
    room -= piece.length;
    kept.push(piece);
  }
  return Buffer.concat(kept).toString('utf8');
}
