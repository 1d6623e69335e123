import sharp from 'sharp';
import type { FormatId } from '../../src/image/formats/format-id.ts';

/** One piece of work: a file and what is asked of it. */
export interface BenchCase {
  readonly name: string;
  readonly file: Uint8Array;
  readonly source: FormatId;
  readonly format: FormatId;
  readonly maxWidth?: number;
}

/** From a phone photo to the web, every format in and out, decode, resize and encode as alone as a whole job lets them be. */
export async function cases(): Promise<BenchCase[]> {
  const photo = texture(4032, 3024);
  const medium = texture(1200, 900);
  const phone = { source: 'jpg', file: bytes(await photo.clone().jpeg({ quality: 90 }).toBuffer()) } as const;
  const progressive = {
    source: 'jpg',
    file: bytes(await photo.clone().jpeg({ quality: 90, progressive: true }).toBuffer()),
  } as const;
  const phonePng = { source: 'png', file: bytes(await photo.clone().png().toBuffer()) } as const;
  const phoneWebp = { source: 'webp', file: bytes(await photo.clone().webp({ quality: 85 }).toBuffer()) } as const;
  const lossless = { source: 'webp', file: bytes(await medium.clone().webp({ lossless: true }).toBuffer()) } as const;
  const png = { source: 'png', file: bytes(await medium.clone().png().toBuffer()) } as const;
  const avif = {
    source: 'avif',
    file: bytes(await medium.clone().avif({ quality: 70, effort: 2 }).toBuffer()),
  } as const;
  return [
    { name: '12 MP JPEG → WebP 1920', ...phone, format: 'webp', maxWidth: 1920 },
    { name: '12 MP JPEG → JPEG 1920', ...phone, format: 'jpg', maxWidth: 1920 },
    { name: '12 MP JPEG → AVIF 1920', ...phone, format: 'avif', maxWidth: 1920 },
    { name: '12 MP JPEG → PNG 1920', ...phone, format: 'png', maxWidth: 1920 },
    { name: '12 MP JPEG → PNG 64 (decode)', ...phone, format: 'png', maxWidth: 64 },
    { name: '12 MP progressive → WebP 1920', ...progressive, format: 'webp', maxWidth: 1920 },
    { name: '12 MP JPEG → WebP', ...phone, format: 'webp' },
    { name: '12 MP JPEG → JPEG', ...phone, format: 'jpg' },
    { name: '12 MP JPEG → AVIF', ...phone, format: 'avif' },
    { name: '12 MP PNG → WebP 1920', ...phonePng, format: 'webp', maxWidth: 1920 },
    { name: '12 MP WebP → WebP 1920', ...phoneWebp, format: 'webp', maxWidth: 1920 },
    { name: '1 MP PNG → PNG 700 (resize)', ...png, format: 'png', maxWidth: 700 },
    { name: '1 MP PNG → PNG (recompress)', ...png, format: 'png' },
    { name: '1 MP lossless WebP → PNG 64', ...lossless, format: 'png', maxWidth: 64 },
    { name: '1 MP AVIF → PNG 64 (decode)', ...avif, format: 'png', maxWidth: 64 },
  ];
}

/** A picture that is about as hard to code as a photo, the same on every machine: smooth areas, edges, fine grain. */
function texture(width: number, height: number) {
  const pixels = new Uint8Array(width * height * 3);
  let seed = 1;
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const [u, v] = [x / width, y / height];
      const hill = Math.sin(u * 9 + Math.sin(v * 7) * 2) + Math.sin(v * 11 - u * 5);
      const edge = Math.sin(u * 60 + v * 25) * Math.sin(v * 47) > 0.55 ? 46 : 0;
      const detail = hill > 0.4 ? Math.sin(x * 0.9 + y * 0.35) * Math.sin(y * 0.7) * 14 : 0;
      seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
      const grain = (seed / 2 ** 32 - 0.5) * 6;
      for (const base of [128 + hill * 40, 118 + hill * 30 + v * 30, 140 - hill * 35 + u * 20]) {
        pixels[at++] = Math.max(0, Math.min(255, base + edge + detail + grain));
      }
    }
  }
  return sharp(pixels, { raw: { width, height, channels: 3 } });
}

/** A copy with memory of its own: the engine frees the file's buffer when it is done with it. */
function bytes(buffer: Buffer): Uint8Array {
  return new Uint8Array(buffer);
}
