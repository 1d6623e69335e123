/** Where each 8-bit value lies on a grid's axis. */
export interface GridAxis {
  /** The grid point below, at most points − 2. */
  readonly low: Uint8Array;
  /** How far towards the next one, 0 … 1. */
  readonly part: Float32Array;
}

export function gridAxis(points: number): GridAxis {
  const low = new Uint8Array(256);
  const part = new Float32Array(256);
  for (let value = 0; value < 256; value++) {
    const place = (value * (points - 1)) / 255;
    low[value] = Math.min(points - 2, Math.floor(place));
    part[value] = place - low[value]!;
  }
  return { low, part };
}
