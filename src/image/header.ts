import type { FormatId } from './formats/format-id.ts';

/** Where a colour profile comes from and what it is. */
export type ColourProfile =
  /** An embedded ICC profile, whole and decompressed (ICC.1:2022). */
  | { readonly kind: 'icc'; readonly bytes: Uint8Array }
  /** Code points of ITU-T H.273 (AVIF nclx, PNG cICP). */
  | { readonly kind: 'cicp'; readonly primaries: number; readonly transfer: number };

/** EXIF orientation (CIPA DC-008, tag 0x0112): how the stored rows must be turned to be upright. */
export type Orientation = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;

/** What a file says of itself, read without decoding a pixel. */
export interface ImageHeader {
  readonly format: FormatId;
  /** Pixels, as stored: before orientation, after a clean-aperture crop. */
  readonly width: number;
  readonly height: number;
  readonly orientation: Orientation;
  /** Whether the file declares transparency (an alpha channel, tRNS). */
  readonly alpha: boolean;
  /** Bits a sample as stored: 1, 2, 4, 8, 10, 12 or 16. */
  readonly bitDepth: number;
  /** The model of the stored samples; `cmyk` includes YCCK. */
  readonly model: 'grey' | 'rgb' | 'palette' | 'cmyk';
  readonly animated: boolean;
  /** Absent: sRGB. */
  readonly profile?: ColourProfile;
  /** What the format's own decoder wants to remember (scan type, chunk offsets, …). Opaque to everyone else. */
  readonly detail: unknown;
}
