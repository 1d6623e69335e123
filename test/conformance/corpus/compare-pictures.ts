import sharp from 'sharp';

/** Sides of the reduced pictures that are compared, in pixels. */
export const reducedSide = 48;
const MAX_PIXELS = 100_000_000;

/** A picture as libvips shows it. */
export interface Shown {
  readonly format: string | undefined;
  /** Upright. */
  readonly width: number;
  readonly height: number;
  readonly hasMetadata: boolean;
  readonly opaque: boolean;
  /** Reduced to reducedSide × reducedSide: RGB on white. */
  readonly onWhite: Uint8Array;
  readonly onBlack: Uint8Array;
}

/** Decodes all of a picture. @throws Error when it is not whole */
export async function show(bytes: Uint8Array): Promise<Shown> {
  const { format, autoOrient, exif, icc, xmp, iptc } = await sharp(bytes, { limitInputPixels: MAX_PIXELS }).metadata();
  // Decoded at full size first: libvips would let the JPEG decoder shrink the picture, and that is another picture.
  const { data, info } = await sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'warning' })
    .autoOrient()
    .toColourspace('srgb')
    .ensureAlpha()
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  const reduced = await sharp(data, { raw: { width: info.width, height: info.height, channels: 4 } })
    .resize(reducedSide, reducedSide, { fit: 'fill' })
    .raw()
    .toBuffer();
  return {
    format,
    ...autoOrient,
    hasMetadata: [exif, icc, xmp, iptc].some((block) => block !== undefined),
    opaque: reduced.every((sample, index) => index % 4 !== 3 || sample === 255),
    onWhite: flatten(reduced, 255),
    onBlack: flatten(reduced, 0),
  };
}

/** RGBA with straight alpha on a grey background. */
function flatten(pixels: Uint8Array, background: number): Uint8Array {
  const flat = new Uint8Array((pixels.length / 4) * 3);
  for (let from = 0, to = 0; from < pixels.length; from += 4) {
    const alpha = pixels[from + 3]! / 255;
    for (let c = 0; c < 3; c++) flat[to++] = Math.round(pixels[from + c]! * alpha + background * (1 - alpha));
  }
  return flat;
}

/** Mean absolute difference of two pictures' samples, 0 to 255. */
export function meanDifference(a: Uint8Array, b: Uint8Array): number {
  return a.reduce((sum, sample, index) => sum + Math.abs(sample - b[index]!), 0) / a.length;
}
