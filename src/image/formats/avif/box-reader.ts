import { type Box, brokenAvif, fourCc, uint32 } from './boxes.ts';

/** Reads big-endian fields of one box in order, never past its end. Every method throws FileError broken_image there. */
export class BoxReader {
  readonly #file: Uint8Array;
  readonly #end: number;
  #at: number;

  constructor(file: Uint8Array, box: Box) {
    this.#file = file;
    this.#at = box.dataStart;
    this.#end = box.end;
  }

  get remaining(): number {
    return this.#end - this.#at;
  }

  /** Version and flags of a full box (ISO/IEC 14496-12 §4.2.2). */
  fullBox(): { readonly version: number; readonly flags: number } {
    const word = this.u32();
    return { version: word >>> 24, flags: word & 0xffffff };
  }

  u8(): number {
    return this.#file[this.#take(1)]!;
  }

  u16(): number {
    const at = this.#take(2);
    return (this.#file[at]! << 8) | this.#file[at + 1]!;
  }

  u32(): number {
    return uint32(this.#file, this.#take(4));
  }

  i32(): number {
    return this.u32() | 0;
  }

  /** A field of 0, 4 or 8 bytes. Beyond 2⁵³ it is rounded: no offset in a file is that large. */
  sized(bytes: number): number {
    if (bytes === 0) return 0;
    if (bytes === 4) return this.u32();
    if (bytes === 8) return this.u32() * 2 ** 32 + this.u32();
    throw brokenAvif('one of its fields has an impossible size');
  }

  fourCc(): string {
    return fourCc(this.#file, this.#take(4));
  }

  skip(bytes: number): void {
    this.#take(bytes);
  }

  /** What is left of the box; a view on the file. */
  rest(): Uint8Array {
    return this.#file.subarray(this.#take(this.remaining), this.#end);
  }

  #take(bytes: number): number {
    const at = this.#at;
    if (bytes > this.#end - at) throw brokenAvif('one of its boxes is cut short');
    this.#at = at + bytes;
    return at;
  }
}
