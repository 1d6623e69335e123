import { arenaBandBytes, arenaBands } from '../arena-bands.ts';
import { type Band, type Frame, megapixels } from '../frame.ts';
import { pixelKernel } from '../pixel-kernel.ts';
import type { Workspace } from '../workspace.ts';
import type { Step } from './step.ts';

/** CPU seconds a megapixel, as measured. */
const SECONDS = 0.003;

/** Puts a picture with transparency on white, for formats that cannot hold transparency. */
export const flatten: Step = {
  name: 'flatten',
  plan(frame, context) {
    if (context.outputAlpha || !frame.alpha) return undefined;
    const flat = { ...frame, alpha: false };
    const cpu = megapixels(frame) * SECONDS;
    return { step: 'flatten', params: {}, frame: flat, buffers: 0, cpu, arena: arenaBandBytes(frame) };
  },
  apply: (bands, input, _planned, _context, workspace) => flattenBands(bands, input, workspace),
};

/**
 * The same before an image is rotated, where nothing is drawn on it later: it makes no difference to a pixel, and an opaque image takes
 * less memory while it is rotated.
 */
export const flattenEarly: Step = {
  ...flatten,
  plan(frame, context) {
    const rotates = context.header.orientation > 2;
    return rotates && context.options.watermark === undefined ? flatten.plan(frame, context) : undefined;
  },
};

async function* flattenBands(bands: AsyncIterable<Band>, frame: Frame, workspace: Workspace): AsyncIterable<Band> {
  const kernel = pixelKernel(workspace);
  for await (const band of arenaBands(bands, frame, workspace)) {
    kernel.flatten(band.pixels.byteOffset, band.rows * frame.width);
    yield band;
  }
}
