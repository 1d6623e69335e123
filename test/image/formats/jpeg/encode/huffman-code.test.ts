import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { huffmanCode } from '../../../../../src/image/formats/jpeg/encode/huffman-code.ts';

const frequencies = fc
  .array(fc.tuple(fc.nat(255), fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 2 ** 31 }))), {
    minLength: 1,
    maxLength: 256,
  })
  .map((entries) => {
    const table = new Uint32Array(256);
    for (const [symbol, count] of entries) table[symbol] = count;
    return table;
  });

/** How often each symbol of Fibonacci's weights occurs: the deepest tree that there is. */
function fibonacci(symbols: number): Uint32Array {
  const table = new Uint32Array(256);
  for (let symbol = 0, a = 1, b = 1; symbol < symbols; symbol++) {
    table[symbol] = a;
    [a, b] = [b, a + b];
  }
  return table;
}

function bitsOf(frequency: Uint32Array, table: Uint32Array): number {
  return frequency.reduce((sum, count, symbol) => sum + count * (table[symbol]! & 31), 0);
}

describe('a Huffman code', () => {
  test('has a code for every symbol that occurs and no other, as a complete list of a DHT segment', () => {
    fc.assert(
      fc.property(frequencies, (frequency) => {
        const { counts, symbols, table } = huffmanCode(frequency);
        const used = [...frequency.keys()].filter((symbol) => frequency[symbol]! > 0);
        expect([...symbols].sort((a, b) => a - b)).toEqual(used);
        expect(counts.reduce((sum, count) => sum + count, 0)).toBe(used.length);
        expect(table.every((entry, symbol) => entry > 0 || !used.includes(symbol) || (entry & 31) > 0)).toBe(true);
      }),
    );
  });

  test('is a prefix code of at most 16 bits whose codes are never all ones', () => {
    fc.assert(
      fc.property(frequencies, (frequency) => {
        const codes = [...huffmanCode(frequency).table]
          .filter((entry) => entry > 0)
          .map((entry) => (entry >> 5).toString(2).padStart(entry & 31, '0'))
          .sort();
        for (const [index, code] of codes.entries()) {
          expect(code.length).toBeLessThanOrEqual(16);
          expect(code).toContain('0');
          expect(codes[index + 1]?.startsWith(code) ?? false).toBe(false);
        }
      }),
    );
  });

  test('spends at most one bit a symbol more than the entropy', () => {
    fc.assert(
      fc.property(frequencies, (frequency) => {
        const all = frequency.reduce((sum, count) => sum + count, 0);
        const entropy = frequency.reduce((sum, count) => sum + (count > 0 ? count * Math.log2(all / count) : 0), 0);
        expect(bitsOf(frequency, huffmanCode(frequency).table)).toBeLessThanOrEqual(entropy + all + 17);
      }),
    );
  });

  test('stays within 16 bits where the best tree is deeper, at little cost', () => {
    const frequency = fibonacci(40);
    const { table, counts } = huffmanCode(frequency);
    expect(counts[15]).toBeGreaterThan(0);
    const all = frequency.reduce((sum, count) => sum + count, 0);
    expect(bitsOf(frequency, table) / all).toBeLessThan(2.7);
  });

  test('of a single symbol is one bit', () => {
    const frequency = new Uint32Array(256);
    frequency[7] = 5;
    const { counts, symbols, table } = huffmanCode(frequency);
    expect([...symbols]).toEqual([7]);
    expect(counts[0]).toBe(1);
    expect(table[7]).toBe(1);
  });
});
