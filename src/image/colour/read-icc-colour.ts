import { compensateBlack, darkestLuminance, PERCEPTUAL_BLACK } from './black-point.ts';
import { fromConnection, lightOf } from './icc-connection.ts';
import { readIccCurve } from './icc-curve.ts';
import { readIccLut } from './icc-lut.ts';
import { fixedAt, type IccProfile, readIccProfile, signatureAt } from './icc-profile.ts';
import { type Matrix, multiply } from './matrix.ts';
import type { Evaluate, SourceColour } from './source-colour.ts';
import { d50ToSrgb } from './srgb.ts';

/** The colour spaces that a stored model can be described by. */
const SPACES = { grey: 'GRAY', rgb: 'RGB ', palette: 'RGB ', cmyk: 'CMYK' } as const;

/**
 * Reads what an embedded profile says of a picture's values. Undefined when the profile is broken, of a kind that says nothing
 * of pictures, or for another colour model than the picture's: viewers ignore such profiles, and so do we.
 */
export function readIccColour(bytes: Uint8Array, model: keyof typeof SPACES): SourceColour | undefined {
  try {
    const profile = readIccProfile(bytes);
    return profile?.space === SPACES[model] ? readSource(profile, model) : undefined;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function readSource(profile: IccProfile, model: keyof typeof SPACES): SourceColour | undefined {
  if (model === 'grey') return readGrey(profile);
  return readLut(profile, model === 'cmyk' ? 4 : 3) ?? (model === 'cmyk' ? undefined : readMatrix(profile));
}

/** The perceptual table first: it is what pictures are made for (and what other converters take by default). */
function readLut(profile: IccProfile, channels: 3 | 4): SourceColour | undefined {
  const tag = profile.tag('A2B0') ?? profile.tag('A2B1') ?? profile.tag('A2B2');
  if (tag === undefined) return undefined;
  const toConnection = readIccLut(tag, channels);
  const toLight = fromConnection(profile.connection, signatureAt(tag, 0));
  const evaluate: Evaluate = (device, light) => {
    toConnection(device, light);
    toLight(light);
  };
  const black = profile.version >= 4 ? PERCEPTUAL_BLACK : darkestLuminance(channels, evaluate);
  return { kind: 'sampled', channels, evaluate: compensateBlack(evaluate, black) };
}

/** Three-component matrix-based profiles (ICC.1:2022, annex F.3); the connection space is XYZ. */
function readMatrix(profile: IccProfile): SourceColour | undefined {
  if (profile.connection !== 'XYZ') return undefined;
  const columns = ['rXYZ', 'gXYZ', 'bXYZ'].map((name) => profile.tag(name));
  const tones = ['rTRC', 'gTRC', 'bTRC'].map((name) => profile.tag(name));
  if (columns.includes(undefined) || tones.includes(undefined)) return undefined;
  const [red, green, blue] = tones.map((tag) => readIccCurve(tag!).curve);
  const row = (offset: number) => columns.map((tag) => fixedAt(tag!, offset));
  const toD50 = [...row(8), ...row(12), ...row(16)] as unknown as Matrix;
  return { kind: 'matrix', curves: [red!, green!, blue!], matrix: multiply(d50ToSrgb, toD50) };
}

/** Monochrome profiles (annex F.2): the curve gives Y, or L* where the connection space is Lab. */
function readGrey(profile: IccProfile): SourceColour | undefined {
  const tag = profile.tag('kTRC');
  if (tag === undefined) return undefined;
  const { curve } = readIccCurve(tag);
  return { kind: 'grey', curve: profile.connection === 'Lab' ? (value) => lightOf(curve(value)) : curve };
}
