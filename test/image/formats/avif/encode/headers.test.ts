import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readAv1SequenceHeader } from '../../../../../src/image/formats/avif/av1-sequence-header.ts';
import { BitReader } from '../../../../../src/image/formats/avif/bit-reader.ts';
import { BitWriter } from '../../../../../src/image/formats/avif/encode/bit-writer.ts';
import { levelOf } from '../../../../../src/image/formats/avif/encode/levels.ts';
import { readUnits, writeUnitHeader } from '../../../../../src/image/formats/avif/encode/open-bitstream-units.ts';
import {
  readSequenceParameters,
  writeSequenceHeader,
} from '../../../../../src/image/formats/avif/encode/sequence-parameters.ts';

const sequence = fc.record({
  width: fc.integer({ min: 1, max: 65_536 }),
  height: fc.integer({ min: 1, max: 65_536 }),
  chroma: fc.constantFrom('4:2:0', '4:4:4', 'none'),
  superblock: fc.constantFrom(64, 128),
  filterIntra: fc.boolean(),
  intraEdgeFilter: fc.boolean(),
});

describe('a sequence header', () => {
  test('is read as it was written', () => {
    fc.assert(
      fc.property(sequence, fc.constantFrom(0, 8, 31), (parameters, level) => {
        expect(readSequenceParameters(writeSequenceHeader(parameters, level))).toEqual(parameters);
      }),
    );
  });

  test('says the sides and sRGB to the reader of files', () => {
    fc.assert(
      fc.property(sequence, ({ chroma, ...rest }) => {
        const header = writeSequenceHeader({ ...rest, chroma }, 4);
        const unit = Uint8Array.from([...writeUnitHeader(1, header.length), ...header]);
        const colour = chroma === 'none' ? { primaries: 2, transfer: 2 } : { primaries: 1, transfer: 13 };
        expect(readAv1SequenceHeader(unit)).toEqual({ width: rest.width, height: rest.height, ...colour });
      }),
    );
  });

  test('that is cut is no header', () => {
    const header = writeSequenceHeader(
      { width: 700, height: 500, chroma: '4:2:0', superblock: 64, filterIntra: true, intraEdgeFilter: true },
      4,
    );
    expect(() => readSequenceParameters(header.subarray(0, 6))).toThrow(RangeError);
  });
});

test('ns(n) is written as §4.10.7 reads it', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 2000 }), fc.nat(), (limit, seed) => {
      const value = seed % limit;
      const writer = new BitWriter();
      writer.nonSymmetric(value, limit);
      writer.bits(0b101, 3);
      const reader = new BitReader(writer.toBytes());
      expect([readNonSymmetric(reader, limit), reader.bits(3)]).toEqual([value, 0b101]);
    }),
  );
});

function readNonSymmetric(reader: BitReader, limit: number): number {
  const width = Math.floor(Math.log2(limit)) + 1;
  const short = 2 ** width - limit;
  const value = reader.bits(width - 1);
  return value < short ? value : value * 2 - short + reader.bits(1);
}

test('units are read as they were written, whatever their length', () => {
  const payloads = [0, 1, 127, 128, 20_000].map((length) => new Uint8Array(length).fill(length & 255));
  const data = payloads.flatMap((payload) => [...writeUnitHeader(6, payload.length), ...payload]);
  expect(readUnits(Uint8Array.from(data))).toEqual(payloads.map((payload) => ({ type: 6, payload })));
  expect(() => readUnits(Uint8Array.from(data.slice(0, -1)))).toThrow(RangeError);
});

test.each([
  [{ width: 1, height: 1, tiles: 1, columns: 1 }, 0],
  [{ width: 1920, height: 1080, tiles: 6, columns: 3 }, 8],
  [{ width: 1080, height: 1920, tiles: 6, columns: 2 }, 8],
  [{ width: 4032, height: 3024, tiles: 28, columns: 7 }, 16],
  [{ width: 1920, height: 1080, tiles: 6, columns: 9 }, 16],
  [{ width: 12_000, height: 8333, tiles: 198, columns: 9 }, 31],
  [{ width: 65_535, height: 16, tiles: 17, columns: 17 }, 31],
])('%o is of level %i', (picture, level) => {
  expect(levelOf(picture)).toBe(level);
});
