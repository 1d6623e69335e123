import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readExifOrientation } from '../../src/image/exif.ts';
import { damaged } from '../support/damage.ts';
import { exifBlock } from '../support/exif-block.ts';

describe('EXIF orientation', () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8])('reads %i in both byte orders and all unsigned types', (orientation) => {
    for (const little of [false, true]) {
      for (const type of [1, 3, 4]) {
        expect(readExifOrientation(exifBlock(orientation, { little, type }))).toBe(orientation);
      }
    }
  });

  it('reads a block with the prefix that JPEG demands', () => {
    const prefixed = Uint8Array.from([...new TextEncoder().encode('Exif\0\0'), ...exifBlock(6)]);
    expect(readExifOrientation(prefixed)).toBe(6);
  });

  it('takes values that do not exist as upright', () => {
    for (const value of [0, 9, 255]) expect(readExifOrientation(exifBlock(value))).toBe(1);
  });

  it('takes a wrong type, a wrong count, and a missing tag as upright', () => {
    expect(readExifOrientation(exifBlock(6, { type: 2 }))).toBe(1);
    expect(readExifOrientation(exifBlock(6, { count: 2 }))).toBe(1);
    expect(readExifOrientation(exifBlock(6, { tag: 0x0113 }))).toBe(1);
  });

  it('reads what is there when the directory promises more entries than fit', () => {
    const block = exifBlock(8);
    block[8] = 0xff;
    expect(readExifOrientation(block)).toBe(8);
  });

  it('takes a directory outside the block as upright', () => {
    const block = exifBlock(8);
    block[4] = 0x7f;
    expect(readExifOrientation(block)).toBe(1);
  });

  it('is 1 to 8 and never throws, whatever the bytes', () => {
    const blocks = fc.oneof(
      fc.uint8Array({ maxLength: 64 }),
      damaged(exifBlock(6)),
      damaged(exifBlock(6, { little: true })),
    );
    fc.assert(
      fc.property(blocks, fc.nat(40), (block, cut) => {
        const orientation = readExifOrientation(block.slice(0, cut));
        return orientation >= 1 && orientation <= 8 && Number.isInteger(orientation);
      }),
    );
  });
});
