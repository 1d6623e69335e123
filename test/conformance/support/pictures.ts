import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';

export type Rgb = readonly [number, number, number];

export const red: Rgb = [220, 30, 40];
export const green: Rgb = [20, 170, 60];
export const blue: Rgb = [30, 60, 210];
export const yellow: Rgb = [240, 210, 40];

/** A picture of one colour. */
export function plain(width: number, height: number, [r, g, b]: Rgb, alpha?: number) {
  const background = alpha === undefined ? { r, g, b } : { r, g, b, alpha };
  return sharp({ create: { width, height, channels: alpha === undefined ? 3 : 4, background } });
}

/** Smooth, colourful content that every codec has some work with; opaque RGB pixels. */
export function scenePixels(width: number, height: number): Buffer {
  const pixels = Buffer.alloc(width * height * 3);
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      pixels[at++] = 128 + 100 * Math.sin(x / 17 + y / 41);
      pixels[at++] = 128 + 100 * Math.sin(y / 13 - x / 59 + 1);
      pixels[at++] = 128 + 100 * Math.sin((x + y) / 29 + 2) + ((x * 7 + y * 13) % 9);
    }
  }
  return pixels;
}

export function scene(width: number, height: number) {
  return sharp(scenePixels(width, height), { raw: { width, height, channels: 3 } });
}

/** Four quarters: red, green / blue, yellow (reading order), so that every orientation can be told from the others. */
export async function quarters(width: number, height: number) {
  const [w, h] = [width / 2, height / 2];
  const at = async (colour: Rgb, left: number, top: number) => ({
    input: await plain(w, h, colour).png().toBuffer(),
    left,
    top,
  });
  const parts = [await at(green, w, 0), await at(blue, 0, h), await at(yellow, w, h)];
  return sharp(await plain(width, height, red).composite(parts).png().toBuffer());
}

export interface Decoded {
  readonly width: number;
  readonly height: number;
  /** Red, green, blue, alpha (255 where the picture has none). */
  at(x: number, y: number): [number, number, number, number];
}

/** Decodes a result with a library that the service does not use. */
export async function decode(bytes: Uint8Array): Promise<Decoded> {
  const { data, info } = await sharp(bytes)
    .toColourspace('srgb')
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const at = (x: number, y: number) => {
    const start = (Math.round(y) * info.width + Math.round(x)) * 4;
    return [...data.subarray(start, start + 4)] as [number, number, number, number];
  };
  return { width: info.width, height: info.height, at };
}

/** Whether two colours differ by at most `tolerance` in each of the first three channels. */
export function near(actual: readonly number[], expected: readonly number[], tolerance = 14): boolean {
  return [0, 1, 2].every((channel) => Math.abs(actual[channel]! - expected[channel]!) <= tolerance);
}

/** One PNG chunk (W3C PNG, clause 5.3). */
export function pngChunk(type: string, data: Uint8Array): Buffer {
  const typed = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const out = Buffer.alloc(typed.length + 8);
  out.writeUInt32BE(data.length, 0);
  out.set(typed, 4);
  out.writeUInt32BE(crc32(typed), typed.length + 4);
  return out;
}

/** A grey PNG of any declared size whose rows are all zero; cheap even when its sides are huge. */
export function declaredPng(width: number, height: number, rows = 0): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 0, 0, 0, 0], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const data = deflateSync(Buffer.alloc(rows * (width + 1)));
  return Buffer.concat([
    signature,
    pngChunk('IHDR', header),
    pngChunk('IDAT', data),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

/** The PNG with a private ancillary chunk before its end, so that it is `bytes` long and still the same picture. */
export function paddedPng(png: Uint8Array, bytes: number): Buffer {
  const end = png.length - 12;
  const padding = Buffer.alloc(bytes - png.length - 12, 0x5a);
  return Buffer.concat([png.subarray(0, end), pngChunk('plUm', padding), png.subarray(end)]);
}

/** The JPEG with comment segments after its start, so that it is at least `bytes` long and still the same picture. */
export function paddedJpeg(jpeg: Uint8Array, bytes: number): Buffer {
  const segment = Buffer.concat([Buffer.from([0xff, 0xfe, 0xff, 0xff]), Buffer.alloc(65_533, 0x5a)]);
  const count = Math.floor((bytes - jpeg.length) / segment.length);
  return Buffer.concat([jpeg.subarray(0, 2), ...Array<Buffer>(count).fill(segment), jpeg.subarray(2)]);
}
