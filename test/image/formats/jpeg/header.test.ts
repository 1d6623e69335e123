import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type JpegHeader, readJpegHeader, sniffJpeg } from '../../../../src/image/formats/jpeg/header.ts';
import { damaged, onlyFileErrors, truncations } from '../../../support/damage.ts';
import { exifBlock } from '../../../support/exif-block.ts';
import * as jpeg from '../../../support/jpeg-file.ts';

function header(...parts: Uint8Array[]): JpegHeader {
  return readJpegHeader(jpeg.joined(jpeg.SOI, ...parts, jpeg.scan, jpeg.EOI));
}

const exif = (block: Uint8Array) => jpeg.jpegSegment(0xe1, [...new TextEncoder().encode('Exif\0\0'), ...block]);

describe('a JPEG header', () => {
  it('gives sides, components and where the first scan is', () => {
    const parts = [jpeg.jfif, jpeg.jpegFrame({ width: 4032, height: 3024 }), jpeg.jpegSegment(0xdd, [0, 63])];
    const { detail, ...rest } = header(...parts);
    expect(rest).toEqual({
      ...{ format: 'jpg', width: 4032, height: 3024, orientation: 1 },
      ...{ alpha: false, bitDepth: 8, model: 'rgb', animated: false },
    });
    expect(detail).toEqual({
      components: [
        { id: 1, horizontal: 2, vertical: 2, quantTable: 0 },
        { id: 2, horizontal: 1, vertical: 1, quantTable: 1 },
        { id: 3, horizontal: 1, vertical: 1, quantTable: 1 },
      ],
      ...{ colour: 'ycbcr', adobe: false, progressive: false, restartInterval: 63 },
      firstScan: 2 + parts.reduce((sum, part) => sum + part.length, 0),
    });
  });

  it.each([
    [0xc0, false],
    [0xc1, false],
    [0xc2, true],
  ])('accepts SOF marker %i, progressive: %s', (code, progressive) => {
    expect(header(jpeg.jpegFrame({ code })).detail.progressive).toBe(progressive);
  });

  it.each([
    ['lossless', { code: 0xc3 }],
    ['hierarchical', { code: 0xc5 }],
    ['arithmetic', { code: 0xc9 }],
    ['arithmetic', { code: 0xca }],
    ['12-bit', { code: 0xc1, precision: 12 }],
    ['height', { height: 0 }],
    ['2 colour components', { ids: [1, 2] }],
  ])('refuses by name: %s', (name, options) => {
    expect(() => header(jpeg.jpegFrame(options))).toThrow(
      expect.objectContaining({ code: 'unsupported_image', message: expect.stringContaining(name) }),
    );
  });

  it.each([
    ['JFIF says YCbCr against an Adobe marker', [jpeg.jfif, jpeg.adobe(0)], [1, 2, 3], 'ycbcr'],
    ['Adobe transform 0 says RGB', [jpeg.adobe(0)], [1, 2, 3], 'rgb'],
    ['Adobe transform 1 says YCbCr', [jpeg.adobe(1)], [1, 2, 3], 'ycbcr'],
    ['component ids R, G, B say RGB', [], [0x52, 0x47, 0x42], 'rgb'],
    ['unknown ids say YCbCr', [], [7, 8, 9], 'ycbcr'],
    ['one component is grey', [jpeg.adobe(0)], [1], 'grey'],
    ['four components are CMYK', [], [1, 2, 3, 4], 'cmyk'],
    ['four components with Adobe transform 0 are CMYK', [jpeg.adobe(0)], [1, 2, 3, 4], 'cmyk'],
    ['four components with Adobe transform 2 are YCCK', [jpeg.adobe(2)], [1, 2, 3, 4], 'ycck'],
  ] as const)('decides on colour: %s', (_, markers, ids, colour) => {
    const { model, detail } = header(...markers, jpeg.jpegFrame({ ids }));
    expect(detail.colour).toBe(colour);
    expect(detail.adobe).toBe(markers.some((marker) => marker[1] === 0xee));
    expect(model).toBe({ ycbcr: 'rgb', rgb: 'rgb', grey: 'grey', cmyk: 'cmyk', ycck: 'cmyk' }[colour]);
  });

  it('reads the orientation from EXIF, and not from XMP', () => {
    const xmp = jpeg.jpegSegment(0xe1, 'http://ns.adobe.com/xap/1.0/\0<x/>');
    expect(header(xmp, exif(exifBlock(7, { little: true })), jpeg.jpegFrame()).orientation).toBe(7);
    expect(header(xmp, jpeg.jpegFrame()).orientation).toBe(1);
  });

  it('joins a profile from its pieces in any order', () => {
    const pieces = [jpeg.iccPiece(2, 3, [4, 5]), jpeg.iccPiece(3, 3, [6]), jpeg.iccPiece(1, 3, [1, 2, 3])];
    const { profile } = header(...pieces, jpeg.jpegFrame());
    expect(profile).toEqual({ kind: 'icc', bytes: Uint8Array.of(1, 2, 3, 4, 5, 6) });
  });

  it.each([
    ['missing', [jpeg.iccPiece(1, 2, [1])]],
    ['repeated', [jpeg.iccPiece(1, 2, [1]), jpeg.iccPiece(1, 2, [2])]],
    ['numbered from 0', [jpeg.iccPiece(0, 1, [1])]],
    ['of different counts', [jpeg.iccPiece(1, 2, [1]), jpeg.iccPiece(2, 3, [1])]],
  ])('ignores a profile with a piece %s', (_, pieces) => {
    expect(header(...pieces, jpeg.jpegFrame()).profile).toBeUndefined();
  });

  it('ignores other APP2 segments (MPF)', () => {
    expect(header(jpeg.jpegSegment(0xe2, 'MPF\0II*\0'), jpeg.jpegFrame()).profile).toBeUndefined();
  });

  it('steps over fill bytes and garbage between segments', () => {
    expect(header(Uint8Array.of(0xff, 0xff, 0xff), jpeg.jpegFrame({ width: 77 })).width).toBe(77);
    expect(header(Uint8Array.of(1, 2, 3, 0xff, 0, 4), jpeg.jpegFrame({ width: 77 })).width).toBe(77);
  });

  it.each([
    ['no frame', [jpeg.jfif]],
    ['two frames', [jpeg.jpegFrame(), jpeg.jpegFrame()]],
    ['a second SOI', [jpeg.SOI, jpeg.jpegFrame()]],
    ['width 0', [jpeg.jpegFrame({ width: 0 })]],
    ['a repeated component id', [jpeg.jpegFrame({ ids: [1, 1, 2] })]],
    ['sampling factor 5', [Uint8Array.from([...jpeg.jpegFrame({ ids: [1] }).slice(0, -2), 0x51, 0])]],
    ['a segment of length 1', [Uint8Array.of(0xff, 0xe5, 0, 1)]],
    ['a restart interval of one byte', [jpeg.jpegFrame(), jpeg.jpegSegment(0xdd, [1])]],
  ])('is broken with %s', (_, parts) => {
    expect(() => header(...parts)).toThrow(expect.objectContaining({ code: 'broken_image' }));
  });

  it('is broken when the file ends before the first scan', () => {
    expect(() => readJpegHeader(jpeg.joined(jpeg.SOI, jpeg.jpegFrame(), jpeg.EOI, jpeg.scan))).toThrow(
      expect.objectContaining({ code: 'broken_image' }),
    );
  });

  const rich = jpeg.joined(
    ...[jpeg.SOI, jpeg.jfif, exif(exifBlock(6)), jpeg.iccPiece(1, 1, [1, 2, 3]), jpeg.adobe(1)],
    ...[jpeg.jpegFrame(), jpeg.jpegSegment(0xdd, [0, 4]), jpeg.scan, jpeg.EOI],
  );

  it('is a header or a FileError at every length', () => {
    const firstScan = readJpegHeader(rich).detail.firstScan;
    for (const file of truncations(rich)) {
      const read = onlyFileErrors(() => readJpegHeader(file));
      // The scan header has ten bytes.
      expect(read !== undefined).toBe(file.length >= firstScan + 10);
    }
  });

  it('is a header or a FileError whatever is damaged', () => {
    fc.assert(
      fc.property(damaged(rich), (file) => {
        const read = onlyFileErrors(() => readJpegHeader(file));
        if (read === undefined) return;
        expect([1, 3, 4]).toContain(read.detail.components.length);
        expect(read.width * read.height).toBeGreaterThan(0);
        expect(file[read.detail.firstScan + 1]).toBe(0xda);
      }),
      { numRuns: 2000 },
    );
  });

  it('is known by its first three bytes', () => {
    expect(sniffJpeg(rich.subarray(0, 64))).toBe(true);
    for (const other of ['GIF89a', '\x89PNG\r\n', 'RIFF', '', 'BM']) {
      expect(sniffJpeg(Uint8Array.from(other, (character) => character.charCodeAt(0)))).toBe(false);
    }
  });
});
