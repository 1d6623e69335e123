/** The interface's quality scale is JPEG's; the tables say which setting of another encoder looks about as good. */
type Calibration = readonly (readonly [quality: number, setting: number])[];

const webp: Calibration = [
  [40, 40],
  [100, 100],
];

const avif: Calibration = [
  [40, 30],
  [100, 95],
];

/** libwebp's quality (0–100) for a quality of the interface (40–100). */
export function webpQuality(quality: number): number {
  return interpolate(webp, quality);
}

/** libavif's quality (0–100) for a quality of the interface (40–100). */
export function avifQuality(quality: number): number {
  return Math.round(interpolate(avif, quality));
}

function interpolate(table: Calibration, quality: number): number {
  const upper = table.findIndex(([q]) => q >= quality);
  const [q1, s1] = table[upper === -1 ? table.length - 1 : upper]!;
  const [q0, s0] = table[Math.max(0, (upper === -1 ? table.length : upper) - 1)]!;
  return q1 === q0 ? s1 : s0 + ((s1 - s0) * (quality - q0)) / (q1 - q0);
}
