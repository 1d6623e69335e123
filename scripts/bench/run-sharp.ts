import sharp from 'sharp';
import { avifQuality, webpQuality } from '../../src/image/formats/quality.ts';
import type { BenchCase } from './cases.ts';
import { QUALITY } from './quality.ts';

sharp.concurrency(1);
sharp.cache(false);

/**
 * About the same work with sharp: the same encoders at settings of the same number. Its AVIF quality is another scale (the
 * files differ in size), and it resizes in its own way. @returns bytes of the result
 */
export async function runSharp({ file, format, maxWidth }: BenchCase): Promise<number> {
  const image = sharp(file).autoOrient();
  const sized = maxWidth === undefined ? image : image.resize({ width: maxWidth, withoutEnlargement: true });
  switch (format) {
    case 'webp':
      return (await sized.webp({ quality: Math.round(webpQuality(QUALITY)), effort: 4 }).toBuffer()).length;
    case 'avif':
      // libheif takes speed 9 − effort.
      return (await sized.avif({ quality: avifQuality(QUALITY), effort: 1, chromaSubsampling: '4:2:0' }).toBuffer())
        .length;
    case 'jpg':
      return (await sized.jpeg({ quality: QUALITY, mozjpeg: true }).toBuffer()).length;
    case 'png':
      return (await sized.png({ compressionLevel: 9, adaptiveFiltering: true }).toBuffer()).length;
  }
}
