/** Bits of a short header, the first lowest in each byte (RFC 9649 §3.2). */
export class BitList {
  readonly bytes: number[] = [];
  /** Bits in all. */
  length = 0;

  /** Appends the lowest `count` bits of a value. */
  put(value: number, count: number): void {
    for (let i = 0; i < count; i++) {
      if ((this.length & 7) === 0) this.bytes.push(0);
      this.bytes[this.bytes.length - 1]! |= ((value >> i) & 1) << (this.length & 7);
      this.length++;
    }
  }
}
