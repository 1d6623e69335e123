/** Nits of reference white, which becomes the white of a picture of the usual range before highlights are rolled off (ITU-R BT.2408). */
const REFERENCE_WHITE = 203;

/** Nits that become full white: highlights above it are clipped. The nominal peak of HLG, and of most PQ pictures. */
const PEAK = 1000;

/** Exponent of the HLG system at a nominal peak of 1000 nits (ITU-R BT.2100, table 5). */
export const HLG_GAMMA = 1.2;

/** PQ value 0 … 1 → light relative to reference white, up to 49 (ITU-R BT.2100, table 4: the reference EOTF). */
export function pqLight(value: number): number {
  const power = Math.max(0, value) ** (32 / 2523);
  const nits = 10_000 * (Math.max(0, power - 3424 / 4096) / (2413 / 128 - (2392 / 128) * power)) ** (16_384 / 2610);
  return nits / REFERENCE_WHITE;
}

/** HLG value 0 … 1 → scene light 0 … 1 (ITU-R BT.2100, table 5: the inverse of the reference OETF). */
export function hlgScene(value: number): number {
  const a = 0.17883277;
  const b = 1 - 4 * a;
  const c = 0.5 - a * Math.log(4 * a);
  return value <= 0.5 ? value ** 2 / 3 : (Math.exp((value - c) / a) + b) / 12;
}

/** Light that stays as it is; half of white leaves the upper quarter of the sRGB values for highlights. */
const KNEE = 0.5;

/**
 * Brings light 0 … PEAK ∕ REFERENCE_WHITE to 0 … 1: untouched up to the knee, above it Reinhard's extended curve
 * u(1 + u∕p²) ∕ (1 + u), which leaves the knee with slope 1 and reaches white at the peak.
 */
export function rollOff(light: number): number {
  if (light <= KNEE) return light;
  const over = (light - KNEE) / (1 - KNEE);
  const peak = (PEAK / REFERENCE_WHITE - KNEE) / (1 - KNEE);
  if (over >= peak) return 1;
  return KNEE + ((1 - KNEE) * over * (1 + over / peak ** 2)) / (1 + over);
}
