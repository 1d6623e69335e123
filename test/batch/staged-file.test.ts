import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { loadStaged, openStaged } from '../../src/batch/staged-file.ts';
import { type StagedFile, Staging } from '../../src/batch/staging.ts';
import { UploadGate } from '../../src/batch/upload-gate.ts';
import { JobWorkspace } from '../../src/image/job-workspace.ts';
import { Arena } from '../../src/image/kernels/arena.ts';
import { HELD_BYTES } from '../../src/image/source-file.ts';
import { limits } from '../../src/limits.ts';
import { stageFile } from '../support/stage-file.ts';

const staging = new Staging(env.BUCKET, new UploadGate(limits.uploadBytesInFlight));
const arena = new Arena();
const gone = { key: 'staging/none/0', size: 10 };

/** Stores bytes that say where they are. */
async function stored(length: number): Promise<{ readonly file: StagedFile; readonly bytes: Uint8Array }> {
  const bytes = new Uint8Array(length);
  for (let at = 0; at < length; at++) bytes[at] = (at * 31) ^ (at >> 8);
  return { file: await stageFile(staging, bytes), bytes };
}

/** Byte for byte; an assertion of equality takes a minute for megabytes. */
function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, at) => byte === other[at]);
}

test.each([1, 70_000, HELD_BYTES])('a file of %i bytes is on the heap, and the workspace counts it', async (length) => {
  const { file, bytes } = await stored(length);
  const workspace = new JobWorkspace(arena);
  const opened = await openStaged(file, staging, workspace);
  expect(opened.size).toBe(length);
  expect(isSame(opened.held!, bytes)).toBe(true);
  expect(workspace.peak.buffers).toBe(length);
  workspace.finish();
});

test('a larger file is read by ranges, into the arena too, and takes nothing of the heap', async () => {
  const { file, bytes } = await stored(HELD_BYTES + 1);
  const workspace = new JobWorkspace(arena);
  const opened = await openStaged(file, staging, workspace);
  expect(opened).toMatchObject({ size: HELD_BYTES + 1 });
  expect(opened.held).toBeUndefined();
  workspace.stage({ arena: 300_000 });
  for (const [offset, length] of [
    [0, 1],
    [0, 300_000],
    [65_535, 65_537],
    [limits.segmentBytes - 100_000, 300_000],
    [HELD_BYTES - 9, 10],
  ] as const) {
    const into = workspace.arena(300_000).subarray(0, length);
    await opened.read(offset, into);
    expect(isSame(into, bytes.subarray(offset, offset + length))).toBe(true);
    workspace.stage({ arena: 300_000 });
  }
  expect(workspace.peak.buffers).toBe(0);
  workspace.finish();
});

test('what is gone, and what has become shorter, is an error of the platform', async () => {
  const workspace = new JobWorkspace(arena);
  await expect(openStaged(gone, staging, workspace)).rejects.toThrow('gone');
  await expect(loadStaged(gone, staging, workspace)).rejects.toThrow('gone');
  const { file, bytes } = await stored(HELD_BYTES + 1000);
  const opened = await openStaged(file, staging, workspace);
  await env.BUCKET.put(`${file.key}/0`, bytes.subarray(0, 5000));
  await expect(opened.read(4000, new Uint8Array(2000))).rejects.toThrow('shorter');
  await env.BUCKET.delete(`${file.key}/0`);
  await expect(opened.read(0, new Uint8Array(10))).rejects.toThrow('gone');
  workspace.finish();
});

test('a watermark is on the heap whatever its size', async () => {
  const { file, bytes } = await stored(HELD_BYTES + 5);
  const workspace = new JobWorkspace(arena);
  expect(isSame(await loadStaged(file, staging, workspace), bytes)).toBe(true);
  expect(workspace.peak.buffers).toBe(bytes.length);
  workspace.finish();
});
