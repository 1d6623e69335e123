import { describe, expect, test } from 'vitest';
import { aligned } from '../../../../src/image/kernels/aligned.ts';
import { HELD_BYTES } from '../../../../src/image/source-file.ts';
import { MeasuredArena } from '../../../support/measured-arena.ts';
import { type JobRun, runJob } from '../../../support/run-job.ts';
import { cjpeg, hasNativeJpeg, jpegtran, rescanned, testPpm } from './native-jpeg.ts';

const native = hasNativeJpeg();
if (!native) console.log('skipped: files of more than 4 MiB, whose encoder cjpeg is not installed');

/** A progressive script in which every coefficient of the first component has a scan of its own: 66 in all. */
function manyScans(): string {
  const single = Array.from({ length: 63 }, (_, index) => `0: ${index + 1}-${index + 1}, 0, 0;`);
  return ['0 1 2: 0-0, 0, 0;', ...single, '1: 1-63, 0, 0;', '2: 1-63, 0, 0;'].join('\n');
}

function expectKeptPromise({ plan, stages, buffers }: JobRun): void {
  // What was written is measured in whole words.
  for (const { planned, written } of stages) expect(written).toBeLessThanOrEqual(aligned(planned));
  expect(buffers).toBeLessThanOrEqual(Math.max(plan.memory.decode.buffers, plan.memory.encode.buffers));
}

describe.skipIf(!native)('a file of more than is held goes through the engine within its plan', () => {
  const file = native ? cjpeg(testPpm(1400, 1400), '-quality', '100', '-sample', '1x1') : new Uint8Array();
  const arena = new MeasuredArena();

  async function resized(source: Uint8Array, fileIn: 'windows' | 'arena'): Promise<Uint8Array> {
    expect(source.length).toBeGreaterThan(HELD_BYTES);
    const job = await runJob(source, { format: 'png', quality: 82, maxWidth: 300 }, arena);
    expectKeptPromise(job);
    expect(job.plan.route === 'pixels' && job.plan.decode.fileIn).toBe(fileIn);
    return job.file;
  }

  test('in windows, sequential and progressive, to the same result as where its scans are too many for that', async () => {
    const whole = await resized(rescanned(file, manyScans()), 'arena');
    expect(Buffer.compare(await resized(file, 'windows'), whole)).toBe(0);
    expect(Buffer.compare(await resized(jpegtran(file, '-progressive'), 'windows'), whole)).toBe(0);
  });
});
