import { Buffer } from 'node:buffer';
import { RequestError } from '../errors.ts';

/** Blanks that a mail gateway may have put after a delimiter (RFC 2046, 5.1.1, transport-padding). */
const PADDING = 64;
/**
 * Lines of one form that may begin like a delimiter and go on differently. A boundary is chosen so that no content has it (RFC 2046, 5.1.1);
 * each such line costs a search of its own, and content made of them would cost many times what other content does.
 */
const FAKES = 256;
/** Bytes of the shortest delimiter for which the platform's search takes linear time whatever it searches. */
const SEARCHABLE = 8;
const [TAB, LF, CR, SPACE, DASH] = [9, 10, 13, 32, 45];

/** A delimiter that was found. */
export interface FoundDelimiter {
  readonly at: number;
  /** Where the line break begins that ends its line; of the closing one, where it ends itself. */
  readonly end: number;
  readonly closing: boolean;
}

/**
 * Finds the delimiters of a multipart body (RFC 2046, 5.1.1), each with the line break before it. What only begins like one is
 * content, up to a number of times that only an attack comes to.
 */
export class Delimiter {
  readonly #start: Buffer;
  readonly #pattern: RegExp;
  #fakes = 0;

  constructor(boundary: string) {
    this.#start = Buffer.from(`\r\n--${boundary}`, 'latin1');
    // Plain text as a pattern would be searched like any other short text; what follows it makes it compiled.
    this.#pattern = new RegExp(`${escaped(this.#start.toString('latin1'))}(?=[^]|$)`, 'g');
  }

  /**
   * The first one that is whole, with the line break that ends it.
   * @throws RequestError invalid_request when too much of the form only begins like one
   */
  find(bytes: Uint8Array<ArrayBuffer>): FoundDelimiter | undefined {
    const next = this.#search(asBuffer(bytes));
    for (let at = next(0); at >= 0; at = next(at + 1)) {
      const found = this.#delimiterAt(bytes, at);
      if (found !== undefined) return found;
      // The end of the bytes may cut a delimiter short: it is looked at again when more are there.
      if (bytes.length - at > this.#start.length + PADDING && ++this.#fakes > FAKES) throw tooManyFakes();
    }
    return undefined;
  }

  /** Where something begins that may become a delimiter when more follows; else the end. Given that there is none yet. */
  mayBegin(bytes: Uint8Array<ArrayBuffer>): number {
    const longest = this.#start.length + PADDING + 1;
    const tail = asBuffer(bytes).subarray(Math.max(0, bytes.length - longest));
    for (let at = tail.indexOf(CR); at >= 0; at = tail.indexOf(CR, at + 1)) {
      const mayBe = at + 1 === tail.length || tail[at + 1] === LF;
      if (mayBe && this.#isStart(tail.subarray(at))) return bytes.length - tail.length + at;
    }
    return bytes.length;
  }

  /** @returns a function that tells where the delimiter's first bytes are from a place on; else -1 */
  #search(bytes: Buffer<ArrayBuffer>): (from: number) => number {
    if (this.#start.length >= SEARCHABLE) return (from) => bytes.indexOf(this.#start, from);
    const text = bytes.toString('latin1');
    return (from) => {
      this.#pattern.lastIndex = from;
      return this.#pattern.exec(text)?.index ?? -1;
    };
  }

  /** The delimiter whose first bytes are at `at`, unless its line goes on differently or is not whole. */
  #delimiterAt(bytes: Uint8Array, at: number): FoundDelimiter | undefined {
    let end = at + this.#start.length;
    if (bytes[end] === DASH && bytes[end + 1] === DASH) return { at, end: end + 2, closing: true };
    const furthest = end + PADDING;
    while (end < furthest && (bytes[end] === SPACE || bytes[end] === TAB)) end++;
    return bytes[end] === CR && bytes[end + 1] === LF ? { at, end, closing: false } : undefined;
  }

  #isStart(rest: Buffer): boolean {
    const { length } = this.#start;
    if (rest.length <= length) return rest.equals(this.#start.subarray(0, rest.length));
    return rest.subarray(0, length).equals(this.#start) && /^(?:-|[ \t]*\r?)$/.test(rest.toString('latin1', length));
  }
}

function asBuffer(bytes: Uint8Array<ArrayBuffer>): Buffer<ArrayBuffer> {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}

function tooManyFakes(): RequestError {
  const message = `The form is malformed: more than ${FAKES} lines inside its parts begin with its boundary. Choose a boundary that is in none of the files.`;
  return new RequestError('invalid_request', message);
}

/** As a pattern that stands for exactly this text. */
function escaped(latin1: string): string {
  return latin1.replace(/[\s\S]/g, (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`);
}
