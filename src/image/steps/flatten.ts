import type { Band, Frame } from '../frame.ts';
import type { Step } from './step.ts';

/** Puts a picture with transparency on white, for formats that cannot hold transparency. */
export const flatten: Step = {
  name: 'flatten',
  plan(frame, context) {
    if (context.outputAlpha || !frame.alpha) return undefined;
    return { step: 'flatten', params: {}, frame: { ...frame, alpha: false }, buffers: 0 };
  },
  apply: (bands, input) => flattenBands(bands, input),
};

async function* flattenBands(bands: AsyncIterable<Band>, frame: Frame): AsyncIterable<Band> {
  for await (const band of bands) {
    flattenOnWhite(band.pixels, band.rows * frame.width);
    yield band;
  }
}

/** Composites `count` straight-alpha RGBA pixels on white, in place: round((a·c + (255 − a)·255) / 255) exactly. */
export function flattenOnWhite(pixels: Uint8Array, count: number): void {
  const end = count * 4;
  for (let at = 0; at < end; at += 4) {
    const alpha = pixels[at + 3]!;
    if (alpha === 255) continue;
    const white = (255 - alpha) * 255 + 127;
    pixels[at] = ((alpha * pixels[at]! + white) / 255) | 0;
    pixels[at + 1] = ((alpha * pixels[at + 1]! + white) / 255) | 0;
    pixels[at + 2] = ((alpha * pixels[at + 2]! + white) / 255) | 0;
    pixels[at + 3] = 255;
  }
}
