import sharp, { type Sharp } from 'sharp';

/** Opaque 8-bit sRGB pixels: RGBA, height × width × 4. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly rgba: Uint8Array;
}

/** Reads a file upright and in sRGB, scaled down to at most `maxPixels`. */
export async function readPicture(file: string, maxPixels: number): Promise<Picture> {
  const upright = sharp(file).autoOrient();
  const { autoOrient } = await sharp(file).metadata();
  const scale = Math.min(1, Math.sqrt(maxPixels / (autoOrient.width * autoOrient.height)));
  return rawPicture(upright.resize(Math.round(autoOrient.width * scale)));
}

/** Decodes an encoded file. */
export function decodePicture(file: Uint8Array): Promise<Picture> {
  return rawPicture(sharp(file));
}

async function rawPicture(image: Sharp): Promise<Picture> {
  const { data, info } = await image
    .toColourspace('srgb')
    .removeAlpha()
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, rgba: data };
}
