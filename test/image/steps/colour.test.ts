import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { pixelTransform, pixelTransformBytes } from '../../../src/image/colour/pixel-transform.ts';
import { readIccColour } from '../../../src/image/colour/read-icc-colour.ts';
import type { SourceColour } from '../../../src/image/colour/source-colour.ts';
import { encodeSrgb } from '../../../src/image/colour/srgb.ts';
import type { Frame } from '../../../src/image/frame.ts';
import type { ColourProfile, ImageHeader } from '../../../src/image/header.ts';
import { pixelKernel } from '../../../src/image/pixel-kernel.ts';
import { colour } from '../../../src/image/steps/colour.ts';
import { bandsOf, gatherBands } from '../../support/bands.ts';
import { HeapWorkspace } from '../../support/heap-workspace.ts';
import * as icc from '../../support/icc-profile.ts';
import { stepContext } from '../../support/step-context.ts';

const srgbTone = icc.parametric(3, 2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045);
const matrixProfile = (columns: readonly (readonly [number, number, number])[], tone = srgbTone) =>
  icc.iccProfile({
    space: 'RGB ',
    connection: 'XYZ ',
    tags: {
      rXYZ: icc.xyz(...columns[0]!),
      gXYZ: icc.xyz(...columns[1]!),
      bXYZ: icc.xyz(...columns[2]!),
      rTRC: tone,
      gTRC: tone,
      bTRC: tone,
    },
  });
const srgbProfile = matrixProfile([
  [0.43607, 0.22249, 0.01392],
  [0.38515, 0.71687, 0.09708],
  [0.14307, 0.06061, 0.7141],
]);
const p3Profile = matrixProfile([
  [0.51512, 0.2412, -0.00105],
  [0.29198, 0.69225, 0.04189],
  [0.1571, 0.06657, 0.78407],
]);

function plan(profile: ColourProfile | undefined, model: ImageHeader['model'] = 'rgb', size = { width: 1, height: 1 }) {
  const frame: Frame = { ...size, alpha: false, model: model === 'cmyk' ? 'cmyk' : 'rgb' };
  const context = stepContext({ ...size, model, ...(profile && { profile }) });
  return { frame, context, planned: colour.plan(frame, context) };
}

async function convert(pixels: readonly number[], profile: ColourProfile | undefined, model?: ImageHeader['model']) {
  const { frame, context, planned } = plan(profile, model, { width: pixels.length / 4, height: 1 });
  if (planned === undefined) return [...pixels];
  const workspace = new HeapWorkspace();
  const source = bandsOf(Uint8Array.from(pixels), frame);
  const out = await gatherBands(colour.apply(source, frame, planned, context, workspace), frame);
  expect(workspace.peakBuffers).toBeLessThanOrEqual(planned.buffers);
  expect(workspace.arenaBytes).toBeLessThanOrEqual(planned.arena!);
  expect(workspace.heldBuffers).toBe(0);
  expect(planned.frame).toEqual({ ...frame, model: 'rgb' });
  return [...out];
}

const embedded = (bytes: Uint8Array): ColourProfile => ({ kind: 'icc', bytes });
const coded = (primaries: number, transfer: number): ColourProfile => ({ kind: 'cicp', primaries, transfer });

describe('nothing to do', () => {
  test.each([
    ['no profile', undefined],
    ['an sRGB profile', embedded(srgbProfile)],
    ['sRGB code points', coded(1, 13)],
    ['unspecified code points', coded(2, 2)],
    ['a profile for another model', embedded(icc.iccProfile({ space: 'CMYK', connection: 'Lab ', tags: {} }))],
    [
      'a grey profile on a colour picture',
      embedded(icc.iccProfile({ space: 'GRAY', connection: 'XYZ ', tags: { kTRC: icc.curve(1) } })),
    ],
    ['a device link', embedded(icc.iccProfile({ space: 'RGB ', connection: 'XYZ ', kind: 'link', tags: {} }))],
    ['no bytes', embedded(new Uint8Array())],
    ['noise', embedded(new Uint8Array(4000).fill(0x61))],
  ] as const)('%s', (_name, profile) => {
    expect(plan(profile).planned).toBeUndefined();
  });

  test('wide primaries on a grey picture', () => {
    expect(plan(coded(12, 13), 'grey').planned).toBeUndefined();
    expect(plan(coded(12, 13), 'rgb').planned).toBeDefined();
  });
});

describe('profiles', () => {
  test('Display P3 colours become their sRGB neighbours, greys and alpha stay', async () => {
    const pixels = [128, 128, 128, 7, 0, 0, 0, 255, 255, 255, 255, 0, 200, 100, 50, 255, 255, 0, 0, 9];
    const out = await convert(pixels, embedded(p3Profile));
    expect(out.slice(0, 12)).toEqual(pixels.slice(0, 12));
    // CSS Color 4's conversion of color(display-p3 .784 .392 .196) gives 215, 93, 31; full red is clipped.
    const exact = [215, 93, 31, 255, 255, 0, 0, 9];
    for (const [i, value] of out.slice(12).entries()) expect(Math.abs(value - exact[i]!)).toBeLessThanOrEqual(1);
  });

  test('code points and an embedded profile of the same colours give the same picture', async () => {
    const pixels = Array.from({ length: 400 }, (_, i) => ((i & 3) === 3 ? 255 : (i * 37) & 255));
    const [byIcc, byCode] = [await convert(pixels, embedded(p3Profile)), await convert(pixels, coded(12, 13))];
    for (const [i, value] of byIcc.entries()) expect(Math.abs(value - byCode[i]!)).toBeLessThanOrEqual(1);
  });

  test('a grey profile changes grey pictures', async () => {
    const profile = embedded(icc.iccProfile({ space: 'GRAY', connection: 'XYZ ', tags: { kTRC: icc.curve(1) } }));
    expect(await convert([0, 0, 0, 255, 128, 128, 128, 200, 255, 255, 255, 255], profile, 'grey')).toEqual([
      0, 0, 0, 255, 188, 188, 188, 200, 255, 255, 255, 255,
    ]);
  });

  test('a profile that is cut off anywhere or changed anywhere is used or ignored, never an error', () => {
    const lut = icc.iccProfile({
      space: 'CMYK',
      connection: 'Lab ',
      tags: {
        A2B0: icc.lutAToB({
          a: Array(4).fill(icc.parametric(3, 2, 1, 0, 1, 0.1)),
          points: [2, 2, 2, 2],
          grid: Array(48).fill(0.5),
          m: Array(3).fill(icc.curve(0, 0.5, 1)),
          matrix: [1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0],
          b: Array(3).fill(icc.curve()),
        }),
      },
    });
    for (const [bytes, model] of [
      [p3Profile, 'rgb'],
      [lut, 'cmyk'],
    ] as const) {
      expect(readIccColour(bytes, model)).toBeDefined();
      for (let length = 0; length < bytes.length; length++) plan(embedded(bytes.subarray(0, length)), model);
      const place = fc.integer({ min: 0, max: bytes.length - 1 });
      fc.assert(
        fc.property(fc.array(fc.tuple(place, fc.integer({ min: 0, max: 255 })), { maxLength: 6 }), (changes) => {
          const changed = bytes.slice();
          for (const [at, value] of changes) changed[at] = value;
          const source = readIccColour(changed, model);
          const light = new Float64Array(3);
          if (source?.kind === 'sampled') source.evaluate(Float64Array.of(0.3, 0.9, 0, 1), light);
          plan(embedded(changed), model);
        }),
      );
    }
  });
});

test('a planned conversion does not need the file any more', async () => {
  const bytes = p3Profile.slice();
  const { frame, context, planned } = plan(embedded(bytes));
  bytes.buffer.transfer(0);
  const bands = colour.apply(
    bandsOf(Uint8Array.of(200, 100, 50, 255), frame),
    frame,
    planned!,
    context,
    new HeapWorkspace(),
  );
  expect([...(await gatherBands(bands, frame))]).toEqual([215, 93, 31, 255]);
});

describe('CMYK', () => {
  test('without a usable profile each ink takes its share of the light', async () => {
    const pixels = [0, 0, 0, 0, 255, 0, 0, 0, 0, 0, 0, 255, 0, 128, 255, 51, 255, 255, 255, 255];
    const expected = [255, 255, 255, 255, 0, 255, 255, 255, 0, 0, 0, 255, 204, 102, 0, 255, 0, 0, 0, 255];
    expect(await convert(pixels, undefined, 'cmyk')).toEqual(expected);
    expect(await convert(pixels, embedded(new Uint8Array(500)), 'cmyk')).toEqual(expected);
    expect(plan(undefined, 'cmyk').planned).toMatchObject({ params: { conversion: 'plain' }, buffers: 0 });
  });
});

describe('sampled conversions', () => {
  /** Compares pixels with the function that was sampled. */
  function worst(source: SourceColour & { kind: 'sampled' }): number {
    const workspace = new HeapWorkspace();
    const tables = workspace.arena(pixelTransformBytes(source));
    const transform = pixelTransform(source, tables, pixelKernel(workspace));
    const pixels = Uint8Array.from({ length: 4 * 5000 }, (_, i) =>
      Math.floor(((i * Math.sqrt(2 + (i & 3) * 3)) % 1) * 256),
    );
    const before = pixels.slice();
    transform(pixels, 5000);
    const light = new Float64Array(3);
    let difference = 0;
    for (let at = 0; at < pixels.length; at += 4) {
      source.evaluate(
        Float64Array.from(before.subarray(at, at + 4), (value) => value / 255),
        light,
      );
      for (let k = 0; k < 3; k++) {
        difference = Math.max(difference, Math.abs(pixels[at + k]! - encodeSrgb(light[k]!) * 255));
      }
      expect(pixels[at + 3]).toBe(source.channels === 4 ? 255 : before[at + 3]);
    }
    return difference;
  }

  test('RGB is interpolated to within one step', () => {
    const turned: SourceColour = {
      kind: 'sampled',
      channels: 3,
      evaluate: ([r, g, b], light) =>
        light.set([0.1 + g! ** 2 * 0.9, 0.1 + b! ** 2.2 * 0.5 + r! * 0.4, 0.05 + r! * 0.9]),
    };
    expect(worst(turned)).toBeLessThanOrEqual(1);
  });

  test('CMYK is interpolated to within two steps', () => {
    const inks: SourceColour = {
      kind: 'sampled',
      channels: 4,
      evaluate: ([c, m, y, k], light) =>
        light.set([c!, m!, y!].map((ink) => (1 - ink * 0.8) ** 2 * (1 - k! * 0.7) ** 2)),
    };
    expect(worst(inks)).toBeLessThanOrEqual(2);
  });
});

describe('high dynamic range', () => {
  const grey = (value: number) => [value, value, value, 255];
  const ramp = Array.from({ length: 256 }, (_, value) => grey(value)).flat();
  /** The 8-bit value of reference white: 203 nits. */
  const cases = [
    ['PQ', coded(9, 16), 148],
    ['HLG', coded(9, 18), 191],
  ] as const;

  test.each(cases)(
    '%s: black stays, brighter is brighter, reference white keeps room for highlights',
    async (_name, profile, white) => {
      const out = await convert(ramp, profile);
      expect(out.slice(0, 4)).toEqual(grey(0));
      for (let value = 1; value < 256; value++) expect(out[value * 4]!).toBeGreaterThanOrEqual(out[value * 4 - 4]!);
      expect(out[white * 4]).toBeGreaterThan(215);
      expect(out[white * 4]).toBeLessThan(235);
      expect(out[255 * 4]).toBe(255);
      for (let at = 0; at < out.length; at += 4) {
        expect(Math.max(...out.slice(at, at + 3)) - Math.min(...out.slice(at, at + 3))).toBeLessThanOrEqual(1);
      }
    },
  );

  test('mid tones keep the light they have relative to white', async () => {
    // 50 nits are a quarter of reference white, below the knee: sRGB 0.246 → 136. PQ of 50 nits is 0.4401 → 112.
    const out = await convert(grey(112), coded(1, 16));
    expect(Math.abs(out[0]! - 136)).toBeLessThanOrEqual(3);
  });
});

describe('other transfers', () => {
  test.each([
    ['linear', coded(1, 8), 55, 128],
    ['gamma 2.8', coded(1, 5), 160, 142],
  ] as const)('%s', async (_name, profile, value, expected) => {
    const [out] = await convert([value, value, value, 255], profile);
    expect(Math.abs(out! - expected)).toBeLessThanOrEqual(1);
  });

  test('the BT.709 family is shown as sRGB', () => {
    for (const transfer of [1, 6, 14, 15]) expect(plan(coded(1, transfer)).planned).toBeUndefined();
  });
});
