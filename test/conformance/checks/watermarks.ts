import { beforeAll, describe, expect, test } from 'vitest';
import { type Client, fields, file, watermark } from '../support/client.ts';
import { blue, decode, near, plain, red, scene } from '../support/pictures.ts';

const W = 200;
const H = 120;
/** The mark is 20 × 10, so at the default scale it is 40 × 20 on a 200 × 120 picture. */
const starts: [position: string, left: number, top: number][] = [
  ['TL', 0, 0],
  ['TC', 80, 0],
  ['TR', 160, 0],
  ['ML', 0, 50],
  ['MC', 80, 50],
  ['MR', 160, 50],
  ['BL', 0, 100],
  ['BC', 80, 100],
  ['BR', 160, 100],
];

export function watermarks(client: () => Client): void {
  describe('watermark', () => {
    let key: string;
    let base: Buffer;
    let mark: Buffer;
    const marked = async (options: Record<string, string | number>, stamp = mark, picture = base) =>
      decode((await client().picture(key, picture, { format: 'png', ...options }, [watermark(stamp)])).bytes);

    beforeAll(async () => {
      key = (await client().account('agency', 'api')).key;
      base = await plain(W, H, blue).png().toBuffer();
      mark = await plain(20, 10, red).png().toBuffer();
    });

    test.each(starts)('%s: flush to its place', async (watermarkPosition, left, top) => {
      const picture = await marked({ watermarkPosition, watermarkOpacity: 100 });
      const seen = await extent(picture);
      expect(seen).toEqual({ left, top, width: 40, height: 20 });
    });

    test('the defaults are 20 % of the width, 80 % opacity, bottom right', async () => {
      const picture = await marked({});
      const mixed = red.map((channel, index) => channel * 0.8 + blue[index]! * 0.2);
      expect(near(picture.at(180, 110), mixed, 3)).toBe(true);
      expect(near(picture.at(158, 110), blue, 1)).toBe(true);
      expect(near(picture.at(180, 98), blue, 1)).toBe(true);
    });

    test.each([5, 12.5, 33, 50])(
      'scale %d: that share of the output width, height in proportion',
      async (watermarkScale) => {
        const { width, height } = await extent(
          await marked({ watermarkScale, watermarkOpacity: 100, watermarkPosition: 'TL' }),
        );
        expect(Math.abs(width - (W * watermarkScale) / 100)).toBeLessThanOrEqual(1);
        expect(Math.abs(height - (W * watermarkScale) / 200)).toBeLessThanOrEqual(1);
      },
    );

    test.each([0, 1, 25, 50, 99, 100])('opacity %d', async (watermarkOpacity) => {
      const share = watermarkOpacity / 100;
      const mixed = red.map((channel, index) => channel * share + blue[index]! * (1 - share));
      expect(near((await marked({ watermarkOpacity })).at(180, 110), mixed, 2)).toBe(true);
    });

    test('the mark’s own transparency counts', async () => {
      const half = await plain(20, 10, red, 0.5).png().toBuffer();
      const mixed = (share: number) => red.map((channel, index) => channel * share + blue[index]! * (1 - share));
      expect(near((await marked({ watermarkOpacity: 100 }, half)).at(180, 110), mixed(0.5), 3)).toBe(true);
      expect(near((await marked({ watermarkOpacity: 50 }, half)).at(180, 110), mixed(0.25), 3)).toBe(true);
    });

    test('transparent padding is the customer’s margin', async () => {
      const padded = await plain(40, 20, red, 0)
        .composite([{ input: await plain(20, 10, red).png().toBuffer(), left: 0, top: 0 }])
        .png()
        .toBuffer();
      const picture = await marked({ watermarkOpacity: 100 }, padded);
      expect(near(picture.at(165, 103), red, 3)).toBe(true);
      expect(near(picture.at(195, 117), blue, 3)).toBe(true);
    });

    test('the size follows the output, not the input', async () => {
      const picture = await marked({ maxWidth: 100, watermarkOpacity: 100, watermarkPosition: 'TL' });
      expect(await extent(picture)).toMatchObject({ left: 0, top: 0, width: 20, height: 10 });
    });

    test('a mark that would be taller than the picture is shrunk to its height', async () => {
      const tall = await plain(10, 100, red).png().toBuffer();
      const seen = await extent(
        await marked({ watermarkScale: 50, watermarkOpacity: 100, watermarkPosition: 'TL' }, tall),
      );
      expect(seen).toMatchObject({ top: 0, height: H });
      expect(Math.abs(seen.width - H / 10)).toBeLessThanOrEqual(1);
    });

    test.each(['webp', 'avif', 'jpg'])('is seen in %s', async (format) => {
      const picture = await marked({ format, watermarkOpacity: 100, watermarkScale: 50, quality: 95 });
      expect(near(picture.at(150, 90), red, 16)).toBe(true);
      expect(near(picture.at(50, 30), blue, 16)).toBe(true);
    });

    test('over a transparent picture the result is as opaque as the mark', async () => {
      const clear = await plain(W, H, blue, 0).png().toBuffer();
      const picture = await marked({ watermarkOpacity: 50 }, mark, clear);
      expect(Math.abs(picture.at(180, 110)[3] - 128)).toBeLessThanOrEqual(2);
      expect(near(picture.at(180, 110), red, 3)).toBe(true);
      expect(picture.at(20, 20)[3]).toBe(0);
    });

    test('sits upright on a rotated photo', async () => {
      const rotated = await plain(H, W, blue).withMetadata({ orientation: 6 }).jpeg({ quality: 98 }).toBuffer();
      const picture = await marked({ watermarkOpacity: 100 }, mark, rotated);
      expect([picture.width, picture.height]).toEqual([W, H]);
      expect(near(picture.at(180, 110), red, 12)).toBe(true);
    });

    test('a mark of many colours, a palette or 16 bit is accepted', async () => {
      for (const odd of [
        scene(30, 20).png({ palette: true }),
        scene(30, 20).toColourspace('rgb16').png(),
        scene(30, 20).greyscale().png(),
      ]) {
        const picture = await marked({ watermarkOpacity: 100 }, await odd.toBuffer());
        expect(near(picture.at(180, 110), blue, 3)).toBe(false);
      }
    });

    test('every file of the batch gets it', async () => {
      const parts = [
        ...fields({ format: 'png', watermarkOpacity: 100 }),
        watermark(mark),
        file(base, 'a.png'),
        file(base, 'b.png'),
      ];
      const answer = await client().compress(key, parts);
      expect(answer.data).toHaveLength(2);
      for (const { downloadUrl } of answer.data) {
        expect(near((await decode(await client().download(downloadUrl))).at(180, 110), red, 3)).toBe(true);
      }
    });
  });
}

/** Where the picture is no longer blue. */
async function extent(picture: Awaited<ReturnType<typeof decode>>) {
  let [left, top, right, bottom] = [picture.width, picture.height, -1, -1];
  for (let y = 0; y < picture.height; y++) {
    for (let x = 0; x < picture.width; x++) {
      if (near(picture.at(x, y), blue, 90)) continue;
      [left, top, right, bottom] = [Math.min(left, x), Math.min(top, y), Math.max(right, x), Math.max(bottom, y)];
    }
  }
  return { left, top, width: right - left + 1, height: bottom - top + 1 };
}
