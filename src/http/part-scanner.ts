import { Buffer } from 'node:buffer';
import { RequestError } from '../errors.ts';
import { limits } from '../limits.ts';
import type { BodyWindow } from './body-window.ts';
import { Delimiter, type FoundDelimiter } from './delimiter.ts';

const EMPTY_LINE = Buffer.from('\r\n\r\n');
const LINE_BREAK_BYTES = 2;

/**
 * Finds the parts of a multipart body (RFC 2046, 5.1.1) in a window that moves over it. Every step begins and ends
 * with the window's start at a line break: the one before the first line, before a part's headers, before its content.
 */
export class PartScanner {
  readonly #window: BodyWindow;
  readonly #delimiter: Delimiter;
  #inContent = true;
  #closed = false;
  /** Bytes at the window's start that end the header and are no content, unless they begin the next delimiter, too. */
  #lead = 0;

  /** @param window must begin with a line break of its own, since the first delimiter may be the body's first bytes. */
  constructor(window: BodyWindow, boundary: string) {
    this.#window = window;
    this.#delimiter = new Delimiter(boundary);
  }

  /** Whether the delimiter just passed was the closing one. */
  get closed(): boolean {
    return this.#closed;
  }

  /**
   * The next bytes before the next delimiter, as many as are in the window, valid until the following call; undefined once
   * the delimiter is passed.
   * @throws RequestError invalid_request when the body ends before it
   */
  async content(): Promise<Uint8Array | undefined> {
    while (this.#inContent) {
      const { bytes } = this.#window;
      const found = this.#delimiter.find(bytes);
      const certain = found?.at ?? this.#delimiter.mayBegin(bytes);
      if (certain > this.#lead) return this.#take(certain);
      if (certain > 0) this.#take(certain);
      else if (found !== undefined) this.#pass(found);
      else if (!(await this.#window.fill())) throw cutShort();
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
      const block = bytes.subarray(0, limits.partHeaderBytes + EMPTY_LINE.length);
      const end = asBuffer(block).indexOf(EMPTY_LINE, from);
      if (end >= 0) return this.#beginContent(end);
      if (bytes.length >= limits.partHeaderBytes + EMPTY_LINE.length) throw headerTooLong();
      from = Math.max(0, bytes.length - EMPTY_LINE.length);
      if (!(await this.#window.fill())) throw cutShort();
    }
  }

  #beginContent(end: number): Uint8Array {
    const lines = this.#window.bytes.slice(LINE_BREAK_BYTES, Math.max(LINE_BREAK_BYTES, end));
    this.#window.skip(end + LINE_BREAK_BYTES);
    this.#inContent = true;
    // An empty part may lack its own line break: the one that ends the header then serves the delimiter, too.
    this.#lead = LINE_BREAK_BYTES;
    return lines;
  }

  #pass({ end, closing }: FoundDelimiter): void {
    this.#window.skip(end);
    this.#inContent = false;
    this.#closed = closing;
  }

  #take(count: number): Uint8Array {
    const taken = this.#window.bytes.subarray(this.#lead, count);
    this.#window.skip(count);
    this.#lead = 0;
    return taken;
  }
}

function asBuffer(bytes: Uint8Array<ArrayBuffer>): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}

function cutShort(): RequestError {
  return new RequestError('invalid_request', 'The form ends before its closing boundary. Send the request again.');
}

function headerTooLong(): RequestError {
  const message = `The form is malformed: the header of a part is longer than ${limits.partHeaderBytes / 1024} KiB. Send a shorter file name.`;
  return new RequestError('invalid_request', message);
}
