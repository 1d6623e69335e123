import { expect, test } from 'vitest';
import { UploadGate } from '../../src/batch/upload-gate.ts';
import type { UploadShare } from '../../src/batch/upload-share.ts';
import { RequestError } from '../../src/errors.ts';
import { limits } from '../../src/limits.ts';
import { ManualClock, settle } from '../support/manual-clock.ts';

const FLOOR = 10;

function gateOf(bytes: number, uploads = 8) {
  const clock = new ManualClock();
  return { clock, gate: new UploadGate(bytes, { uploads, floorBytes: FLOOR, clock }) };
}

/** Whether a promise is fulfilled once all that can run has run. */
async function isDone(promise: Promise<unknown>): Promise<boolean> {
  let done = false;
  promise.then(
    () => {
      done = true;
    },
    () => {},
  );
  await settle();
  return done;
}

/** Has the share do what a file in it does when it is asked: store all and give it back. */
function obedient(share: UploadShare, bytes: number): { asked: number } {
  const state = { asked: 0 };
  share.listen(() => {
    if (state.asked++ > 0) return;
    share.storing(bytes);
    queueMicrotask(() => {
      share.shrink(bytes);
      share.heard();
    });
  });
  return state;
}

async function refusal(waiting: Promise<unknown>): Promise<RequestError> {
  const error = await waiting.catch((e: unknown) => e);
  expect(error).toBeInstanceOf(RequestError);
  return error as RequestError;
}

test('the floor is every upload’s own; what is above it is shared and comes back', async () => {
  const { gate } = gateOf(30);
  const [one, other] = [await gate.enter(), await gate.enter()];
  await one.grow(FLOOR);
  await other.grow(FLOOR);
  expect(gate.free).toBe(30);
  await one.grow(25);
  expect(gate.free).toBe(5);
  one.shrink(20);
  expect(gate.free).toBe(25);
  one.leave();
  other.leave();
  expect(gate.free).toBe(30);
});

test('where nothing is left, the upload with the most is asked, and nobody else', async () => {
  const { gate } = gateOf(100);
  const [small, large, next] = [await gate.enter(), await gate.enter(), await gate.enter()];
  await small.grow(FLOOR + 30);
  await large.grow(FLOOR + 70);
  const [asked, spared] = [obedient(large, FLOOR + 70), obedient(small, FLOOR + 30)];
  expect(await isDone(next.grow(FLOOR + 20))).toBe(true);
  expect([asked.asked, spared.asked, gate.free]).toEqual([1, 0, 50]);
});

test('while enough is being stored, nobody is asked', async () => {
  const { gate } = gateOf(100);
  const [storing, other, next] = [await gate.enter(), await gate.enter(), await gate.enter()];
  await storing.grow(FLOOR + 40);
  await other.grow(FLOOR + 60);
  storing.storing(FLOOR + 40);
  const spared = obedient(other, FLOOR + 60);
  const growing = next.grow(FLOOR + 20);
  expect(await isDone(growing)).toBe(false);
  storing.shrink(FLOOR + 40);
  expect([await isDone(growing), spared.asked]).toEqual([true, 0]);
});

test('waiting uploads are asked, too: two that wait for each other both go on', async () => {
  const { gate } = gateOf(20);
  const shares = [await gate.enter(), await gate.enter()];
  for (const share of shares) await share.grow(FLOOR + 10);
  const asked = shares.map((share) => obedient(share, FLOOR + 10));
  const growing = shares.map((share) => share.grow(10));
  expect(await Promise.all(growing.map(isDone))).toEqual([true, true]);
  expect(asked.some((state) => state.asked > 0)).toBe(true);
});

test('one that does not answer is not waited for: each second one more is asked', async () => {
  const { gate, clock } = gateOf(100);
  const [deaf, other, next] = [await gate.enter(), await gate.enter(), await gate.enter()];
  await deaf.grow(FLOOR + 60);
  await other.grow(FLOOR + 40);
  const second = obedient(other, FLOOR + 40);
  const growing = next.grow(FLOOR + 20);
  expect([await isDone(growing), second.asked]).toEqual([false, 0]);
  await clock.advance(1000);
  expect([await isDone(growing), second.asked]).toEqual([true, 1]);
});

test('memory that does not come for too long is 503 with Retry-After, and what is still waited for is forgotten', async () => {
  const { gate, clock } = gateOf(10);
  const [deaf, next] = [await gate.enter(), await gate.enter()];
  await deaf.grow(FLOOR + 10);
  const refused = refusal(next.grow(FLOOR + 5));
  let answered = false;
  void refused.then(() => {
    answered = true;
  });
  await clock.advance(limits.uploadMemorySeconds * 1000 - 1);
  expect(answered).toBe(false);
  await clock.advance(1);
  const { code, details } = await refused;
  expect([code, details]).toEqual(['service_busy', { retryAfterSeconds: expect.any(Number) }]);
  next.leave();
  deaf.leave();
  expect([gate.free, clock.pending]).toEqual([10, 0]);
});

test('places are given in order; who gets none in time is told 503', async () => {
  const { gate, clock } = gateOf(10, 2);
  const first = await gate.enter();
  await gate.enter();
  const third = gate.enter();
  const fourth = refusal(gate.enter());
  expect(await isDone(third)).toBe(false);
  first.leave();
  await clock.advance(250);
  expect(await isDone(third)).toBe(true);
  await clock.advance(limits.uploadQueueSeconds * 1000);
  expect((await fourth).code).toBe('service_busy');
});

test('what a request that the platform cut had comes back, place and memory', async () => {
  const { gate, clock } = gateOf(10, 1);
  const lost = await gate.enter();
  await lost.grow(FLOOR + 10);
  clock.cut();
  const next = (async () => {
    for (;;) {
      const share = await gate.enter().catch(() => undefined);
      if (share !== undefined) return share;
    }
  })();
  await clock.advance(60_000);
  expect(await isDone(next)).toBe(true);
  const growing = (await next).grow(FLOOR + 10);
  await clock.advance(2000);
  expect(await isDone(growing)).toBe(true);
});

test('what one has that only waits stays with it, however long', async () => {
  const { gate, clock } = gateOf(10, 1);
  await (await gate.enter()).grow(FLOOR + 10);
  for (let turn = 0; turn < 5; turn++) {
    const refused = refusal(gate.enter());
    await clock.advance(limits.uploadQueueSeconds * 1000);
    expect((await refused).code).toBe('service_busy');
  }
  expect(gate.free).toBe(0);
});

test('it is crowded while all places are taken', async () => {
  const { gate } = gateOf(30, 2);
  const one = await gate.enter();
  expect(gate.crowded).toBe(false);
  const other = await gate.enter();
  expect(gate.crowded).toBe(true);
  one.leave();
  expect(gate.crowded).toBe(false);
  other.leave();
});
