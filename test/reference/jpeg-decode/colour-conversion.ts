import type { JpegDetail } from '../../../src/image/formats/jpeg/header.ts';

/** A row of samples: where it starts in which plane. */
export interface SampleRow {
  samples: Uint8ClampedArray;
  at: number;
}

/** Writes `width` pixels of four bytes from the rows of all components. */
export type ColourConversion = (
  rows: readonly SampleRow[],
  width: number,
  pixels: Uint8ClampedArray,
  offset: number,
) => void;

/**
 * The conversion from the components of a file to RGBA, or to C, M, Y, K with 255 = full ink. Four-component files store
 * 255 − ink: Adobe's do by definition, and libvips and browsers read those without an Adobe marker in the same way.
 */
export function colourConversion(colour: JpegDetail['colour']): ColourConversion {
  switch (colour) {
    case 'grey':
      return greyToRgba;
    case 'rgb':
      return rgbToRgba;
    case 'ycbcr':
      return (rows, width, pixels, offset) => {
        convertYcbcr(rows, width, pixels, offset);
        for (let at = offset + 3, end = at + width * 4; at < end; at += 4) pixels[at] = 255;
      };
    case 'ycck':
      return (rows, width, pixels, offset) => {
        convertYcbcr(rows, width, pixels, offset);
        invertKey(rows[3]!, width, pixels, offset);
      };
    case 'cmyk':
      return invertCmyk;
  }
}

const HALF = 1 << 15;
const fixed = (value: number) => Math.floor(value * 65536 + 0.5);

/** T.871 §7 in 16-bit fixed point, rounded as libjpeg does: by Cr or Cb, what is added to Y. */
const crToRed = Int32Array.from({ length: 256 }, (_, cr) => (fixed(1.402) * (cr - 128) + HALF) >> 16);
const cbToBlue = Int32Array.from({ length: 256 }, (_, cb) => (fixed(1.772) * (cb - 128) + HALF) >> 16);
const crToGreen = Int32Array.from({ length: 256 }, (_, cr) => -fixed(0.71414) * (cr - 128));
const cbToGreen = Int32Array.from({ length: 256 }, (_, cb) => -fixed(0.34414) * (cb - 128) + HALF);

/** Y, Cb, Cr → R, G, B; the fourth byte is left alone. */
function convertYcbcr(rows: readonly SampleRow[], width: number, pixels: Uint8ClampedArray, offset: number): void {
  const { samples: luma, at: lumaAt } = rows[0]!;
  const { samples: blue, at: blueAt } = rows[1]!;
  const { samples: red, at: redAt } = rows[2]!;
  for (let x = 0, at = offset; x < width; x++, at += 4) {
    const y = luma[lumaAt + x]!;
    const cb = blue[blueAt + x]!;
    const cr = red[redAt + x]!;
    pixels[at] = y + crToRed[cr]!;
    pixels[at + 1] = y + ((cbToGreen[cb]! + crToGreen[cr]!) >> 16);
    pixels[at + 2] = y + cbToBlue[cb]!;
  }
}

/**
 * YCCK is CMYK whose first three inks went through the transform to YCbCr as their complements, R = 255 − C (Adobe
 * Technical Note 5116); stored inverted, R is the ink itself, and only K is left to turn around.
 */
function invertKey(key: SampleRow, width: number, pixels: Uint8ClampedArray, offset: number): void {
  for (let x = 0, at = offset + 3; x < width; x++, at += 4) pixels[at] = 255 - key.samples[key.at + x]!;
}

function invertCmyk(rows: readonly SampleRow[], width: number, pixels: Uint8ClampedArray, offset: number): void {
  const [cyan, magenta, yellow, key] = rows as [SampleRow, SampleRow, SampleRow, SampleRow];
  for (let x = 0, at = offset; x < width; x++, at += 4) {
    pixels[at] = 255 - cyan.samples[cyan.at + x]!;
    pixels[at + 1] = 255 - magenta.samples[magenta.at + x]!;
    pixels[at + 2] = 255 - yellow.samples[yellow.at + x]!;
    pixels[at + 3] = 255 - key.samples[key.at + x]!;
  }
}

function rgbToRgba(rows: readonly SampleRow[], width: number, pixels: Uint8ClampedArray, offset: number): void {
  const [red, green, blue] = rows as [SampleRow, SampleRow, SampleRow];
  for (let x = 0, at = offset; x < width; x++, at += 4) {
    pixels[at] = red.samples[red.at + x]!;
    pixels[at + 1] = green.samples[green.at + x]!;
    pixels[at + 2] = blue.samples[blue.at + x]!;
    pixels[at + 3] = 255;
  }
}

function greyToRgba([grey]: readonly SampleRow[], width: number, pixels: Uint8ClampedArray, offset: number): void {
  const { samples, at: from } = grey!;
  for (let x = 0, at = offset; x < width; x++, at += 4) {
    const level = samples[from + x]!;
    pixels[at] = level;
    pixels[at + 1] = level;
    pixels[at + 2] = level;
    pixels[at + 3] = 255;
  }
}
