/** Points of a curve, by rising `x`; at least one. */
export type Curve = readonly (readonly [x: number, y: number])[];

/** Piecewise linear; outside of the curve its nearest end. */
export function interpolate(curve: Curve, x: number): number {
  const above = curve.findIndex(([at]) => at >= x);
  if (above === -1) return curve.at(-1)![1];
  if (above === 0) return curve[0]![1];
  const [x0, y0] = curve[above - 1]!;
  const [x1, y1] = curve[above]!;
  return y0 + ((y1 - y0) * (x - x0)) / (x1 - x0);
}
