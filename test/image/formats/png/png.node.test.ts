import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { aligned } from '../../../../src/image/kernels/aligned.ts';
import { HELD_BYTES } from '../../../../src/image/source-file.ts';
import { MeasuredArena } from '../../../support/measured-arena.ts';
import { type JobRun, runJob } from '../../../support/run-job.ts';
import { seededRandom } from './collect.ts';
import { adam7, chunk, concat, ihdr, signature } from './make-png.ts';

const arena = new MeasuredArena();
const SIDE = 1250;

/** A picture whose file is not held: blocks of noise, some of which come again. */
function largePng(interlace: number): Uint8Array {
  const random = seededRandom(99);
  const rows = new Uint8Array((SIDE * 3 + 1) * SIDE + 64 * SIDE);
  for (let at = 0; at < rows.length; at++) rows[at] = random(16) === 0 ? (rows[at - 3000] ?? 0) : random(256);
  const data = deflateSync(withFilters(rows, interlace), { level: 1 });
  const chunks: Uint8Array[] = [];
  for (let at = 0; at < data.length; at += 65_536) chunks.push(chunk('IDAT', data.subarray(at, at + 65_536)));
  return concat(signature, ihdr(SIDE, SIDE, 8, 2, interlace), ...chunks, chunk('IEND'));
}

/** Puts a filter byte in front of each row, pass by pass (PNG third edition, 8.2). */
function withFilters(rows: Uint8Array, interlace: number): Uint8Array {
  const passes = interlace === 0 ? ([[0, 0, 1, 1]] as const) : adam7;
  let at = 0;
  for (const [left, top, stepX, stepY] of passes) {
    const bytes = Math.ceil((SIDE - left) / stepX) * 3;
    for (let y = top; y < SIDE; y += stepY, at += bytes + 1) rows[at] = y % 5;
  }
  return rows.subarray(0, at);
}

function expectKeptPromise({ plan, stages, buffers }: JobRun): void {
  // What was written is measured in whole words.
  for (const { planned, written } of stages) expect(written).toBeLessThanOrEqual(aligned(planned));
  expect(buffers).toBeLessThanOrEqual(Math.max(plan.memory.decode.buffers, plan.memory.encode.buffers));
}

describe.each([0, 1])('a file of more than is held (interlace method %i)', (interlace) => {
  const source = largePng(interlace);
  const pixels = sharp(source).removeAlpha().raw().toBuffer();

  test('is decoded through windows, within its plan', async () => {
    expect(source.length).toBeGreaterThan(HELD_BYTES);
    const job = await runJob(source, { format: 'png', quality: 82, maxWidth: SIDE / 2 }, arena);
    expectKeptPromise(job);
    if (job.plan.route !== 'pixels') throw new Error(job.plan.route);
    expect(job.plan.decode.fileIn).toBe('windows');
    const reference = await sharp(await pixels, { raw: { width: SIDE, height: SIDE, channels: 3 } })
      .resize(SIDE / 2, SIDE / 2, { fit: 'fill' })
      .raw()
      .toBuffer();
    const ours = await sharp(job.file).removeAlpha().raw().toBuffer();
    let sum = 0;
    for (let at = 0; at < ours.length; at++) sum += Math.abs(ours[at]! - reference[at]!);
    expect(ours.length).toBe(reference.length);
    expect(sum / ours.length).toBeLessThan(1);
  });

  test('is written smaller through windows to the same pixels, within its plan', async () => {
    const job = await runJob(source, { format: 'png', quality: 82 }, arena);
    expectKeptPromise(job);
    if (job.plan.route !== 'recompress') throw new Error(job.plan.route);
    expect(job.plan.recompress.fileIn).toBe('windows');
    expect((await sharp(job.file).removeAlpha().raw().toBuffer()).equals(await pixels)).toBe(true);
  });
});
