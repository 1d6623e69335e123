import type { Orientation } from '../header.ts';
import { resample, resampleBytes, resampleSeconds } from '../resample/resample.ts';
import { swapsSides } from '../turn/turn-layout.ts';
import type { Step } from './step.ts';

export interface ResizeParams {
  readonly width: number;
  readonly height: number;
}

/** Scales the picture down so that it fits the sides that were asked for. */
export const resize: Step<ResizeParams> = {
  name: 'resize',
  plan(frame, { header, options }) {
    // From the header, not from the frame: a decoder that scales rounds the sides up, and the aspect would drift.
    const target = fitWithin(header, options.maxWidth, options.maxHeight, header.orientation);
    const fits = target.width === frame.width && target.height === frame.height;
    if (fits && frame.extent === undefined) return undefined;
    return {
      step: 'resize',
      params: target,
      frame: { ...target, alpha: frame.alpha, model: frame.model },
      buffers: 0,
      cpu: resampleSeconds(frame, target),
      arena: resampleBytes(frame, target),
      delivers: 'bands',
    };
  },
  apply: (bands, input, planned, _context, workspace) => resample(bands, input, planned.params, workspace),
};

/**
 * The largest size, in pixels and as stored, with the picture's aspect ratio whose *upright* form fits inside both maxima; never
 * larger than the picture. Sides are rounded to the nearest pixel, at least 1.
 */
export function fitWithin(
  size: { readonly width: number; readonly height: number },
  maxWidth: number | undefined,
  maxHeight: number | undefined,
  orientation: Orientation,
): ResizeParams {
  const { width, height } = size;
  const [across, down] = swapsSides(orientation) ? [maxHeight, maxWidth] : [maxWidth, maxHeight];
  const byWidth = across === undefined ? 1 : width / across;
  const byHeight = down === undefined ? 1 : height / down;
  if (byWidth <= 1 && byHeight <= 1) return { width, height };
  // The side that binds is what was asked for exactly; only the other one is rounded.
  return byWidth >= byHeight
    ? { width: across!, height: Math.max(1, Math.round(height / byWidth)) }
    : { width: Math.max(1, Math.round(width / byHeight)), height: down! };
}
