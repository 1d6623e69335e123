import fc from 'fast-check';
import { expect, test } from 'vitest';
import { entropyCodedEnd } from '../../../../src/image/formats/jpeg/segments.ts';

/** T.81 B.1.1.5: stuffed bytes, fill bytes and RSTn stay inside. */
function plainEnd(bytes: readonly number[], from: number): number {
  for (let at = from; at + 1 < bytes.length; at++) {
    const code = bytes[at + 1]!;
    if (bytes[at] === 0xff && code !== 0 && code !== 0xff && (code < 0xd0 || code > 0xd7)) return at;
  }
  return bytes.length;
}

const stuffed = fc.constantFrom([0xff, 0x00], [0xff, 0xff], [0xff, 0xd0], [0xff, 0xd7]);
const plain = fc.array(fc.nat(0xfe), { maxLength: 40 });
const other = fc.constantFrom([0xff, 0xd9], [0xff, 0xcf], [0xff, 0xd8], [0xff, 0x01], [0xff]);

test('entropy-coded data ends at the first marker that is not RSTn, however far apart the bytes 0xFF are', () => {
  const pieces = fc.array(fc.oneof({ weight: 9, arbitrary: fc.oneof(stuffed, plain) }, other), { maxLength: 60 });
  fc.assert(
    fc.property(pieces, fc.nat(50), (parts, from) => {
      const bytes = parts.flat();
      const start = Math.min(from, bytes.length);
      expect(entropyCodedEnd(Uint8Array.from(bytes), start)).toBe(plainEnd(bytes, start));
    }),
    { numRuns: 500 },
  );
});
