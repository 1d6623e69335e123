import { Buffer } from 'node:buffer';

/** Blanks that a mail gateway may have put after a delimiter (RFC 2046, 5.1.1, transport-padding). */
const PADDING = 64;
/** Lines of one form that may begin like a padded delimiter and go on differently; after them none may be padded. */
const PADDED_FAKES = 256;
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
 * content. Once there was such a line, the rest of the bytes is searched by a pattern that holds what has to follow, so that content
 * made of such lines costs about as much as any other.
 */
export class Delimiter {
  readonly #start: Buffer;
  readonly #exact: RegExp;
  readonly #padded: RegExp;
  #paddedFakes = 0;

  constructor(boundary: string) {
    this.#start = Buffer.from(`\r\n--${boundary}`, 'latin1');
    const start = escaped(this.#start.toString('latin1'));
    this.#exact = new RegExp(`${start}(?:--|\\r\\n)`, 'g');
    this.#padded = new RegExp(`${start}(?:--|\\r\\n|[ \\t])`, 'g');
  }

  /** The first one that is whole, with the line break that ends it. */
  find(bytes: Uint8Array<ArrayBuffer>): FoundDelimiter | undefined {
    const buffer = asBuffer(bytes);
    if (this.#start.length < SEARCHABLE) return this.#findByPattern(buffer, 0);
    const at = buffer.indexOf(this.#start);
    return at < 0 ? undefined : (this.#delimiterAt(bytes, at) ?? this.#findByPattern(buffer, at));
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

  #findByPattern(bytes: Buffer<ArrayBuffer>, from: number): FoundDelimiter | undefined {
    const text = bytes.toString('latin1', from);
    for (let next = 0; ; ) {
      const pattern = this.#paddedFakes < PADDED_FAKES ? this.#padded : this.#exact;
      pattern.lastIndex = next;
      const match = pattern.exec(text);
      if (match === null) return undefined;
      const found = this.#delimiterAt(bytes, from + match.index);
      if (found !== undefined) return found;
      this.#paddedFakes++;
      next = pattern.lastIndex;
    }
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

/** As a pattern that stands for exactly this text. */
function escaped(latin1: string): string {
  return latin1.replace(/[\s\S]/g, (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`);
}
