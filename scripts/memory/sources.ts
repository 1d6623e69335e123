import sharp, { type Sharp } from 'sharp';
import { scenePixels } from '../../test/conformance/support/pictures.ts';

export const sourceKinds = ['jpeg', 'progressive', 'png', 'webp'] as const;
/** AVIF is decoded by a library, whole: a small one only. */
export type SourceKind = (typeof sourceKinds)[number] | 'avif';

/** Megapixels of the standard pictures; 100 is the most that is accepted. */
export const sourceMegapixels = [1, 12, 24, 48, 100] as const;

/** Pixels a side of the scenes that pictures are enlarged from; PNGs from the small one, or they would be too large as files. */
const SCENE = { width: 1632, height: 1224 };
const SMALL_SCENE = { width: 600, height: 450 };
/** Bytes of an accepted file. */
const LARGEST = 20 * 1024 * 1024;
const CHANNELS = 3;
/** CIPA DC-008, Orientation: to be turned by 90° clockwise. */
const TURNED = 6;

/**
 * A picture of about so many megapixels with a phone's aspect of 4:3, in a file of less than 20 MB. PNG and WebP are made of squares
 * of one colour where they would be larger.
 */
export async function source(kind: SourceKind, megapixels: number, rotated: boolean): Promise<Uint8Array> {
  const width = Math.round(Math.sqrt((megapixels * 1e6 * 4) / 3 / 16)) * 4;
  const height = Math.floor((megapixels * 1e6) / width);
  const kernel = kind === 'png' ? 'nearest' : 'cubic';
  const scene = kind === 'png' ? SMALL_SCENE : SCENE;
  const raw = { ...scene, channels: CHANNELS } as const;
  const picture = sharp(scenePixels(scene.width, scene.height), { raw }).resize(width, height, { kernel, fit: 'fill' });
  const turned = rotated ? picture.withMetadata({ orientation: TURNED }) : picture;
  const file = await coded(turned, kind, megapixels).toBuffer();
  if (file.length > LARGEST) throw new RangeError(`${megapixels} MP ${kind} takes ${file.length} bytes`);
  return new Uint8Array(file);
}

function coded(picture: Sharp, kind: SourceKind, megapixels: number): Sharp {
  switch (kind) {
    case 'jpeg':
      return picture.jpeg({ quality: megapixels > 48 ? 80 : 90 });
    case 'progressive':
      return picture.jpeg({ quality: megapixels > 48 ? 80 : 90, progressive: true });
    case 'png':
      return picture.png({ compressionLevel: 6 });
    case 'webp':
      return picture.webp({ quality: 80, effort: 1 });
    case 'avif':
      return picture.avif({ quality: 60, effort: 0 });
  }
}

/** A watermark: a translucent disc, 800 pixels a side. */
export function mark(): Promise<Buffer> {
  const disc = '<svg width="800" height="800"><circle cx="400" cy="400" r="380" fill="#fff" fill-opacity="0.6"/></svg>';
  return sharp(Buffer.from(disc)).png().toBuffer();
}
