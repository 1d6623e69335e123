/** A picture's size, and the depth of the RGBA rows that it comes in: 16 bits have the upper byte first. */
export interface PixelSize {
  readonly width: number;
  readonly height: number;
  readonly bitsPerSample: 8 | 16;
}

/** Bytes of a row of RGBA. */
export function rgbaRowBytes({ width, bitsPerSample }: PixelSize): number {
  return (width * 4 * bitsPerSample) / 8;
}
