import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { demoImage } from '../demo-image.ts';

/** The demo's picture at other times of the day. */
const times = [
  { name: 'sunset.jpg', hue: 0, saturation: 1.1, brightness: 1 },
  { name: 'dawn-over-the-lake.jpg', hue: 40, saturation: 0.9, brightness: 1.12 },
  { name: 'blue-hour.jpg', hue: 205, saturation: 0.8, brightness: 0.85 },
  { name: 'northern-lights.jpg', hue: 120, saturation: 1, brightness: 0.8 },
  { name: 'autumn-evening.jpg', hue: 15, saturation: 1.4, brightness: 0.95 },
] as const;

/** Pictures of our own in a folder of their own, as a camera would write them: 2400×1600, with its noise. */
export async function samplePictures(): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'plume-pictures-'));
  const noise = {
    create: {
      width: 2400,
      height: 1600,
      channels: 3,
      background: '#808080',
      noise: { type: 'gaussian', mean: 128, sigma: 7 },
    },
  } as const;
  const grain = await sharp(noise).png().toBuffer();
  return Promise.all(
    times.map(async ({ name, ...look }) => {
      const file = join(folder, name);
      const large = sharp(demoImage()).resize(2400, 1600, { kernel: 'cubic' }).modulate(look);
      await sharp(await large.png().toBuffer())
        .composite([{ input: grain, blend: 'soft-light' }])
        .jpeg({ quality: 94, chromaSubsampling: '4:4:4' })
        .toFile(file);
      return file;
    }),
  );
}
