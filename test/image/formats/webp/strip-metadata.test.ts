import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readWebpHeader } from '../../../../src/image/formats/webp/header.ts';
import { stripWebpMetadata } from '../../../../src/image/formats/webp/strip-metadata.ts';
import { damaged, onlyFileErrors } from '../../../support/damage.ts';
import { exifBlock } from '../../../support/exif-block.ts';
import { anmf, vp8, vp8l, vp8x, webpChunk, webpFile } from '../../../support/webp-file.ts';

function stripped(file: Uint8Array): Uint8Array {
  return Uint8Array.from(stripWebpMetadata(file, readWebpHeader(file)).flatMap((piece) => [...piece]));
}

const ALL_FLAGS = 0x20 | 0x10 | 0x08 | 0x04;
const notes = [webpChunk('EXIF', exifBlock(1)), webpChunk('XMP ', [60, 120, 62]), webpChunk('note', [1, 2, 3])];
const iccp = webpChunk('ICCP', [1, 2, 3]);
const alph = webpChunk('ALPH', [0, 1, 2, 3, 4]);

describe('stripping a WebP', () => {
  it('makes a simple file of a picture in one chunk', () => {
    const lossy = vp8(31, 17, 21);
    expect(stripped(webpFile(vp8x(ALL_FLAGS, 31, 17), iccp, lossy, ...notes))).toEqual(webpFile(lossy));
    const lossless = vp8l(31, 17, true);
    expect(stripped(webpFile(vp8x(ALL_FLAGS, 31, 17), iccp, lossless, ...notes))).toEqual(webpFile(lossless));
    expect(stripped(webpFile(lossless, ...notes))).toEqual(webpFile(lossless));
  });

  it('keeps an extended file for an alpha plane, with no other flag', () => {
    const file = webpFile(vp8x(ALL_FLAGS, 3000, 1700), iccp, alph, vp8(3000, 1700), ...notes);
    expect(stripped(file)).toEqual(webpFile(vp8x(0x10, 3000, 1700), alph, vp8(3000, 1700)));
  });

  it('keeps the frames of an animation and its canvas, however large', () => {
    const frames = [webpChunk('ANIM', new Uint8Array(6)), anmf(31, 17, vp8l(31, 17)), anmf(5, 5, vp8(5, 5))];
    const file = webpFile(vp8x(ALL_FLAGS | 2, 70_000, 66_000), iccp, ...frames, ...notes);
    expect(stripped(file)).toEqual(webpFile(vp8x(0x12, 70_000, 66_000), ...frames));
  });

  it('drops bytes behind the RIFF and makes up a missing padding byte', () => {
    const picture = vp8(5, 6, 21);
    const file = webpFile(picture).slice(0, -1);
    new DataView(file.buffer).setUint32(4, file.length - 8, true);
    expect(stripped(file)).toEqual(webpFile(picture));
    expect(stripped(Uint8Array.from([...webpFile(picture), 1, 2, 3]))).toEqual(webpFile(picture));
  });

  it('never changes the header that counts, whatever is damaged', () => {
    const file = webpFile(vp8x(ALL_FLAGS, 31, 17), iccp, alph, vp8(31, 17), ...notes);
    fc.assert(
      fc.property(damaged(file), (bytes) => {
        const header = onlyFileErrors(() => readWebpHeader(bytes));
        if (header === undefined) return;
        const { width, height, alpha, animated } = header;
        expect(readWebpHeader(stripped(bytes))).toMatchObject({ width, height, alpha, animated, orientation: 1 });
      }),
      { numRuns: 1000 },
    );
  });
});
