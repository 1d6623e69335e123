import createEncoder from '@jsquash/avif/codec/enc/avif_enc.js';
import { defaultOptions } from '@jsquash/avif/meta.js';
import wasm from '../../../../../build/avif-encode.wasm';
import type { CodecFactory, Workspace } from '../../../workspace.ts';
import { type CodedTile, readCodedTile } from './coded-tile.ts';
import type { SequenceParameters } from './sequence-parameters.ts';

/** libaom's speeds for stills, from better to faster. */
export type Speed = 6 | 8 | 9;

/** What must be the same for all tiles of a picture, so that they agree on everything that is said once for all of them. */
export interface RectangleSettings {
  /** libavif's, 0–100. */
  readonly quality: number;
  readonly speed: Speed;
  /** `none`: brightness alone. */
  readonly chroma: SequenceParameters['chroma'];
  /** Palettes and the like, for flat graphics. */
  readonly screenContent: boolean;
}

interface Encoder {
  encode(pixels: Uint8Array, width: number, height: number, options: typeof defaultOptions): Uint8Array | null;
}

/** jSquash's numbers. */
const SUBSAMPLE = { none: 0, '4:2:0': 1, '4:4:4': 3 } as const;

/**
 * Encodes an opaque rectangle of RGBA, height × width × 4, with an encoder as new: one that has encoded another has its
 * heap in pieces. The file it is part of is counted by the workspace.
 */
export async function encodeRectangle(
  { pixels, width, height }: { readonly pixels: Uint8Array; readonly width: number; readonly height: number },
  settings: RectangleSettings,
  workspace: Workspace,
): Promise<CodedTile> {
  const encoder = await workspace.codec(createEncoder as CodecFactory<Encoder>, wasm);
  const file = encoder.encode(pixels, width, height, {
    ...defaultOptions,
    quality: settings.quality,
    speed: settings.speed,
    subsample: SUBSAMPLE[settings.chroma],
    // The build gives this name to libaom's `tune-content` (scripts/kernels/steer-av1-encoder.ts).
    sharpness: settings.screenContent ? 1 : 0,
  });
  if (file === null) throw new Error('libavif refused a rectangle that its plan accepted');
  workspace.adopt(file);
  return readCodedTile(file);
}
