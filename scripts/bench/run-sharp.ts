import sharp from 'sharp';
import { avifQuality, webpQuality } from '../../src/image/formats/quality.ts';
import type { BenchCase } from './cases.ts';
import { QUALITY } from './quality.ts';

sharp.concurrency(1);
sharp.cache(false);

/**
 * About the same work with sharp: the same encoders at settings of the same number. Its AVIF quality is another scale (the
 * files differ in size), and it resizes in its own way. @returns the result's file
 */
export async function runSharp({ file, format, maxWidth }: BenchCase): Promise<Uint8Array> {
  const image = sharp(file).autoOrient();
  const sized = maxWidth === undefined ? image : image.resize({ width: maxWidth, withoutEnlargement: true });
  switch (format) {
    case 'webp':
      return sized.webp({ quality: Math.round(webpQuality(QUALITY)), effort: 4 }).toBuffer();
    case 'avif':
      // libheif takes speed 9 − effort.
      return sized.avif({ quality: avifQuality(QUALITY), effort: 1, chromaSubsampling: '4:2:0' }).toBuffer();
    case 'jpg':
      return sized.jpeg({ quality: QUALITY, mozjpeg: true }).toBuffer();
    case 'png':
      return sized.png({ compressionLevel: 9, adaptiveFiltering: true }).toBuffer();
  }
}
