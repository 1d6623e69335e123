// @ts-expect-error the library has no types
import instantiate, * as lcms from 'lcms-wasm';
import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import { readIccColour } from '../../../src/image/colour/read-icc-colour.ts';
import { encodeSrgb } from '../../../src/image/colour/srgb.ts';
import { toLight } from '../../../src/image/colour/to-light.ts';
import * as icc from '../../support/icc-profile.ts';

/**
 * LittleCMS as the judge: the same profiles, the same values. It compensates the black point when it converts perceptually to its own sRGB
 * profile, which is of version 4, and not when relative colorimetric: matrix and grey profiles have no black to compensate.
 */
// biome-ignore lint/suspicious/noExplicitAny: the library has no types
let judge: any;
beforeAll(async () => {
  judge = await instantiate();
});

type Model = 'rgb' | 'cmyk' | 'grey';
const channelsOf = { rgb: 3, cmyk: 4, grey: 1 } as const;

/** A few hundred device values: the corners and a fixed sequence that fills the cube evenly. */
function samples(channels: number): Uint8Array {
  const values: number[] = [];
  for (let corner = 0; corner < 1 << channels; corner++) {
    for (let i = 0; i < channels; i++) values.push((corner >> i) & 1 ? 255 : 0);
  }
  for (let i = 1; i <= 500; i++) {
    for (let k = 0; k < channels; k++) values.push(Math.floor(((i * Math.sqrt([2, 3, 5, 7][k]!)) % 1) * 256));
  }
  return Uint8Array.from(values);
}

const intents = { perceptual: 0, relative: 1 } as const;
type Intent = keyof typeof intents;

function judged(profile: Uint8Array, model: Model, intent: Intent, values: Uint8Array): Uint8Array {
  const input = judge.cmsOpenProfileFromMem(profile, profile.length);
  const format = judge.cmsFormatterForColorspaceOfProfile(input, 1, 0);
  const output = judge.cmsCreate_sRGBProfile();
  // Library CMYK is 255 = full ink as ours. 0x0040: no optimisation, 0x0100: no cache.
  const transform = judge.cmsCreateTransform(input, format, output, lcms.TYPE_RGB_8, intents[intent], 0x0140);
  expect(transform, 'LittleCMS accepts the profile').not.toBe(0);
  return judge.cmsDoTransform(transform, values, values.length / channelsOf[model]);
}

function ours(profile: Uint8Array, model: Model, values: Uint8Array): Uint8Array {
  const source = readIccColour(profile, model);
  if (source === undefined) throw new Error('not read');
  const evaluate = toLight(source);
  const channels = channelsOf[model];
  const out: number[] = [];
  const light = new Float64Array(3);
  for (let at = 0; at < values.length; at += channels) {
    evaluate(
      Float64Array.from(values.subarray(at, at + channels), (value) => value / 255),
      light,
    );
    out.push(...[...light].map((each) => Math.round(encodeSrgb(each) * 255)));
  }
  return Uint8Array.from(out);
}

function worstDifference(profile: Uint8Array, model: Model, intent: Intent = 'perceptual'): number {
  const values = samples(channelsOf[model]);
  const want = judged(profile, model, intent, values);
  return ours(profile, model, values).reduce((worst, value, i) => Math.max(worst, Math.abs(value - want[i]!)), 0);
}

const colorants = {
  rXYZ: icc.xyz(0.5151, 0.2412, -0.0011),
  gXYZ: icc.xyz(0.292, 0.6922, 0.0419),
  bXYZ: icc.xyz(0.1571, 0.0666, 0.7841),
};
const ramp = (count: number, gamma: number) => Array.from({ length: count }, (_, i) => (i / (count - 1)) ** gamma);

/**
 * A made-up device: values of the connection space at every grid point. They are linear in the inks, because there all ways of
 * interpolating agree (LittleCMS interpolates tetrahedrally, we do multilinearly).
 */
function grid(points: readonly number[], lab: boolean): number[] {
  const values: number[] = [];
  const total = points.reduce((product, count) => product * count, 1);
  for (let index = 0; index < total; index++) {
    let rest = index;
    const device = points.toReversed().map((count) => {
      const at = rest % count;
      rest = Math.floor(rest / count);
      return at / (count - 1);
    });
    // Inks darken, lights brighten.
    const [k = 0, c, m, y] = points.length === 4 ? device : [0, ...device.map((each) => 1 - each)];
    const light = [c!, m!, y!].map((each) => 1 - each * (points.length === 4 ? 0.58 : 0.98) - k * 0.4);
    if (lab) values.push(light[1]! * 0.95, 0.5 + (light[0]! - light[1]!) * 0.2, 0.5 + (light[1]! - light[2]!) * 0.2);
    else values.push(...light.map((each, i) => each * [0.48, 0.5, 0.41][i]!));
  }
  return values;
}

describe('matrix and grey profiles agree with LittleCMS', () => {
  test.each([
    ['identity', icc.curve()],
    ['gamma 1.8', icc.curve(1.8)],
    ['table', icc.curve(...ramp(37, 2.1))],
    ['parametric 0', icc.parametric(0, 2.2)],
    ['parametric 1', icc.parametric(1, 2.4, 1.1, -0.1)],
    ['parametric 2', icc.parametric(2, 2.4, 0.9, 0.02, 0.01)],
    ['parametric 3', icc.parametric(3, 2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045)],
    ['parametric 4', icc.parametric(4, 2.2, 0.95, 0.03, 0.1, 0.05, 0.01, 0.002)],
  ])('%s', (_name, tone) => {
    const rgb = icc.iccProfile({
      space: 'RGB ',
      connection: 'XYZ ',
      tags: { ...colorants, wtpt: icc.xyz(0.9642, 1, 0.8249), rTRC: tone, gTRC: tone, bTRC: tone },
    });
    expect(worstDifference(rgb, 'rgb', 'relative')).toBeLessThanOrEqual(1);
    const grey = icc.iccProfile({ space: 'GRAY', connection: 'XYZ ', tags: { kTRC: tone } });
    expect(worstDifference(grey, 'grey', 'relative')).toBeLessThanOrEqual(1);
  });

  test('a grey profile whose connection space is Lab', () => {
    const grey = icc.iccProfile({ space: 'GRAY', connection: 'Lab ', tags: { kTRC: icc.curve(1.2) } });
    expect(worstDifference(grey, 'grey', 'relative')).toBeLessThanOrEqual(1);
  });
});

describe('table profiles agree with LittleCMS', () => {
  const spaces = [
    ['RGB ', 'rgb', 3],
    ['CMYK', 'cmyk', 4],
  ] as const;
  const connections = ['Lab ', 'XYZ '] as const;
  for (const [space, model, channels] of spaces) {
    for (const connection of connections) {
      const side = 6;
      const even = grid(Array<number>(channels).fill(side), connection === 'Lab ');

      test(`${model}, ${connection}: lut16Type`, () => {
        const inputs = Array.from({ length: channels }, (_, i) => ramp(33, 1 + i * 0.1));
        const element = icc.lut16({ side, inputs, grid: even, outputs: Array(3).fill(ramp(19, 1.05)) });
        const profile = icc.iccProfile({ space, connection, version: 2, tags: { A2B0: element } });
        expect(worstDifference(profile, model)).toBeLessThanOrEqual(1);
      });

      test(`${model}, ${connection}: lutAToBType`, () => {
        const points = [5, 7, 6, 4].slice(0, channels);
        const element = icc.lutAToB({
          a: Array.from({ length: channels }, (_, i) => (i & 1 ? icc.parametric(0, 1.1) : icc.curve(...ramp(5, 1.2)))),
          points,
          grid: grid(points, connection === 'Lab '),
          m: Array(3).fill(icc.parametric(0, 1.02)),
          matrix: [0.98, 0.01, 0, 0.005, 0.97, 0.01, 0, 0.02, 0.96, 0.01, 0.002, 0.003],
          b: Array(3).fill(icc.curve()),
        });
        const profile = icc.iccProfile({ space, connection, tags: { A2B0: element } });
        expect(worstDifference(profile, model)).toBeLessThanOrEqual(1);
      });
    }

    test(`${model}: lut8Type`, () => {
      const element = icc.lut8({
        side: 5,
        inputs: Array(channels).fill(ramp(256, 1.1)),
        grid: grid(Array<number>(channels).fill(5), true),
        outputs: Array(3).fill(ramp(256, 1)),
      });
      const profile = icc.iccProfile({ space, connection: 'Lab ', version: 2, tags: { A2B0: element } });
      expect(worstDifference(profile, model)).toBeLessThanOrEqual(2);
    });
  }

  test('lutAToBType without a grid: curves and a matrix alone', () => {
    const matrix = [0.4361, 0.3851, 0.1431, 0.2225, 0.7169, 0.0606, 0.0139, 0.0971, 0.7141].map((each) => each / 2);
    const element = icc.lutAToB({
      m: Array(3).fill(icc.parametric(0, 2.2)),
      matrix: [...matrix, 0, 0, 0],
      b: Array(3).fill(icc.curve()),
    });
    const profile = icc.iccProfile({ space: 'RGB ', connection: 'XYZ ', tags: { A2B0: element } });
    expect(worstDifference(profile, 'rgb')).toBeLessThanOrEqual(1);
  });
});

test('a real print profile (the one that comes with libvips) agrees with LittleCMS', async () => {
  const blank = sharp({ create: { width: 8, height: 8, channels: 3, background: 'white' } });
  const { icc: profile } = await sharp(await blank.withIccProfile('cmyk').jpeg().toBuffer()).metadata();
  // Tetrahedral (theirs) and multilinear (ours) interpolation differ between the 9⁴ points of its grid.
  expect(worstDifference(new Uint8Array(profile!), 'cmyk')).toBeLessThanOrEqual(6);
});
