/** Writes bits from the highest down (AV1 specification §4.10.2). */
export class BitWriter {
  readonly #bytes: number[] = [];
  #bit = 0;

  /** f(n): `count` bits, at most 32. */
  bits(value: number, count: number): void {
    for (let index = count - 1; index >= 0; index--) this.#push(Math.floor(value / 2 ** index) & 1);
  }

  flag(value: boolean): void {
    this.#push(value ? 1 : 0);
  }

  /** ns(n) of §4.10.7: a value below `limit`, in the fewest bits. */
  nonSymmetric(value: number, limit: number): void {
    const width = Math.floor(Math.log2(limit)) + 1;
    const short = 2 ** width - limit;
    if (value < short) this.bits(value, width - 1);
    else this.bits(value + short, width);
  }

  /** Bits `from` to `to` of other data, as they are. */
  copy(data: Uint8Array, from: number, to: number): void {
    for (let at = from; at < to; at++) this.#push((data[at >> 3]! >> (7 - (at & 7))) & 1);
  }

  /** trailing_bits() of §5.3.4: a one, then zeros up to the next whole byte. */
  trailing(): void {
    this.#push(1);
    this.align();
  }

  /** byte_alignment() of §5.3.5. */
  align(): void {
    this.#bit = Math.ceil(this.#bit / 8) * 8;
  }

  toBytes(): Uint8Array {
    return Uint8Array.from(this.#bytes);
  }

  #push(bit: number): void {
    const at = this.#bit >> 3;
    this.#bytes[at] = (this.#bytes[at] ?? 0) | (bit << (7 - (this.#bit & 7)));
    this.#bit++;
  }
}
