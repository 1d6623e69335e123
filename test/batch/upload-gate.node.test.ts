import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { UploadGate } from '../../src/batch/upload-gate.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

test('what a holder had comes back when it is lost without a word', async () => {
  const gate = new UploadGate(10);
  await gate.acquire(10);
  let entered = false;
  const next = gate.acquire(10).then(() => {
    entered = true;
  });
  for (let turn = 0; turn < 100 && !entered; turn++) {
    collect();
    await new Promise((done) => setImmediate(done));
  }
  expect(entered).toBe(true);
  await next;
});

test('so it does when the one lost was still waiting', async () => {
  const gate = new UploadGate(10);
  const first = await gate.acquire(10);
  gate.acquire(10);
  const next = gate.acquire(10);
  first();
  let entered = false;
  next.then(() => {
    entered = true;
  });
  for (let turn = 0; turn < 100 && !entered; turn++) {
    collect();
    await new Promise((done) => setImmediate(done));
  }
  expect(entered).toBe(true);
});

test('what a holder still has stays with it, however much is collected', async () => {
  const gate = new UploadGate(10);
  const release = await gate.acquire(10);
  let entered = false;
  const next = gate.acquire(10).then(() => {
    entered = true;
  });
  for (let turn = 0; turn < 20; turn++) {
    collect();
    await new Promise((done) => setImmediate(done));
  }
  expect(entered).toBe(false);
  release();
  await next;
});
