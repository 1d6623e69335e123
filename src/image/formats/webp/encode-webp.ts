import type { Band, Frame } from '../../frame.ts';
import type { Workspace } from '../../workspace.ts';
import type { EncodeOptions, EncodePlan } from '../format.ts';
import { vp8Quality } from '../quality.ts';
import { lossyWork } from './encode/encode-cpu.ts';
import { encodeLossy, lossyCost } from './encode/encode-frame.ts';

/** Plans an encode as lossy VP8 in bands, alpha losslessly beside it. */
export function planWebpEncode(frame: Frame, { quality, coefficients, room }: EncodeOptions): EncodePlan {
  return {
    cost: lossyCost(frame, room),
    ...lossyWork(frame, vp8Quality(quality), coefficients, room),
    wholeFrame: false,
    ...(room !== undefined && { room }),
  };
}

/** Encodes as lossy VP8, alpha losslessly beside it. */
export function encodeWebp(
  bands: AsyncIterable<Band>,
  frame: Frame,
  { quality, room }: EncodeOptions,
  workspace: Workspace,
): AsyncIterable<Uint8Array> {
  return encodeLossy(bands, frame, vp8Quality(quality), workspace, room);
}
