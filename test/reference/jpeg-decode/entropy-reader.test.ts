import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FileError } from '../../../src/errors.ts';
import { huffmanCode } from '../../../src/image/formats/jpeg/huffman-code.ts';
import { EntropyReader } from './entropy-reader.ts';
import { buildHuffmanTable } from './huffman-table.ts';

test('every code of any length is read back as its symbol, through stuffed bytes', () => {
  fc.assert(
    fc.property(prefixCode(), fc.array(fc.nat(1000), { minLength: 1, maxLength: 60 }), ({ counts, codes }, picks) => {
      const symbols = codes.map((_, index) => (index * 37) & 255);
      const chosen = picks.map((pick) => pick % codes.length);
      const file = entropyCoded(chosen.map((index) => codes[index]!).join(''));
      const reader = new EntropyReader(file, 0, file.length);
      const table = buildHuffmanTable(huffmanCode(Uint8Array.from(counts), Uint8Array.from(symbols)));
      for (const index of chosen) expect(reader.readSymbol(table)).toBe(symbols[index]);
      expect(reader.damaged).toBe(false);
    }),
  );
});

test('lengths that leave no room for a code are refused', () => {
  const counts = new Uint8Array(16);
  counts[0] = 3;
  expect(() => huffmanCode(counts, Uint8Array.of(1, 2, 3))).toThrow(FileError);
});

test('bits that are no code are noticed', () => {
  const counts = new Uint8Array(16);
  counts[1] = 1;
  const reader = new EntropyReader(Uint8Array.of(0xfe, 0xfe, 0xfe), 0, 3);
  reader.readSymbol(buildHuffmanTable({ counts, symbols: Uint8Array.of(7) }));
  expect(reader.damaged).toBe(true);
});

test('reading past the end, or past a marker, is noticed as soon as a missing bit was used', () => {
  for (const file of [Uint8Array.of(0xa5), Uint8Array.of(0xa5, 0xff, 0xd0, 0x12), Uint8Array.of(0xa5, 0xff)]) {
    const reader = new EntropyReader(file, 0, file.length);
    expect(reader.readBits(8)).toBe(0xa5);
    expect(reader.damaged).toBe(false);
    expect(reader.readBits(1)).toBe(0);
    expect(reader.damaged).toBe(true);
  }
});

/** A random canonical prefix code: how many codes of each length, and the codes as strings of 0 and 1. */
function prefixCode(): fc.Arbitrary<{ counts: number[]; codes: string[] }> {
  return fc.array(fc.nat(6), { minLength: 16, maxLength: 16 }).map((wishes) => {
    const codes: string[] = [];
    let next = 0;
    const counts = wishes.map((wish, index) => {
      // One code less than fits keeps the all-ones code free, as JPEG does, and room for longer ones.
      const count = Math.max(0, Math.min(index === 15 ? Math.max(1, wish) : wish, 2 ** (index + 1) - next - 2));
      for (let left = count; left > 0; left--) codes.push((next++).toString(2).padStart(index + 1, '0'));
      next *= 2;
      return count;
    });
    return { counts, codes };
  });
}

/** Bits as a scan stores them: padded with ones, a zero byte behind each 0xFF. */
function entropyCoded(bits: string): Uint8Array {
  const padded = bits.padEnd(Math.ceil(bits.length / 8) * 8, '1');
  const bytes = padded.match(/.{8}/g)!.map((byte) => Number.parseInt(byte, 2));
  return Uint8Array.from(bytes.flatMap((byte) => (byte === 0xff ? [byte, 0] : [byte])));
}
