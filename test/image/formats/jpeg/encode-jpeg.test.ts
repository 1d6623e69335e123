import { describe, expect, test } from 'vitest';
import type { EncodeOptions } from '../../../../src/image/formats/format.ts';
import { encodeJpeg, planJpegEncode } from '../../../../src/image/formats/jpeg/encode-jpeg.ts';
import { type JpegDetail, readJpegHeader } from '../../../../src/image/formats/jpeg/header.ts';
import { JobWorkspace } from '../../../../src/image/job-workspace.ts';
import { bandsOf } from '../../../support/bands.ts';
import { decodePicture } from '../../../support/code-picture.ts';
import { firstDifference } from '../../../support/first-difference.ts';
import { MeasuredArena } from '../../../support/measured-arena.ts';
import { meanDifference, type SyntheticPicture, syntheticPicture } from '../../../support/synthetic-picture.ts';

const arena = new MeasuredArena();

/** Encodes in bands of some rows, and holds the plan to its word. */
async function encode(
  { pixels, frame }: SyntheticPicture,
  quality: number,
  rows: number,
  speed: Pick<EncodeOptions, 'haste' | 'room'> = {},
): Promise<Uint8Array> {
  const options = { quality, ...speed };
  const { cost, wholeFrame } = planJpegEncode(frame, options);
  expect(wholeFrame).toBe(false);
  const workspace = new JobWorkspace(arena);
  const parts: Uint8Array<ArrayBuffer>[] = [];
  try {
    workspace.stage(cost);
    for await (const piece of encodeJpeg(bandsOf(pixels, frame, rows), frame, options, workspace)) {
      workspace.adopt(piece);
      parts.push(piece.slice());
      workspace.release(piece);
    }
  } finally {
    workspace.finish();
  }
  const { planned, written } = arena.stages.at(-1)!;
  expect(written, 'bytes of the arena').toBeLessThanOrEqual(planned);
  expect(workspace.peak.buffers, 'bytes on the heap').toBeLessThanOrEqual(cost.buffers);
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

/** The largest of the worst pictures: every sample all or nothing. */
function extremeNoise(width: number, height: number): SyntheticPicture {
  const { frame, pixels } = syntheticPicture('noise', width, height);
  return { frame, pixels: pixels.map((sample, at) => ((at & 3) === 3 || sample > 127 ? 255 : 0)) };
}

describe('the file is the picture', () => {
  test.each([
    [1, 1],
    [7, 9],
    [8, 8],
    [16, 17],
    [15, 300],
    [300, 1],
    [641, 479],
  ])('%i × %i, at every quality', async (width, height) => {
    const picture = syntheticPicture('photo', width, height);
    for (const [quality, difference] of [
      [40, 9],
      [82, 5],
      [90, 3.2],
      [100, 0.8],
    ] as const) {
      const file = await encode(picture, quality, 7);
      const { header, pixels } = await decodePicture(file);
      expect(header).toMatchObject({ format: 'jpg', width, height, model: 'rgb', orientation: 1 });
      expect(meanDifference(pixels, picture.pixels)).toBeLessThan(difference);
    }
  });

  test('whatever the height of the bands', async () => {
    const picture = syntheticPicture('photo', 700, 1000);
    const whole = await encode(picture, 82, 1000);
    for (const rows of [1, 16, 333]) expect(await encode(picture, 82, rows)).toEqual(whole);
  });

  test('in haste and with little room it is written on the way, and is the same picture', async () => {
    const picture = syntheticPicture('noise', 900, 1400);
    const usual = planJpegEncode(picture.frame, { quality: 82 });
    const room = (usual.cost.library ?? 0) + 3_500_000;
    expect(planJpegEncode(picture.frame, { quality: 82, room })).toEqual(usual);
    const { cost } = planJpegEncode(picture.frame, { quality: 82, room, haste: 1 });
    expect(cost.arena + (cost.library ?? 0)).toBeLessThanOrEqual(room);
    const whole = await decodePicture(await encode(picture, 82, 1400));
    const file = await encode(picture, 82, 1400, { room, haste: 1 });
    expect((readJpegHeader(file).detail as JpegDetail).progressive).toBe(false);
    expect(firstDifference((await decodePicture(file)).pixels, whole.pixels)).toBeUndefined();
  }, 20_000);

  test('chroma is kept at full resolution from 90 on', async () => {
    const sampling = async (quality: number) => {
      const file = await encode(syntheticPicture('photo', 40, 40), quality, 40);
      const { components } = readJpegHeader(file).detail as JpegDetail;
      return components.map(({ horizontal, vertical }) => [horizontal, vertical]);
    };
    expect(await sampling(89)).toEqual([
      [2, 2],
      [1, 1],
      [1, 1],
    ]);
    expect(await sampling(90)).toEqual([
      [1, 1],
      [1, 1],
      [1, 1],
    ]);
  });

  test('a photograph is progressive, a thumbnail of noise is not', async () => {
    const progressive = async (picture: SyntheticPicture) =>
      (readJpegHeader(await encode(picture, 82, 64)).detail as JpegDetail).progressive;
    expect(await progressive(syntheticPicture('photo', 640, 480))).toBe(true);
    expect(await progressive(syntheticPicture('noise', 24, 24))).toBe(false);
  });
});

describe('the plan', () => {
  test.each([
    [82, 1000, 700],
    [89, 1000, 700],
    [90, 1000, 500],
    [100, 1000, 500],
    [89, 40_000, 17],
    [100, 40_000, 9],
    [89, 3, 20_000],
    [100, 16, 4000],
  ])('holds for the worst noise at quality %i, %i × %i', { timeout: 20_000 }, async (quality, width, height) => {
    const { header } = await decodePicture(await encode(extremeNoise(width, height), quality, 64));
    expect(header).toMatchObject({ width, height });
  });

  test('does not grow with the height once strips and store are full', () => {
    const costOf = (height: number) =>
      planJpegEncode({ width: 8000, height, alpha: false, model: 'rgb' }, { quality: 82 }).cost;
    const [tall, taller] = [costOf(6000), costOf(12_000)];
    expect(taller.library).toBe(tall.library);
    expect(taller.buffers).toBe(tall.buffers);
    expect(taller.arena + taller.library!).toBeLessThanOrEqual(32 * 1024 * 1024);
    expect(tall.arena + tall.library!).toBeGreaterThan(31 * 1024 * 1024);
  });
});
