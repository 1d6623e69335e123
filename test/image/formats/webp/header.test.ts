import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readWebpHeader, sniffWebp } from '../../../../src/image/formats/webp/header.ts';
import { damaged, onlyFileErrors, truncations } from '../../../support/damage.ts';
import { exifBlock } from '../../../support/exif-block.ts';
import { anmf, vp8, vp8l, vp8x, webpChunk, webpFile } from '../../../support/webp-file.ts';

const PROFILE = 0x20;
const ALPHA = 0x10;
const EXIF = 0x08;
const ANIMATION = 0x02;

const iccp = webpChunk('ICCP', [1, 2, 3]);
const exif = webpChunk('EXIF', exifBlock(6));
const alph = webpChunk('ALPH', [0, 1, 2, 3, 4]);
const broken = expect.objectContaining({ code: 'broken_image' });

describe('a WebP header', () => {
  it('gives the sides of a simple lossy file and where its picture is', () => {
    const { detail, ...rest } = readWebpHeader(webpFile(vp8(640, 480)));
    expect(rest).toEqual({
      ...{ format: 'webp', width: 640, height: 480, orientation: 1 },
      ...{ alpha: false, bitDepth: 8, model: 'rgb', animated: false },
    });
    expect(detail).toEqual({
      ...{ lossless: false, extended: false, firstPartition: 9 },
      image: { id: 'VP8 ', start: 12, dataStart: 20, end: 50 },
    });
  });

  it('does not count the upscaling bits above the sides', () => {
    const { width, height } = readWebpHeader(webpFile(vp8(0x4000 | 640, 0xc000 | 480)));
    expect([width, height]).toEqual([640, 480]);
  });

  it.each([true, false])('gives the sides and the alpha bit of a lossless file: %s', (alpha) => {
    for (const side of [1, 16_384]) {
      const header = readWebpHeader(webpFile(vp8l(side, 7, alpha)));
      expect(header).toMatchObject({ width: side, height: 7, alpha, detail: { lossless: true } });
    }
  });

  it('reads profile, orientation and alpha plane of an extended file', () => {
    const flags = PROFILE | ALPHA | EXIF;
    const header = readWebpHeader(webpFile(vp8x(flags, 31, 17), iccp, alph, vp8(31, 17), exif));
    expect(header).toMatchObject({ width: 31, height: 17, alpha: true, orientation: 6 });
    expect(header.profile).toEqual({ kind: 'icc', bytes: Uint8Array.of(1, 2, 3) });
    expect(header.detail.alphaPlane).toMatchObject({ id: 'ALPH' });
  });

  it('ignores chunks that the flags do not announce', () => {
    const header = readWebpHeader(webpFile(vp8x(0, 31, 17), iccp, vp8(31, 17), exif));
    expect(header).toMatchObject({ orientation: 1 });
    expect(header.profile).toBeUndefined();
  });

  it('takes the bitstream at its word about alpha, not the flag', () => {
    expect(readWebpHeader(webpFile(vp8x(ALPHA, 9, 9), vp8(9, 9))).alpha).toBe(false);
    expect(readWebpHeader(webpFile(vp8x(0, 9, 9), alph, vp8(9, 9))).alpha).toBe(true);
    expect(readWebpHeader(webpFile(vp8x(ALPHA, 9, 9), vp8l(9, 9, false))).alpha).toBe(false);
    // An alpha plane behind the picture, or in a simple file, belongs to nothing.
    expect(readWebpHeader(webpFile(vp8x(0, 9, 9), vp8(9, 9), alph)).alpha).toBe(false);
    expect(readWebpHeader(webpFile(vp8(9, 9), alph)).alpha).toBe(false);
  });

  it('gives the canvas of an animation', () => {
    const frames = [anmf(10, 10, alph, vp8(10, 10)), anmf(100, 90, vp8l(100, 90))];
    const anim = webpChunk('ANIM', [0, 0, 0, 0, 0, 0]);
    const header = readWebpHeader(webpFile(vp8x(ANIMATION | ALPHA, 100, 90), anim, ...frames));
    expect(header).toMatchObject({ width: 100, height: 90, animated: true, alpha: true, detail: { lossless: false } });
  });

  it('steps over unknown chunks and does not look behind the RIFF', () => {
    const file = webpFile(vp8x(0, 5, 6), webpChunk('abcd', [1, 2, 3]), vp8(5, 6));
    const longer = Uint8Array.from([...file, ...webpChunk('VP8 ', [1])]);
    expect(readWebpHeader(longer)).toMatchObject({ width: 5, height: 6 });
  });

  it('accepts a last chunk of odd length without its padding byte', () => {
    const file = webpFile(vp8(5, 6, 21)).slice(0, -1);
    new DataView(file.buffer).setUint32(4, file.length - 8, true);
    expect(readWebpHeader(file).detail.image.end).toBe(file.length);
  });

  it.each([
    ['a canvas that differs from the picture', webpFile(vp8x(0, 5, 7), vp8(5, 6))],
    ['no picture', webpFile(vp8x(0, 5, 6), exif)],
    ['an animation without frames', webpFile(vp8x(ANIMATION, 5, 6), vp8(5, 6))],
    ['a first chunk that is no picture', webpFile(exif, vp8(5, 6))],
    ['no chunk', webpFile()],
    ['width 0', webpFile(vp8(0, 6))],
    ['a first partition longer than the chunk', webpFile(vp8(5, 6, 0))],
    ['a VP8X chunk of four bytes', webpFile(webpChunk('VP8X', [0, 0, 0, 0]), vp8(1, 1))],
    ['an inter frame', webpFile(webpChunk('VP8 ', [0x31, 1, 0, 0x9d, 1, 0x2a, 5, 0, 5, 0, ...new Uint8Array(20)]))],
    ['a VP8L version that does not exist', webpFile(webpChunk('VP8L', [0x2f, 0, 0, 0, 0x20, 0, 0, 0, 0]))],
  ])('is broken with %s', (_, file) => {
    expect(() => readWebpHeader(file)).toThrow(broken);
  });

  it('is broken at every length but the whole', () => {
    const file = webpFile(vp8x(PROFILE | EXIF, 31, 17), iccp, vp8(31, 17), exif);
    for (const cut of truncations(file)) expect(() => readWebpHeader(cut)).toThrow(broken);
    expect(readWebpHeader(file).width).toBe(31);
  });

  it('is a header or a FileError whatever is damaged', () => {
    const files = [
      webpFile(vp8x(PROFILE | ALPHA | EXIF, 31, 17), iccp, alph, vp8(31, 17), exif),
      webpFile(vp8x(ANIMATION, 31, 17), webpChunk('ANIM', new Uint8Array(6)), anmf(31, 17, vp8l(31, 17))),
      webpFile(vp8l(31, 17)),
    ];
    fc.assert(
      fc.property(fc.oneof(...files.map((file) => damaged(file))), (file) => {
        const header = onlyFileErrors(() => readWebpHeader(file));
        if (header === undefined) return;
        expect(header.width * header.height).toBeGreaterThan(0);
        expect(header.detail.image.end).toBeLessThanOrEqual(file.length);
      }),
      { numRuns: 2000 },
    );
  });

  it('is known by its first twelve bytes', () => {
    expect(sniffWebp(webpFile(vp8(5, 6)).subarray(0, 64))).toBe(true);
    const wave = webpFile(vp8(5, 6));
    wave.set(new TextEncoder().encode('WAVE'), 8);
    expect(sniffWebp(wave)).toBe(false);
    expect(sniffWebp(new Uint8Array(3))).toBe(false);
  });
});
