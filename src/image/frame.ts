/**
 * The shape of a picture on its way through the pipeline. Bands carry four bytes a pixel:
 * `rgb` is RGBA with straight alpha (255 where the picture has none), `cmyk` is C, M, Y, K with 255 = full ink.
 */
export interface Frame {
  readonly width: number;
  readonly height: number;
  /** Whether any pixel may be other than opaque. */
  readonly alpha: boolean;
  readonly model: 'rgb' | 'cmyk';
  /**
   * What the picture really covers, in pixels of this frame, where a decoder that scales had to round its sides up: half of
   * 2725 pixels are 1362.5. A resampler that took the rounded sides for the picture would shift it.
   */
  readonly extent?: { readonly width: number; readonly height: number };
}

/**
 * A run of consecutive rows. `pixels` is rows × width × 4 bytes and belongs to whoever made the band: it is valid only
 * until the next band is asked for, so a consumer that keeps pixels copies them. Bands come from top to bottom without gaps.
 */
export interface Band {
  readonly top: number;
  readonly rows: number;
  readonly pixels: Uint8Array;
}

/** Bytes of one whole frame in memory. */
export function frameBytes(frame: { readonly width: number; readonly height: number }): number {
  return frame.width * frame.height * 4;
}

/** Millions of pixels. */
export function megapixels({ width, height }: { readonly width: number; readonly height: number }): number {
  return (width * height) / 1e6;
}

/** Rows of a band of the customary size: about 256 KiB, so that per-band overhead vanishes and a band stays in cache. */
export function bandRows(width: number): number {
  return Math.max(1, Math.min(256, Math.floor(65_536 / width)));
}
