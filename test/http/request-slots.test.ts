import { expect, test } from 'vitest';
import { plans } from '../../src/credits/plans.ts';
import { RequestError } from '../../src/errors.ts';
import { RequestSlots } from '../../src/http/request-slots.ts';
import { limits } from '../../src/limits.ts';
import { ManualClock, settle } from '../support/manual-clock.ts';

const free = { accountId: 'one', plan: 'free' } as const;

function refusalOf(act: () => unknown): RequestError {
  try {
    act();
  } catch (error) {
    expect(error).toBeInstanceOf(RequestError);
    return error as RequestError;
  }
  throw new Error('it was not refused');
}

test.each(['free', 'starter', 'agency'] as const)(
  '%s: as many requests at once as the plan says; the next is 429 at once',
  (plan) => {
    const slots = new RequestSlots(new ManualClock());
    const most = plans[plan].requestsAtOnce;
    const taken = Array.from({ length: most }, () => slots.enter({ accountId: 'one', plan }));
    const { code, message, details } = refusalOf(() => slots.enter({ accountId: 'one', plan }));
    expect([code, details]).toEqual(['rate_limited', { retryAfterSeconds: expect.any(Number) }]);
    expect(message).toMatch(new RegExp(`${plan} plan allows ${most} requests at once.*Wait`));
    slots.enter({ accountId: 'another', plan });
    taken[0]!.leave();
    slots.enter({ accountId: 'one', plan });
  },
);

test('half as many upload; the others wait in order, up to 10 seconds', async () => {
  const clock = new ManualClock();
  const slots = new RequestSlots(clock);
  const begun: number[] = [];
  const ends = [0, 1, 2, 3].map(() => Promise.withResolvers<void>());
  const uploads = ends.map(({ promise }, at) =>
    slots.enter(free).upload(() => {
      begun.push(at);
      return promise;
    }),
  );
  const last = uploads[3]!.catch((error: unknown) => error);
  await settle();
  expect(begun).toEqual([0, 1]);
  await clock.advance(5000);
  ends[1]!.resolve();
  await clock.advance(250);
  expect(begun).toEqual([0, 1, 2]);
  await clock.advance(limits.uploadQueueSeconds * 1000 - 5250);
  const refused = (await last) as RequestError;
  expect([refused.code, refused.message]).toEqual([
    'rate_limited',
    expect.stringMatching(/free plan allows 2 uploads at once.*10 seconds/),
  ]);
  expect(begun).toEqual([0, 1, 2]);
});

test('an upload that fails gives its place back', async () => {
  const slots = new RequestSlots(new ManualClock());
  for (let turn = 0; turn < 10; turn++) {
    const slot = slots.enter(free);
    await expect(slot.upload(() => Promise.reject(new Error('broken off')))).rejects.toThrow('broken off');
    slot.leave();
  }
});

test('slots of requests that the platform cut lapse; those of requests that only take long do not', async () => {
  const clock = new ManualClock();
  const slots = new RequestSlots(clock);
  for (let count = 0; count < 4; count++) slots.enter(free);
  for (let turn = 0; turn < 10; turn++) {
    await clock.advance(30_000);
    refusalOf(() => slots.enter(free));
  }
  clock.cut();
  let waited = 0;
  const enter = () => {
    try {
      return slots.enter(free);
    } catch {
      return undefined;
    }
  };
  for (; enter() === undefined; waited += 5) await clock.advance(5000);
  expect(waited).toBeLessThanOrEqual(45);
});

test('an isolate that computed for a minute takes nobody for dead', async () => {
  const clock = new ManualClock();
  const slots = new RequestSlots(clock);
  for (let count = 0; count < 4; count++) slots.enter(free);
  // Whoever asks is the first to run after it: the timers of the others are late.
  clock.jump(60_000);
  refusalOf(() => slots.enter(free));
  await clock.advance(20_000);
  refusalOf(() => slots.enter(free));
});

test('a change of plan holds from the next request on', () => {
  const slots = new RequestSlots(new ManualClock());
  const before = Array.from({ length: 4 }, () => slots.enter(free));
  slots.enter({ ...free, plan: 'starter' });
  for (const slot of before) slot.leave();
  for (let count = 1; count < 8; count++) slots.enter({ ...free, plan: 'starter' });
  refusalOf(() => slots.enter({ ...free, plan: 'starter' }));
});
