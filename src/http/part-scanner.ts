import { Buffer } from 'node:buffer';
import { RequestError } from '../errors.ts';
import type { BodyWindow } from './body-window.ts';

/** Bytes of a part's header lines, and of what may stand before the first part. */
export const PART_HEADER_BYTES = 16 * 1024;
/** Blanks that a mail gateway may have put behind a delimiter (RFC 2046, 5.1.1, transport-padding). */
const PADDING_BYTES = 64;
const [TAB, LF, CR, SPACE, DASH] = [9, 10, 13, 32, 45];
const EMPTY_LINE = Buffer.from('\r\n\r\n');

/**
 * Finds the delimiters of a multipart body (RFC 2046, 5.1.1) in a window that moves over it. Every step begins and ends
 * with the window's start at a line break: the one before the first line, before a part's headers, before its content.
 */
export class PartScanner {
  readonly #window: BodyWindow;
  readonly #delimiter: Buffer;
  #inContent = true;
  #closed = false;

  /** @param window must begin with a line break of its own, since the first delimiter may be the body's first bytes. */
  constructor(window: BodyWindow, boundary: string) {
    this.#window = window;
    this.#delimiter = Buffer.from(`\r\n--${boundary}`, 'latin1');
  }

  /** Whether the delimiter just passed was the closing one. */
  get closed(): boolean {
    return this.#closed;
  }

  /**
   * The next bytes before the next delimiter, valid until the following call; undefined once the delimiter is passed.
   * @throws RequestError invalid_request when the body ends before it
   */
  async content(): Promise<Uint8Array | undefined> {
    while (this.#inContent) {
      const { bytes } = this.#window;
      const at = asBuffer(bytes).indexOf(this.#delimiter);
      if (at === 0 && (await this.#passDelimiter())) break;
      const count = at === 0 ? this.#delimiter.length : at > 0 ? at : this.#certain(bytes);
      if (count > 0) return this.#take(count);
      if (!(await this.#window.fill())) throw cutShort();
    }
    return undefined;
  }

  /**
   * The header lines of the part whose delimiter was just passed, valid until the next call. After it comes its content.
   * @throws RequestError invalid_request
   */
  async headers(): Promise<Uint8Array> {
    let from = 0;
    for (;;) {
      const { bytes } = this.#window;
      const end = asBuffer(bytes).indexOf(EMPTY_LINE, from);
      if ((end < 0 ? bytes.length : end) > PART_HEADER_BYTES) throw headerTooLong();
      if (end >= 0) return this.#beginContent(end);
      from = Math.max(0, bytes.length - EMPTY_LINE.length);
      if (!(await this.#window.fill())) throw cutShort();
    }
  }

  async #beginContent(end: number): Promise<Uint8Array> {
    const lines = this.#window.bytes.slice(2, Math.max(2, end));
    this.#window.skip(end + 2);
    await this.#window.need(this.#delimiter.length);
    // An empty part may lack its own line break: the delimiter's then serves for both.
    if (asBuffer(this.#window.bytes).indexOf(this.#delimiter) !== 0) this.#window.skip(2);
    this.#inContent = true;
    return lines;
  }

  /** Takes the delimiter at the window's start; false where the line goes on, so that it is content after all. */
  async #passDelimiter(): Promise<boolean> {
    let at = this.#delimiter.length;
    await this.#window.need(at + 2);
    if (this.#window.bytes[at] === DASH && this.#window.bytes[at + 1] === DASH) {
      this.#closed = true;
      at += 2;
    } else {
      while (isBlank(this.#window.bytes[at])) {
        if (++at > this.#delimiter.length + PADDING_BYTES) return false;
        await this.#window.need(at + 2);
      }
      if (this.#window.bytes[at] !== CR || this.#window.bytes[at + 1] !== LF) return false;
    }
    this.#window.skip(at);
    this.#inContent = false;
    return true;
  }

  /** How many of these bytes cannot be the beginning of a delimiter. It holds one CR, its first byte: the last CR tells. */
  #certain(bytes: Uint8Array): number {
    const tail = Math.max(0, bytes.length - this.#delimiter.length + 1);
    const at = bytes.subarray(tail).lastIndexOf(CR);
    if (at < 0) return bytes.length;
    const candidate = bytes.subarray(tail + at);
    return this.#delimiter.subarray(0, candidate.length).equals(candidate) ? tail + at : bytes.length;
  }

  #take(count: number): Uint8Array {
    const taken = this.#window.bytes.subarray(0, count);
    this.#window.skip(count);
    return taken;
  }
}

function isBlank(byte: number | undefined): boolean {
  return byte === SPACE || byte === TAB;
}

function asBuffer(bytes: Uint8Array<ArrayBuffer>): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}

function cutShort(): RequestError {
  return new RequestError('invalid_request', 'The form ends before its closing boundary. Send the request again.');
}

function headerTooLong(): RequestError {
  const message = `The form is malformed: the header of a part is longer than ${PART_HEADER_BYTES / 1024} KiB.`;
  return new RequestError('invalid_request', message);
}
