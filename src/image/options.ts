import type { FormatId } from './formats/format-id.ts';
import type { ImageHeader } from './header.ts';

/** Where a watermark sits: Top/Middle/Bottom × Left/Centre/Right. */
export const watermarkPositions = ['TL', 'TC', 'TR', 'ML', 'MC', 'MR', 'BL', 'BC', 'BR'] as const;
export type WatermarkPosition = (typeof watermarkPositions)[number];

export interface WatermarkOptions {
  /** The PNG's bytes and its header. */
  readonly file: Uint8Array;
  readonly header: ImageHeader;
  /** Width as a percentage of the output's width, 5–50. */
  readonly scale: number;
  /** 0 (transparent) – 100 (opaque). */
  readonly opacity: number;
  readonly position: WatermarkPosition;
}

/** What is asked of one picture. Already validated: the engine trusts it. */
export interface ImageOptions {
  readonly format: FormatId;
  /** 40–100 */
  readonly quality: number;
  /** Pixels; the upright output fits inside both and is never enlarged. */
  readonly maxWidth?: number;
  readonly maxHeight?: number;
  readonly watermark?: WatermarkOptions;
}
