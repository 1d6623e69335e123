import { HLG_GAMMA, hlgScene, pqLight, rollOff } from './hdr.ts';
import { apply, type Chromaticities, multiply, primariesToD50 } from './matrix.ts';
import type { Curve, SourceColour } from './source-colour.ts';
import { d50ToSrgb, decodeSrgb, srgbPrimaries } from './srgb.ts';

const D65 = srgbPrimaries.white;
const C: readonly [number, number] = [0.31, 0.316];
const smpte170: Chromaticities = { red: [0.63, 0.34], green: [0.31, 0.595], blue: [0.155, 0.07], white: D65 };

/** ColourPrimaries of ITU-T H.273, table 2. Not listed: reserved and unspecified, taken as BT.709. */
const primariesOf: Readonly<Record<number, Chromaticities>> = {
  1: srgbPrimaries,
  4: { red: [0.67, 0.33], green: [0.21, 0.71], blue: [0.14, 0.08], white: C },
  5: { red: [0.64, 0.33], green: [0.29, 0.6], blue: [0.15, 0.06], white: D65 },
  6: smpte170,
  7: smpte170,
  8: { red: [0.681, 0.319], green: [0.243, 0.692], blue: [0.145, 0.049], white: C },
  9: { red: [0.708, 0.292], green: [0.17, 0.797], blue: [0.131, 0.046], white: D65 },
  10: { red: [1, 0], green: [0, 1], blue: [0, 0], white: [1 / 3, 1 / 3] },
  11: { red: [0.68, 0.32], green: [0.265, 0.69], blue: [0.15, 0.06], white: [0.314, 0.351] },
  12: { red: [0.68, 0.32], green: [0.265, 0.69], blue: [0.15, 0.06], white: D65 },
  22: { red: [0.63, 0.34], green: [0.295, 0.605], blue: [0.155, 0.077], white: D65 },
};

/**
 * TransferCharacteristics of ITU-T H.273, table 3, for the usual range. The BT.709 family (1, 6, 14, 15) and whatever is not listed
 * is shown as sRGB: so a tagged BT.709 picture looks the same whether its primaries are BT.709 (which counts as sRGB) or wider.
 */
const transferOf: Readonly<Record<number, Curve>> = {
  4: (value) => value ** 2.2,
  5: (value) => value ** 2.8,
  8: (value) => value,
  17: (value) => Math.min(1, (value ** 2.6 * 52.37) / 48),
};

/** Reads what H.273 code points say of a picture's RGB values. PQ and HLG pictures are brought into the usual range. */
export function readCicpColour(primaries: number, transfer: number): SourceColour {
  const chromaticities = primariesOf[primaries] ?? srgbPrimaries;
  if (transfer === 16 || transfer === 18) return highRange(chromaticities, transfer);
  const curve = transferOf[transfer] ?? decodeSrgb;
  return { kind: 'matrix', curves: [curve, curve, curve], matrix: toSrgb(chromaticities) };
}

function toSrgb(chromaticities: Chromaticities) {
  return multiply(d50ToSrgb, primariesToD50(chromaticities));
}

function highRange(chromaticities: Chromaticities, transfer: 16 | 18): SourceColour {
  const matrix = toSrgb(chromaticities);
  const light = transfer === 16 ? (value: number) => pqLight(value) : (value: number) => hlgScene(value);
  return {
    kind: 'sampled',
    channels: 3,
    evaluate(device, out) {
      const [r, g, b] = [light(device[0]!), light(device[1]!), light(device[2]!)];
      const gain = transfer === 18 ? hlgSystemGain(r, g, b) : 1;
      const [red, green, blue] = apply(matrix, r * gain, g * gain, b * gain);
      const brightest = Math.max(red, green, blue);
      const scale = brightest > 0 ? rollOff(brightest) / brightest : 1;
      out[0] = red * scale;
      out[1] = green * scale;
      out[2] = blue * scale;
    },
  };
}

/** The HLG system gain from scene light to display light relative to reference white (BT.2100, table 5). */
function hlgSystemGain(r: number, g: number, b: number): number {
  const luminance = 0.2627 * r + 0.678 * g + 0.0593 * b;
  return luminance > 0 ? (1000 / 203) * luminance ** (HLG_GAMMA - 1) : 0;
}
