/** A point of an encoder's curve on one picture: a setting, how different the result looks, and its bytes. */
export interface Point {
  readonly setting: number;
  readonly difference: number;
  readonly bytes: number;
}

/**
 * The setting at which a curve (settings rising) reaches a difference, and the bytes there, by interpolation between the
 * logarithms; the end of the curve where the difference is never reached.
 */
export function pointAt(curve: readonly Point[], difference: number): Point {
  const after = curve.findIndex((point) => point.difference <= difference);
  if (after === 0) return curve[0]!;
  if (after === -1) return curve.at(-1)!;
  const [low, high] = [curve[after - 1]!, curve[after]!];
  const share = Math.log(low.difference / difference) / Math.log(low.difference / high.difference);
  return {
    setting: low.setting + (high.setting - low.setting) * share,
    difference,
    bytes: low.bytes * (high.bytes / low.bytes) ** share,
  };
}

/** The value below which `share` (0–1) of the values lie. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (sorted.length - 1) * share;
  const low = sorted[Math.floor(at)]!;
  return low + (sorted[Math.ceil(at)]! - low) * (at - Math.floor(at));
}
