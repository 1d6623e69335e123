import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Client, fields, file } from '../support/client.ts';
import {
  blue,
  declaredPng,
  decode,
  green,
  near,
  plain,
  pngChunk,
  quarters,
  red,
  scene,
  scenePixels,
  yellow,
} from '../support/pictures.ts';

const outputs = ['webp', 'avif', 'jpg', 'png'] as const;
/** The service's format name → what the decoder calls it. */
const decodedAs = { webp: 'webp', avif: 'heif', jpg: 'jpeg', png: 'png' } as const;
const W = 96;
const H = 64;

/** Every accepted kind of input, 96×64 with the four-quarters content unless it cannot hold colour. */
const inputs: Record<string, () => Promise<Buffer>> = {
  'JPEG, baseline 4:2:0': async () => (await quarters(W, H)).jpeg({ quality: 95 }).toBuffer(),
  'JPEG, baseline 4:4:4': async () =>
    (await quarters(W, H)).jpeg({ quality: 95, chromaSubsampling: '4:4:4' }).toBuffer(),
  'JPEG, progressive': async () => (await quarters(W, H)).jpeg({ quality: 95, progressive: true }).toBuffer(),
  'JPEG, grey': async () => (await quarters(W, H)).greyscale().jpeg({ quality: 95 }).toBuffer(),
  'JPEG, CMYK with its profile': async () =>
    (await quarters(W, H)).toColourspace('cmyk').withIccProfile('cmyk').jpeg({ quality: 95 }).toBuffer(),
  'PNG, RGB': async () => (await quarters(W, H)).png().toBuffer(),
  'PNG, RGBA': async () => (await quarters(W, H)).ensureAlpha().png().toBuffer(),
  'PNG, 16 bit': async () => (await quarters(W, H)).toColourspace('rgb16').png().toBuffer(),
  'PNG, palette': async () => (await quarters(W, H)).png({ palette: true, colours: 8 }).toBuffer(),
  'PNG, grey': async () => (await quarters(W, H)).greyscale().png().toBuffer(),
  'PNG, grey with alpha': async () => (await quarters(W, H)).greyscale().ensureAlpha(1).png().toBuffer(),
  'PNG, one bit': async () =>
    (await quarters(W, H)).greyscale().threshold(90).png({ palette: true, colours: 2 }).toBuffer(),
  'PNG, interlaced': async () => (await quarters(W, H)).png({ progressive: true }).toBuffer(),
  'WebP, lossy': async () => (await quarters(W, H)).webp({ quality: 95 }).toBuffer(),
  'WebP, lossless': async () => (await quarters(W, H)).webp({ lossless: true }).toBuffer(),
  'WebP, lossy with alpha': async () => (await quarters(W, H)).ensureAlpha(0.999).webp({ quality: 95 }).toBuffer(),
  'AVIF, 8 bit': async () => (await quarters(W, H)).avif({ quality: 90 }).toBuffer(),
  'AVIF, 4:4:4': async () => (await quarters(W, H)).avif({ quality: 90, chromaSubsampling: '4:4:4' }).toBuffer(),
};

export function formats(client: () => Client): void {
  let key: string;
  beforeAll(async () => {
    key = (await client().account('agency', 'api')).key;
  });

  describe('every input in every output format', () => {
    const pairs = Object.keys(inputs).flatMap((input) =>
      outputs.map((format): [string, (typeof outputs)[number]] => [input, format]),
    );

    test.each(pairs)('%s → %s', async (input, format) => {
      const sent = await inputs[input]!();
      const { bytes } = await client().picture(key, sent, { format });
      expect(await sharp(bytes).metadata()).toMatchObject({ format: decodedAs[format], width: W, height: H });
      const [expected, actual] = [await decode(sent), await decode(bytes)];
      for (const [x, y] of [
        [W / 4, H / 4],
        [(3 * W) / 4, H / 4],
        [W / 4, (3 * H) / 4],
        [(3 * W) / 4, (3 * H) / 4],
      ] as const) {
        expect({
          at: [x, y],
          colour: actual.at(x, y),
          near: near(actual.at(x, y), expected.at(x, y), 24),
        }).toMatchObject({ near: true });
      }
    });
  });

  test.each(outputs)('CMYK without a profile → %s: the hues are right', async (format) => {
    const sent = await (await quarters(W, H)).toColourspace('cmyk').jpeg({ quality: 95 }).toBuffer();
    const picture = await decode((await client().picture(key, sent, { format })).bytes);
    const [r, g, b, y] = [picture.at(24, 16), picture.at(72, 16), picture.at(24, 48), picture.at(72, 48)];
    expect({ r, ok: r[0] > r[1] + 60 && r[0] > r[2] + 60 }).toMatchObject({ ok: true });
    expect({ g, ok: g[1] > g[0] + 40 && g[1] > g[2] + 40 }).toMatchObject({ ok: true });
    expect({ b, ok: b[2] > b[0] + 60 && b[2] > b[1] + 40 }).toMatchObject({ ok: true });
    expect({ y, ok: y[0] > 180 && y[1] > 150 && y[2] < 120 }).toMatchObject({ ok: true });
  });

  describe('content decides, not names', () => {
    test('a JPEG named .png with the type of a GIF is a JPEG', async () => {
      const jpeg = await (await quarters(W, H)).jpeg().toBuffer();
      const answer = await client().compress(key, [...fields({ format: 'png' }), file(jpeg, 'fake.png', 'image/gif')]);
      expect(answer.data).toHaveLength(1);
    });

    test.each([
      ['text', async () => Buffer.from('hello, this is a text file\n'.repeat(9))],
      ['zeros', async () => Buffer.alloc(4096)],
      ['GIF', async () => (await quarters(W, H)).gif().toBuffer()],
      ['TIFF', async () => (await quarters(W, H)).tiff().toBuffer()],
      ['SVG', async () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')],
    ])('%s named .jpg is unsupported_image', async (_, make) => {
      const answer = await client().compress(key, [file(await make(), 'picture.jpg', 'image/jpeg')]);
      expect(answer.status).toBe(200);
      expect(answer.failures).toMatchObject([
        { error: 'unsupported_image', message: expect.stringMatching(/JPEG|jpg/i) },
      ]);
    });

    test.each(['jpeg', 'png', 'webp', 'avif'] as const)(
      'a %s cut in its header fails alone, with a code and a message',
      async (format) => {
        const whole = await scene(W, H).toFormat(format).toBuffer();
        const answer = await client().compress(key, [file(whole.subarray(0, 20), 'cut'), file(whole, 'whole')]);
        expect(answer.status).toBe(200);
        expect(answer.data.map((item) => item.originalName)).toEqual(['whole']);
        expect(answer.failures).toMatchObject([
          { name: 'cut', error: expect.stringMatching(/^(broken|unsupported)_image$/) },
        ]);
      },
    );

    test.each(['png', 'webp', 'avif'] as const)('a %s cut in half is broken_image', async (format) => {
      const whole = await scene(300, 200).toFormat(format).toBuffer();
      const answer = await client().compress(key, [file(whole.subarray(0, whole.length / 2), 'half')]);
      expect(answer.failures).toMatchObject([{ name: 'half', error: 'broken_image' }]);
    });

    test('broken files do not hurt the batches after them', async () => {
      const whole = await scene(300, 200).webp().toBuffer();
      const bad = Buffer.from(whole);
      bad.fill(0xff, 60, 900);
      await client().compress(
        key,
        Array.from({ length: 6 }, (_, n) => file(bad, `${n}.webp`)),
      );
      for (const format of outputs)
        expect((await client().compress(key, [...fields({ format }), file(whole)])).data).toHaveLength(1);
    });
  });

  describe('animation', () => {
    const twoFrames = async () => Promise.all([red, blue].map((colour) => plain(32, 32, colour).png().toBuffer()));

    test('an animated WebP fails as animated_image', async () => {
      const animated = await sharp(await twoFrames(), { join: { animated: true } })
        .webp({ loop: 0, delay: [100, 100] })
        .toBuffer();
      const answer = await client().compress(key, [file(animated, 'moving.webp')]);
      expect(answer.failures).toMatchObject([{ error: 'animated_image', message: expect.stringMatching(/\w/) }]);
    });

    test('an animated PNG fails as animated_image', async () => {
      const still = await plain(32, 32, red).png().toBuffer();
      const frames = Buffer.alloc(8);
      frames.writeUInt32BE(2, 0);
      const animated = Buffer.concat([still.subarray(0, 33), pngChunk('acTL', frames), still.subarray(33)]);
      expect((await client().compress(key, [file(animated)])).failures).toMatchObject([{ error: 'animated_image' }]);
    });
  });

  describe('size limits of a picture', () => {
    test('over 100 megapixels is image_too_large, decided from the header', async () => {
      const answer = await client().compress(key, [file(declaredPng(10_001, 10_000), 'huge.png')]);
      expect(answer.failures).toMatchObject([{ error: 'image_too_large', message: expect.stringContaining('100') }]);
    });

    test('over 65,535 pixels a side is image_too_large', async () => {
      const answer = await client().compress(key, [file(declaredPng(65_536, 1), 'wide.png')]);
      expect(answer.failures).toMatchObject([
        { error: 'image_too_large', message: expect.stringMatching(/65[,. ]?535/) },
      ]);
    });

    test('a WebP output over 16,383 a side is image_too_large and the message says what to do; another format works', async () => {
      const wide = declaredPng(17_000, 4, 4);
      const answer = await client().compress(key, [file(wide, 'wide.png')]);
      expect(answer.failures).toMatchObject([
        { error: 'image_too_large', message: expect.stringMatching(/16[,. ]?383/) },
      ]);
      expect((await client().compress(key, [...fields({ format: 'jpg' }), file(wide)])).data).toHaveLength(1);
      expect((await client().compress(key, [...fields({ maxWidth: 16_000 }), file(wide)])).data).toHaveLength(1);
    });
  });

  describe('alpha', () => {
    const half = () => plain(40, 40, red, 0.5);

    test.each(['png', 'webp', 'avif'] as const)('transparency of a PNG stays in %s', async (format) => {
      const { bytes } = await client().picture(key, await half().png().toBuffer(), { format });
      expect((await sharp(bytes).metadata()).hasAlpha).toBe(true);
      const [r, , , alpha] = (await decode(bytes)).at(20, 20);
      expect(alpha).toBeGreaterThan(120);
      expect(alpha).toBeLessThan(136);
      expect(Math.abs(r - red[0])).toBeLessThan(16);
    });

    test.each(['png', 'webp', 'avif'] as const)('transparency of a %s becomes white in jpg', async (format) => {
      const sent = await half()
        .toFormat(format, format === 'png' ? {} : { quality: 95 })
        .toBuffer();
      const { bytes } = await client().picture(key, sent, { format: 'jpg' });
      const white = red.map((channel) => Math.round((channel + 255) / 2));
      expect({
        colour: (await decode(bytes)).at(20, 20),
        near: near((await decode(bytes)).at(20, 20), white),
      }).toMatchObject({ near: true });
      const clear = await plain(40, 40, blue, 0).png().toBuffer();
      const cleared = await client().picture(key, clear, { format: 'jpg' });
      expect(near((await decode(cleared.bytes)).at(20, 20), [255, 255, 255], 4)).toBe(true);
    });

    test('a palette with transparency keeps it', async () => {
      const sent = await plain(40, 40, red, 0)
        .composite([{ input: await plain(20, 40, blue).png().toBuffer(), left: 0, top: 0 }])
        .png({ palette: true })
        .toBuffer();
      const picture = await decode((await client().picture(key, sent, { format: 'webp' })).bytes);
      expect([picture.at(10, 20)[3], picture.at(30, 20)[3]]).toEqual([255, 0]);
    });

    test('resizing does not let hidden colours bleed into edges', async () => {
      const hidden = await plain(80, 80, green, 0)
        .composite([{ input: await plain(40, 80, red).png().toBuffer(), left: 0, top: 0 }])
        .png()
        .toBuffer();
      const picture = await decode((await client().picture(key, hidden, { format: 'png', maxWidth: 27 })).bytes);
      for (let x = 0; x < 27; x++) {
        const [r, g, , alpha] = picture.at(x, 13);
        if (alpha > 24) expect({ x, r, g, alpha, red: r > 180 && g < 90 }).toMatchObject({ red: true });
      }
    });
  });

  describe('lossless PNG', () => {
    test.each(['rgb', 'rgba', 'grey', 'palette', '16 bit'])('PNG to PNG is pixel-identical: %s', async (kind) => {
      const base = scene(120, 80);
      const made = {
        rgb: () => base.png(),
        rgba: () => base.ensureAlpha(0.4).png(),
        grey: () => base.greyscale().png(),
        palette: () => base.png({ palette: true, colours: 200 }),
        '16 bit': () =>
          sharp(sixteenBit(120, 80), { raw: { width: 120, height: 80, channels: 3, depth: 'ushort' } as never })
            .toColourspace('rgb16')
            .png(),
      }[kind]!;
      const sent = await made().toBuffer();
      const { bytes } = await client().picture(key, sent, { format: 'png' });
      const raw = (data: Uint8Array) => {
        const read = kind === '16 bit' ? sharp(data).toColourspace('rgb16') : sharp(data).toColourspace('srgb');
        return read
          .ensureAlpha()
          .raw({ depth: kind === '16 bit' ? 'ushort' : 'uchar' })
          .toBuffer();
      };
      expect((await raw(bytes)).equals(await raw(sent))).toBe(true);
      if (kind === '16 bit') expect((await sharp(bytes).metadata()).depth).toBe('ushort');
      expect(bytes.length).toBeLessThanOrEqual(sent.length);
    });

    test('PNG ignores quality', async () => {
      const sent = await scene(100, 80).jpeg({ quality: 95 }).toBuffer();
      const low = await client().picture(key, sent, { format: 'png', quality: 40 });
      const high = await client().picture(key, sent, { format: 'png', quality: 100 });
      expect(Buffer.from(low.bytes).equals(Buffer.from(high.bytes))).toBe(true);
    });

    test('a picture in another format becomes the PNG of exactly its pixels', async () => {
      const sent = await scene(90, 70).webp({ lossless: true }).toBuffer();
      const { bytes } = await client().picture(key, sent, { format: 'png' });
      const got = await sharp(bytes).removeAlpha().toColourspace('srgb').raw().toBuffer();
      expect(got.equals(scenePixels(90, 70))).toBe(true);
    });
  });

  describe('quality', () => {
    test.each(['webp', 'avif', 'jpg'])('more quality is more bytes and less error: %s', async (format) => {
      const sent = await scene(256, 192).png().toBuffer();
      const sizes: number[] = [];
      const errors: number[] = [];
      for (const quality of [40, 70, 100]) {
        const { bytes } = await client().picture(key, sent, { format, quality });
        sizes.push(bytes.length);
        errors.push(await meanError(bytes, sent));
      }
      expect(sizes).toEqual([...sizes].sort((a, b) => a - b));
      expect(errors).toEqual([...errors].sort((a, b) => b - a));
    });

    test.each(['webp', 'avif', 'jpg', 'png'])(
      'never larger: %s in, %s out, at most the bytes sent, without metadata',
      async (format) => {
        const made = scene(256, 192).withExif({ IFD0: { Copyright: 'somebody' } });
        const sent = await (format === 'jpg'
          ? made.jpeg({ quality: 30 })
          : format === 'png'
            ? made.png()
            : format === 'webp'
              ? made.webp({ quality: 20 })
              : made.avif({ quality: 20 })
        ).toBuffer();
        const { bytes } = await client().picture(key, sent, { format, quality: 100 });
        expect(bytes.length).toBeLessThanOrEqual(sent.length);
        expect((await sharp(bytes).metadata()).exif).toBeUndefined();
        expect(await meanError(bytes, sent)).toBeLessThan(0.01);
      },
    );
  });

  describe('resizing', () => {
    const sizes: [sent: [number, number], options: Record<string, number>, got: [number, number]][] = [
      [[200, 100], { maxWidth: 100 }, [100, 50]],
      [[200, 100], { maxHeight: 25 }, [50, 25]],
      [[200, 100], { maxWidth: 100, maxHeight: 100 }, [100, 50]],
      [[200, 100], { maxWidth: 150, maxHeight: 20 }, [40, 20]],
      [[200, 100], { maxWidth: 201 }, [200, 100]],
      [[200, 100], { maxWidth: 200, maxHeight: 100 }, [200, 100]],
      [[200, 100], { maxWidth: 16_384, maxHeight: 16_384 }, [200, 100]],
      [[200, 100], { maxWidth: 1 }, [1, 1]],
      [[1000, 1], { maxWidth: 10 }, [10, 1]],
      [[1, 1000], { maxHeight: 7 }, [1, 7]],
      [[333, 77], { maxWidth: 100 }, [100, 23]],
    ];
    test.each(sizes)('%j with %j gives %j', async (sent, options, [width, height]) => {
      const { bytes } = await client().picture(
        key,
        await scene(...sent)
          .png()
          .toBuffer(),
        { format: 'png', ...options },
      );
      expect(await sharp(bytes).metadata()).toMatchObject({ width, height });
    });

    test.each(outputs)('a resized picture looks like what a reference makes of it: %s', async (format) => {
      const sent = await scene(400, 300).png().toBuffer();
      const { bytes } = await client().picture(key, sent, { format, maxWidth: 160, quality: 100 });
      const reference = await sharp(sent).resize(160, 120, { kernel: 'lanczos3' }).png().toBuffer();
      expect(await meanError(bytes, reference)).toBeLessThan(6);
    });
  });

  describe('EXIF orientation', () => {
    /** Tag value → colours of the upright picture's corners, in reading order, when red green / blue yellow is stored. */
    const upright: [tag: number, corners: (typeof red)[]][] = [
      [1, [red, green, blue, yellow]],
      [2, [green, red, yellow, blue]],
      [3, [yellow, blue, green, red]],
      [4, [blue, yellow, red, green]],
      [5, [red, blue, green, yellow]],
      [6, [blue, red, yellow, green]],
      [7, [yellow, green, blue, red]],
      [8, [green, yellow, red, blue]],
    ];
    test.each(upright)('orientation %i is applied and the tag dropped', async (tag, corners) => {
      for (const format of ['webp', 'jpg'] as const) {
        const sent = await (await quarters(96, 64)).withMetadata({ orientation: tag }).jpeg({ quality: 95 }).toBuffer();
        const { bytes } = await client().picture(key, sent, { format });
        const [width, height] = tag < 5 ? [96, 64] : [64, 96];
        const metadata = await sharp(bytes).metadata();
        expect(metadata).toMatchObject({ width, height });
        expect(metadata.orientation ?? 1).toBe(1);
        const picture = await decode(bytes);
        const points = [
          [0.25, 0.25],
          [0.75, 0.25],
          [0.25, 0.75],
          [0.75, 0.75],
        ] as const;
        const seen = points.map(([x, y]) => picture.at(x * width, y * height));
        expect(seen.map((colour, index) => near(colour, corners[index]!, 24))).toEqual([true, true, true, true]);
      }
    });

    test('maxWidth means the upright width', async () => {
      const sent = await (await quarters(96, 64)).withMetadata({ orientation: 6 }).jpeg().toBuffer();
      const { bytes } = await client().picture(key, sent, { format: 'png', maxWidth: 32 });
      expect(await sharp(bytes).metadata()).toMatchObject({ width: 32, height: 48 });
    });

    test('orientation in a PNG (eXIf) and a WebP is applied as well', async () => {
      for (const format of ['png', 'webp'] as const) {
        const sent = await (await quarters(96, 64)).withMetadata({ orientation: 6 }).toFormat(format).toBuffer();
        const { bytes } = await client().picture(key, sent, { format: 'png' });
        expect(await sharp(bytes).metadata()).toMatchObject({ width: 64, height: 96 });
      }
    });
  });

  describe('metadata and colour', () => {
    test.each(outputs)('GPS, EXIF, XMP and profile are gone from %s', async (format) => {
      for (const made of ['jpeg', 'png', 'webp'] as const) {
        const sent = await scene(64, 48)
          .withExif({
            IFD0: { Artist: 'SECRET-ARTIST' },
            IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 3230/100' },
          })
          .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/">SECRET-XMP</x:xmpmeta>')
          .withIccProfile('srgb')
          .toFormat(made)
          .toBuffer();
        const { bytes } = await client().picture(key, sent, { format });
        const { exif, xmp, icc, iptc } = await sharp(bytes).metadata();
        expect({ exif, xmp, icc, iptc }).toEqual({});
        expect(Buffer.from(bytes).includes('SECRET')).toBe(false);
      }
    });

    test.each(outputs)('an embedded Display P3 profile is applied: %s', async (format) => {
      const sent = await plain(48, 48, [200, 60, 60]).withIccProfile('p3').png().toBuffer();
      const { bytes } = await client().picture(key, sent, { format, quality: 95 });
      const expected = await sharp(sent).toColourspace('srgb').removeAlpha().raw().toBuffer();
      const colour = (await decode(bytes)).at(24, 24);
      expect({ colour, near: near(colour, [expected[0]!, expected[1]!, expected[2]!], 8) }).toMatchObject({
        near: true,
      });
    });
  });
}

function sixteenBit(width: number, height: number): Uint16Array {
  return Uint16Array.from({ length: width * height * 3 }, (_, n) => (n * 7919) % 65_536);
}

/** Mean absolute difference of the colour channels, 0–255. */
async function meanError(a: Uint8Array, b: Uint8Array): Promise<number> {
  const raw = (data: Uint8Array) => sharp(data).removeAlpha().toColourspace('srgb').raw().toBuffer();
  const [one, other] = [await raw(a), await raw(b)];
  let sum = 0;
  for (let at = 0; at < one.length; at++) sum += Math.abs(one[at]! - other[at]!);
  return one.length === other.length ? sum / one.length : Number.POSITIVE_INFINITY;
}
