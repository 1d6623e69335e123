/** Reads bits from the highest down. Past the end it gives zeros and says so. */
export class BitReader {
  readonly #data: Uint8Array;
  #bit = 0;

  constructor(data: Uint8Array) {
    this.#data = data;
  }

  /** Bits read so far. */
  get position(): number {
    return this.#bit;
  }

  get exhausted(): boolean {
    return this.#bit > this.#data.length * 8;
  }

  bits(count: number): number {
    let value = 0;
    for (let index = 0; index < count; index++, this.#bit++) {
      const byte = this.#data[this.#bit >> 3] ?? 0;
      value = value * 2 + ((byte >> (7 - (this.#bit & 7))) & 1);
    }
    return value;
  }

  flag(): boolean {
    return this.bits(1) === 1;
  }

  /** uvlc() of §4.10.3; only its length matters here. */
  skipUvlc(): void {
    let zeros = 0;
    while (!this.flag() && zeros < 32) zeros++;
    if (zeros < 32) this.bits(zeros);
  }
}
