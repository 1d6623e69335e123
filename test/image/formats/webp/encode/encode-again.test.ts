import { describe, expect, test } from 'vitest';
import { vp8Layout } from '../../../../../src/image/formats/webp/encode/vp8-layout.ts';
import { decodePicture, encodePicture } from '../../../../support/code-picture.ts';
import { runJob } from '../../../../support/run-job.ts';
import { meanDifference, syntheticPicture } from '../../../../support/synthetic-picture.ts';

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

/** Puts an EXIF segment with an orientation behind SOI. */
function withOrientation(jpeg: Uint8Array, orientation: number): Uint8Array {
  const tiff = [0x4d, 0x4d, 0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0];
  const body = [0x45, 0x78, 0x69, 0x66, 0, 0, ...tiff];
  return Uint8Array.from([0xff, 0xd8, 0xff, 0xe1, 0, body.length + 2, ...body, ...jpeg.subarray(2)]);
}
