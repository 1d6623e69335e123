import sharp, { type Sharp } from 'sharp';
import { scenePixels } from '../../test/conformance/support/pictures.ts';
import type { Content, CpuJob } from './jobs.ts';

const SCENE = { width: 1632, height: 1224 };
/** CIPA DC-008, Orientation: to be rotated by 90° clockwise. */
const ROTATED = 6;

/** The file of a job's source; `undefined` where it would be larger than files may be. */
export async function sourceImage({ make, width, height, source, rotated }: CpuJob): Promise<Uint8Array | undefined> {
  const [kind = '', manner = ''] = source.split(' ');
  const alpha = manner === 'alpha';
  const image = await content(make, width, height, alpha);
  const file = await coded(rotated ? image.withMetadata({ orientation: ROTATED }) : image, kind, manner).toBuffer();
  return file.length > 20 * 1024 * 1024 ? undefined : new Uint8Array(file);
}

function coded(image: Sharp, kind: string, manner: string): Sharp {
  const quality = Number(manner) || 80;
  switch (kind) {
    case 'jpeg':
      return image.jpeg({ quality });
    case 'progressive':
      return image.jpeg({ quality, progressive: true });
    case 'png':
      if (manner === '16') return image.toColourspace('rgb16').png({ compressionLevel: 4 });
      return image.png({ compressionLevel: 4, progressive: manner === 'interlaced' });
    case 'webp':
      return image.webp({ quality, effort: 1 });
    case 'lossless':
      return image.webp({ lossless: true, effort: 0 });
    default:
      return image.avif({ quality, effort: 1 });
  }
}

async function content(make: Content, width: number, height: number, alpha: boolean): Promise<Sharp> {
  if (make === 'photo') {
    const scene = sharp(scenePixels(SCENE.width, SCENE.height), { raw: { ...SCENE, channels: 3 } });
    return sharp(await scene.resize(width, height, { kernel: 'cubic', fit: 'fill' }).raw().toBuffer(), {
      raw: { width, height, channels: 3 },
    });
  }
  const channels = alpha ? 4 : 3;
  return sharp(synthetic(make, width, height, channels), { raw: { width, height, channels } });
}

/** Noise of all values; of the corners of the colour cube; fine grain on soft shapes; shapes with edges and detail. */
function synthetic(make: Content, width: number, height: number, channels: number): Uint8Array {
  const pixels = new Uint8ClampedArray(width * height * channels);
  let state = 12_345;
  for (let at = 0; at < pixels.length; at++) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    const pixel = Math.floor(at / channels);
    const [x, y] = [pixel % width, Math.floor(pixel / width)];
    if (make === 'noise') pixels[at] = state & 255;
    else if (make === 'corners') pixels[at] = state & 512 ? 255 : 0;
    else {
      const soft = 128 + 60 * Math.sin(x * 0.01) * Math.cos(y * 0.013);
      const detail = make === 'texture' ? 16 * Math.sin(x * 0.9 + y * 0.35) * Math.sin(y * 0.7) : 0;
      const grain = ((state & 255) / 128 - 1) * (make === 'grain' ? 60 : 6);
      pixels[at] = soft + detail + grain;
    }
  }
  return new Uint8Array(pixels.buffer);
}
