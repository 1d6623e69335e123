import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readJpegHeader } from '../../../../src/image/formats/jpeg/header.ts';
import { stripJpegMetadata } from '../../../../src/image/formats/jpeg/strip-metadata.ts';
import { damaged, onlyFileErrors } from '../../../support/damage.ts';
import * as jpeg from '../../../support/jpeg-file.ts';

const stripped = (file: Uint8Array) => jpeg.joined(...stripJpegMetadata(file, readJpegHeader(file)));

const minimalJfif = jpeg.jpegSegment(0xe0, [0x4a, 0x46, 0x49, 0x46, 0, 1, 2, 1, 0, 72, 0, 72, 0, 0]);
const tables = jpeg.joined(jpeg.jpegSegment(0xdb, new Uint8Array(65)), jpeg.jpegSegment(0xc4, new Uint8Array(20)));
const notes = jpeg.joined(
  jpeg.jpegSegment(0xe1, 'Exif\0\0MM\0*'),
  jpeg.jpegSegment(0xe1, 'http://ns.adobe.com/xap/1.0/\0<x/>'),
  jpeg.jpegSegment(0xe2, 'MPF\0'),
  jpeg.iccPiece(1, 1, [1]),
  jpeg.jpegSegment(0xec, 'Ducky'),
  jpeg.jpegSegment(0xed, 'Photoshop 3.0\0'),
  jpeg.jpegSegment(0xfe, 'a comment'),
);
const frame = jpeg.jpegFrame({ code: 0xc2 });

describe('stripping a JPEG', () => {
  it('keeps tables, frame and every scan byte for byte, and nothing else', () => {
    const file = jpeg.joined(
      jpeg.SOI,
      jpeg.jfif,
      notes,
      tables,
      frame,
      notes,
      jpeg.scan,
      tables,
      notes,
      jpeg.scan,
      jpeg.EOI,
    );
    const expected = jpeg.joined(jpeg.SOI, minimalJfif, tables, frame, jpeg.scan, tables, jpeg.scan, jpeg.EOI);
    expect(stripped(file)).toEqual(expected);
  });

  it('drops what follows the primary image (gain maps, MPF pictures, trailing bytes)', () => {
    const picture = jpeg.joined(jpeg.SOI, frame, jpeg.scan, jpeg.EOI);
    expect(stripped(jpeg.joined(picture, picture, new Uint8Array(9).fill(7)))).toEqual(picture);
  });

  it('keeps the Adobe marker without what hides behind its fields', () => {
    const long = jpeg.jpegSegment(0xee, [...jpeg.adobe(2).slice(4), ...new TextEncoder().encode('secret')]);
    const file = jpeg.joined(jpeg.SOI, long, frame, jpeg.scan, jpeg.EOI);
    expect(stripped(file)).toEqual(jpeg.joined(jpeg.SOI, jpeg.adobe(2), frame, jpeg.scan, jpeg.EOI));
  });

  it('adds a missing EOI', () => {
    const file = jpeg.joined(jpeg.SOI, frame, jpeg.scan);
    expect(stripped(file)).toEqual(jpeg.joined(file, jpeg.EOI));
  });

  it('leaves a file alone that has nothing to strip', () => {
    const file = jpeg.joined(jpeg.SOI, minimalJfif, tables, frame, jpeg.scan, jpeg.EOI);
    expect(stripped(file)).toEqual(file);
  });

  it('returns one piece for each run that stays, and refuses a file shredded into countless ones', () => {
    const plain = jpeg.joined(jpeg.SOI, tables, frame, jpeg.scan, tables, jpeg.scan, jpeg.EOI);
    expect(stripJpegMetadata(plain, readJpegHeader(plain))).toHaveLength(2);
    const shred = jpeg.joined(jpeg.jpegSegment(0xfe, ''), jpeg.jpegSegment(0xdd, [0, 1]));
    const shreds = new Uint8Array(shred.length * 40_000);
    for (let at = 0; at < shreds.length; at += shred.length) shreds.set(shred, at);
    const file = new Uint8Array([...jpeg.SOI, ...shreds, ...frame, ...jpeg.scan, ...jpeg.EOI]);
    expect(() => stripJpegMetadata(file, readJpegHeader(file))).toThrow(
      expect.objectContaining({ code: 'broken_image' }),
    );
  });

  it('never changes the header that counts, whatever is damaged', () => {
    const file = jpeg.joined(jpeg.SOI, jpeg.jfif, jpeg.adobe(1), notes, tables, frame, jpeg.scan, notes, jpeg.EOI);
    fc.assert(
      fc.property(damaged(file), (bytes) => {
        const header = onlyFileErrors(() => readJpegHeader(bytes));
        const pieces = header && onlyFileErrors(() => stripJpegMetadata(bytes, header));
        if (header === undefined || pieces === undefined) return;
        const again = readJpegHeader(jpeg.joined(...pieces));
        expect({ ...again, detail: { ...again.detail, firstScan: 0 } }).toEqual({
          ...Object.fromEntries(Object.entries(header).filter(([name]) => name !== 'profile')),
          orientation: 1,
          detail: { ...header.detail, firstScan: 0 },
        });
      }),
      { numRuns: 1000 },
    );
  });
});
