/** A colour lookup table on a regular grid; the first channel varies least rapidly, three values a grid point. */
export interface Grid {
  readonly points: readonly number[];
  /** Value 0 … 1. */
  readonly valueAt: (index: number) => number;
}

/** Multilinear interpolation at `place` (0 … 1 in each channel, at most four); writes three values. For building tables, not for pixels. */
export function interpolateGrid({ points, valueAt }: Grid, place: Float64Array, out: Float64Array): void {
  const channels = points.length;
  const low = new Int32Array(channels);
  const part = new Float64Array(channels);
  for (let i = 0; i < channels; i++) {
    const at = place[i]! * (points[i]! - 1);
    low[i] = Math.min(points[i]! - 2, Math.floor(at));
    part[i] = at - low[i]!;
  }
  out.fill(0, 0, 3);
  for (let corner = 0; corner < 1 << channels; corner++) {
    let weight = 1;
    let index = 0;
    for (let i = 0; i < channels; i++) {
      const up = (corner >> i) & 1;
      weight *= up ? part[i]! : 1 - part[i]!;
      index = index * points[i]! + low[i]! + up;
    }
    if (weight === 0) continue;
    for (let k = 0; k < 3; k++) out[k] = out[k]! + weight * valueAt(index * 3 + k);
  }
}
