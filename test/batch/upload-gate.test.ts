import fc from 'fast-check';
import { expect, test } from 'vitest';
import { UploadGate } from '../../src/batch/upload-gate.ts';

test('holders share the capacity; the next waits until enough is given back', async () => {
  const gate = new UploadGate(10);
  const first = await gate.acquire(6);
  const second = await gate.acquire(4);
  let entered = false;
  const third = gate.acquire(5).then((release) => {
    entered = true;
    return release;
  });
  second();
  await Promise.resolve();
  expect(entered).toBe(false);
  first();
  (await third)();
  await gate.acquire(10);
});

test('giving back twice counts once', async () => {
  const gate = new UploadGate(10);
  const release = await gate.acquire(5);
  release();
  release();
  await gate.acquire(10);
  const state = await Promise.race([gate.acquire(1).then(() => 'entered'), Promise.resolve('waiting')]);
  expect(state).toBe('waiting');
});

test('more than the capacity is refused, since it would wait for ever', async () => {
  await expect(new UploadGate(10).acquire(11)).rejects.toThrow(RangeError);
});

test('in any order of requests: never more than the capacity, first come first served, all served', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(10), { maxLength: 30 }), fc.infiniteStream(fc.nat(3)), async (sizes, turns) => {
      const gate = new UploadGate(10);
      const entered: number[] = [];
      let held = 0;
      await Promise.all(
        sizes.map(async (bytes, index) => {
          const release = await gate.acquire(bytes);
          entered.push(index);
          held += bytes;
          expect(held).toBeLessThanOrEqual(10);
          for (let turn = turns.next().value ?? 0; turn > 0; turn--) await Promise.resolve();
          held -= bytes;
          release();
        }),
      );
      expect(entered).toEqual(sizes.map((_, index) => index));
    }),
  );
});
