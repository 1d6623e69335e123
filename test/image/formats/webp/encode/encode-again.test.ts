import { describe, expect, test } from 'vitest';
import { vp8Layout } from '../../../../../src/image/formats/webp/encode/vp8-layout.ts';
import { encodeWebp, planWebpEncode } from '../../../../../src/image/formats/webp/encode-webp.ts';
import { decodePicture, encodePicture } from '../../../../support/code-picture.ts';
import { firstDifference } from '../../../../support/first-difference.ts';
import { HeapWorkspace } from '../../../../support/heap-workspace.ts';
import { runJob } from '../../../../support/run-job.ts';
import { meanDifference, type SyntheticPicture, syntheticPicture } from '../../../../support/synthetic-picture.ts';

/** Mean difference of 0–255 that chroma at half resolution makes of coloured noise. */
const CHROMA_LOST = 40;

describe('a picture whose tokens cannot be kept', () => {
  test.each(['png', 'jpg', 'webp'] as const)('from %s is encoded a second time, and is the same', async (input) => {
    const picture = syntheticPicture('noise', 320, 240);
    const source = await encodePicture(input, picture, 100);
    const { file, plan, buffers, stages } = await runJob(source, { format: 'webp', quality: 100 });
    // More than `vp8Layout` plans to keep.
    expect(file.length).toBeGreaterThan(vp8Layout({ width: 320, height: 240 }).tokens);
    expect((await decodePicture(file)).header).toMatchObject({ width: 320, height: 240 });
    const decoded = await decodePicture(source);
    expect(meanDifference((await decodePicture(file)).pixels, decoded.pixels)).toBeLessThan(CHROMA_LOST);
    expect(buffers).toBeLessThanOrEqual(plan.memory.decode.buffers);
    for (const { planned, written } of stages) expect(written).toBeLessThanOrEqual(planned);
  });

  test('turned is encoded a second time too', async () => {
    const source = await encodePicture('jpg', syntheticPicture('noise', 320, 240), 100);
    const { file } = await runJob(withOrientation(source, 6), { format: 'webp', quality: 100 });
    expect((await decodePicture(file)).header).toMatchObject({ width: 240, height: 320 });
  });
});

/** At which noise finds room for its tokens, but only just. */
const QUALITY = 82;

describe('with little room', () => {
  async function encode(picture: SyntheticPicture, room?: number): Promise<{ file: Uint8Array; readings: number }> {
    const { frame, pixels } = picture;
    const plan = planWebpEncode(frame, { quality: QUALITY, ...(room !== undefined && { room }) });
    const workspace = new HeapWorkspace();
    let readings = 0;
    const bands = {
      async *[Symbol.asyncIterator]() {
        readings++;
        yield { top: 0, rows: frame.height, pixels: pixels.slice() };
      },
    };
    const pieces: Uint8Array[] = [];
    for await (const piece of encodeWebp(
      bands,
      frame,
      { quality: QUALITY, ...(room !== undefined && { room }) },
      workspace,
    )) {
      pieces.push(piece.slice());
    }
    expect(workspace.arenaBytes).toBeLessThanOrEqual(plan.cost.arena);
    expect(readings).toBeLessThanOrEqual(plan.readings);
    return { file: Buffer.concat(pieces), readings };
  }

  test.each([false, true])(
    'the file is the same, only the picture is read twice; transparency: %s',
    async (alpha) => {
      const noise = syntheticPicture('noise', 1400, 1300);
      const picture = { ...noise, frame: { ...noise.frame, alpha } };
      const usual = planWebpEncode(picture.frame, { quality: QUALITY });
      const room = usual.cost.arena - 400_000;
      expect(planWebpEncode(picture.frame, { quality: QUALITY, room }).cost.arena).toBeLessThanOrEqual(room);
      const [whole, cramped] = [await encode(picture), await encode(picture, room)];
      expect([whole.readings, cramped.readings]).toEqual([1, 2]);
      expect(firstDifference(cramped.file, whole.file)).toBeUndefined();
    },
    20_000,
  );

  test('no less is planned than it takes', () => {
    const frame = { width: 10_000, height: 10_000, alpha: true, model: 'rgb' } as const;
    const least = planWebpEncode(frame, { quality: QUALITY, room: 0 }).cost.arena;
    expect(least).toBeLessThan(planWebpEncode(frame, { quality: QUALITY }).cost.arena - 20_000_000);
    expect(planWebpEncode(frame, { quality: QUALITY, room: least }).cost.arena).toBe(least);
  });
});

/** Puts an EXIF segment with an orientation behind SOI. */
function withOrientation(jpeg: Uint8Array, orientation: number): Uint8Array {
  const tiff = [0x4d, 0x4d, 0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0];
  const body = [0x45, 0x78, 0x69, 0x66, 0, 0, ...tiff];
  return Uint8Array.from([0xff, 0xd8, 0xff, 0xe1, 0, body.length + 2, ...body, ...jpeg.subarray(2)]);
}
