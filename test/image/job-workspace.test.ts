import createEncoder from '@jsquash/jpeg/codec/enc/mozjpeg_enc.js';
import { defaultOptions } from '@jsquash/jpeg/meta.js';
import { describe, expect, test } from 'vitest';
import jpegEncode from '../../build/jpeg-encode.wasm';
import { JobWorkspace, LeaseLostError } from '../../src/image/job-workspace.ts';
import { Arena } from '../../src/image/kernels/arena.ts';
import type { CodecFactory } from '../../src/image/workspace.ts';

interface Encoder {
  encode(pixels: Uint8Array, width: number, height: number, options: typeof defaultOptions): Uint8Array;
}

function workspace(): JobWorkspace {
  return new JobWorkspace(new Arena());
}

test('counts the most that was out at once', () => {
  const job = workspace();
  const first = job.buffer(100);
  const second = job.buffer(50);
  job.release(first);
  job.buffer(30);
  job.release(second);
  expect(job.peak).toEqual({ buffers: 150, allocated: 180 });
});

test('counts a buffer once, however many views of it are adopted, and by what it really holds', () => {
  const job = workspace();
  const whole = new Uint8Array(1000);
  job.adopt(whole.subarray(0, 10));
  job.adopt(whole);
  expect(job.peak.buffers).toBe(1000);
  job.release(whole.subarray(5));
  job.buffer(400);
  expect(job.peak.buffers).toBe(1000);
});

test('frees what is released at once', () => {
  const job = workspace();
  const buffer = job.buffer(64);
  const view = buffer.subarray(8);
  job.release(buffer);
  expect(buffer.length).toBe(0);
  expect(view.length).toBe(0);
});

test('leaves alone what it was never given, and what lies in the arena', () => {
  const arena = new Arena();
  const job = new JobWorkspace(arena);
  const stranger = Uint8Array.of(1, 2, 3);
  job.release(stranger);
  expect(stranger).toHaveLength(3);
  const region = job.arena(32);
  job.adopt(region);
  job.release(region);
  expect(region).toHaveLength(32);
  expect(job.inArena(region)).toBe(true);
  expect(job.inArena(stranger)).toBe(false);
  expect(job.peak.buffers).toBe(0);
});

test('finishing frees every buffer, wipes the arena, and may be done twice', () => {
  const arena = new Arena();
  const job = new JobWorkspace(arena);
  const kept = [job.buffer(10), job.buffer(20)];
  const file = new Uint8Array(30);
  job.adopt(file);
  job.arena(100).fill(9);
  job.finish();
  job.finish();
  expect([...kept, file].map(({ length }) => length)).toEqual([0, 0, 0]);
  expect(arena.measure()).toBe(0);
  expect(job.peak).toEqual({ buffers: 60, allocated: 60 });
});

test('a stage begins with an empty arena of the size asked for', () => {
  const arena = new Arena();
  const job = new JobWorkspace(arena);
  job.stage({ arena: 200_000 });
  expect(arena.committed).toBe(4 * 65_536);
  job.arena(150_000).fill(1);
  expect(() => job.arena(150_000)).toThrow(RangeError);
  job.stage({ arena: 200_000 });
  expect(job.arena(200_000).every((byte) => byte === 0)).toBe(true);
});

describe('a workspace whose arena was leased to another one', () => {
  const lost = () => {
    const arena = new Arena();
    const job = new JobWorkspace(arena);
    job.stage({ arena: 1000 });
    job.arena(100).fill(7);
    const heap = job.buffer(10);
    const next = new JobWorkspace(arena);
    return { arena, job, heap, next };
  };

  test('finds that what it had there was wiped', () => {
    expect(lost().arena.measure()).toBe(0);
  });

  test('can no longer touch it', async () => {
    const { job } = lost();
    expect(() => job.check()).toThrow(LeaseLostError);
    expect(() => job.arena(10)).toThrow(LeaseLostError);
    expect(() => job.stage({ arena: 10 })).toThrow(LeaseLostError);
    expect(() => job.rewind(0)).toThrow(LeaseLostError);
    expect(() => job.kernel(undefined as unknown as WebAssembly.Module)).toThrow(LeaseLostError);
    const codec = job.codec(() => Promise.resolve({}), {} as WebAssembly.Module);
    await expect(codec).rejects.toThrow(LeaseLostError);
  });

  test('does not wipe it when it ends, and still frees its own buffers', () => {
    const { arena, job, heap, next } = lost();
    next.stage({ arena: 1000 });
    next.arena(100).fill(9);
    job.finish();
    expect(arena.measure()).toBeGreaterThan(0);
    expect(heap).toHaveLength(0);
    next.check();
    next.finish();
    expect(arena.measure()).toBe(0);
  });

  test('finds it out although it was lost while a codec was made', async () => {
    const arena = new Arena();
    const job = new JobWorkspace(arena);
    job.stage({ arena: 1000, library: 8 << 20 });
    const { promise: held, resolve: go } = Promise.withResolvers<void>();
    const slowly: CodecFactory<Encoder> = async (options) => {
      const encoder = await (createEncoder as CodecFactory<Encoder>)(options);
      await held;
      return encoder;
    };
    const lost = job.codec(slowly, jpegEncode);
    const next = new JobWorkspace(arena);
    next.stage({ arena: 1000, library: 8 << 20 });
    go();
    await expect(lost).rejects.toThrow(LeaseLostError);
    const image = new Uint8Array(32 * 32 * 4).fill(200);
    const own = await next.codec(createEncoder as CodecFactory<Encoder>, jpegEncode);
    const aloneIn = new JobWorkspace(new Arena());
    aloneIn.stage({ arena: 1000, library: 8 << 20 });
    const alone = await aloneIn.codec(createEncoder as CodecFactory<Encoder>, jpegEncode);
    expect(own.encode(image, 32, 32, defaultOptions)).toEqual(alone.encode(image, 32, 32, defaultOptions));
    next.finish();
    expect(arena.measure()).toBe(0);
  });
});
