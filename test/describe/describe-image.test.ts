import { expect, test } from 'vitest';
import { describeImage, type SetTimer } from '../../src/describe/describe-image.ts';
import type { DescriptionRequest } from '../../src/describe/description.ts';
import { type Provider, ProviderError } from '../../src/describe/providers/provider.ts';

const request: DescriptionRequest = { altText: true, seoName: true, language: 'English', originalName: 'a.jpg' };
const picture = { jpeg: Uint8Array.of(0xff, 0xd8) };
const good = { altText: 'Red barn under a blue sky', seoName: 'red-barn-blue-sky' };

/** A timer that a test lets run out. */
function handTimer() {
  const timers = new Set<() => void>();
  const asked: number[] = [];
  const setTimer: SetTimer = (run, milliseconds) => {
    asked.push(milliseconds);
    timers.add(run);
    return () => void timers.delete(run);
  };
  return { setTimer, asked, running: () => timers.size, runOut: () => timers.forEach((run) => void run()) };
}

function provider(answer: Provider['answer']): Provider {
  return { id: 'openai', kind: 'model', answer };
}

/** Never answers, whatever becomes of its signal. */
const deaf = provider(() => new Promise(() => {}));

test('one timer covers all tries and is cleared in the end', async () => {
  const timer = handTimer();
  const answers: unknown[] = ['nonsense', good];
  const described = await describeImage(request, picture, {
    provider: provider(async () => answers.shift()),
    timeoutMs: 777,
    setTimer: timer.setTimer,
  });
  expect(described).toEqual({ ...good, calls: 2 });
  expect([timer.asked, timer.running()]).toEqual([[777], 0]);
});

test('a provider that does not heed the signal is given up all the same', async () => {
  const timer = handTimer();
  const described = describeImage(request, picture, { provider: deaf, timeoutMs: 1, setTimer: timer.setTimer });
  timer.runOut();
  expect(await described).toEqual({ calls: 1, failure: 'timeout' });
});

test('what the first try brought is kept when time runs out in the second', async () => {
  const timer = handTimer();
  let calls = 0;
  const { promise: second, resolve: tellSecond } = Promise.withResolvers<void>();
  const halting = provider(async () => {
    if (++calls === 1) return { altText: good.altText };
    tellSecond();
    return await new Promise(() => {});
  });
  const described = describeImage(request, picture, { provider: halting, timeoutMs: 1, setTimer: timer.setTimer });
  await second;
  timer.runOut();
  expect(await described).toEqual({ altText: good.altText, calls: 2 });
});

test('a description that nobody needs any more ends the call', async () => {
  const abandoned = new AbortController();
  let seen: AbortSignal | undefined;
  const listening = provider((_request, _picture, signal) => {
    seen = signal;
    return new Promise(() => {});
  });
  const described = describeImage(request, picture, {
    provider: listening,
    timeoutMs: 60_000,
    abandoned: abandoned.signal,
  });
  abandoned.abort();
  expect(await described).toMatchObject({ failure: expect.any(String) });
  expect(seen?.aborted).toBe(true);
});

test.each<[string, unknown, object]>([
  ['an error of the provider', new ProviderError('overloaded', '429'), { failure: 'overloaded', code: '429' }],
  ['a defect', new TypeError('undefined is not a function'), { failure: 'unavailable' }],
  ['no error at all', undefined, { failure: 'unavailable' }],
])('%s is a failure, not an exception', async (_, error, failure) => {
  const failing = provider(() => Promise.reject(error));
  expect(await describeImage(request, picture, { provider: failing, timeoutMs: 60_000 })).toEqual({
    calls: 1,
    ...failure,
  });
});

test('a provider that throws at once is a failure too', async () => {
  const throwing = provider(() => {
    throw new RangeError('now');
  });
  expect(await describeImage(request, picture, { provider: throwing, timeoutMs: 60_000 })).toMatchObject({
    failure: 'unavailable',
  });
});
