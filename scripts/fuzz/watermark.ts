import sharp from 'sharp';

/** A small PNG with transparency. */
export async function makeWatermark(): Promise<Uint8Array> {
  const colour = { r: 10, g: 95, b: 128, alpha: 0.5 };
  const png = sharp({ create: { width: 24, height: 10, channels: 4, background: colour } }).png();
  return new Uint8Array(await png.toBuffer());
}
