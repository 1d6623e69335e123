import { expect, test } from 'vitest';
import { apiError, ConnectionError } from '../../../packages/client/src/errors.ts';
import { withRetries } from '../../../packages/client/src/retry.ts';

const answer = (status: number, error: string, retryAfter: string | null = null) =>
  apiError(status, (name) => (name === 'retry-after' ? retryAfter : null), JSON.stringify({ error, message: 'm' }));

/** How often a call that always fails this way is made, and how long is waited in between. */
async function tries(error: unknown, random = 0.5): Promise<{ made: number; pauses: number[] }> {
  const pauses: number[] = [];
  let made = 0;
  const policy = { tries: 4, random: () => random, sleep: async (pause: number) => void pauses.push(pause) };
  const call = async () => {
    made++;
    throw error;
  };
  await expect(withRetries(call, policy, undefined)).rejects.toBe(error);
  return { made, pauses };
}

test('what may help is repeated, with full jitter that grows', async () => {
  const lost = new ConnectionError('lost');
  expect(await tries(lost)).toEqual({ made: 4, pauses: [250, 500, 1000] });
  expect((await tries(lost, 0)).pauses).toEqual([0, 0, 0]);
  for (const status of [408, 429, 500, 503]) expect((await tries(answer(status, 'x'))).made).toBe(4);
  expect((await tries(answer(409, 'idempotency_conflict'))).made).toBe(4);
});

test('Retry-After wins, unless it asks for more than a minute', async () => {
  expect((await tries(answer(429, 'rate_limited', '7'))).pauses).toEqual([7000, 7000, 7000]);
  expect(await tries(answer(503, 'service_busy', '600'))).toEqual({ made: 1, pauses: [] });
});

test('what stays as it is is not repeated', async () => {
  for (const [status, error] of [
    [400, 'invalid_request'],
    [401, 'Unauthorized'],
    [403, 'plan_limit_reached'],
    [409, 'key_limit_reached'],
    [422, 'idempotency_mismatch'],
  ] as const) {
    expect((await tries(answer(status, error))).made).toBe(1);
  }
  expect((await tries(new TypeError('a defect'))).made).toBe(1);
});

test('a call that works is made once, and nothing is tried again after it was given up', async () => {
  const controller = new AbortController();
  const policy = { tries: 4, random: () => 0, sleep: async () => {} };
  expect(await withRetries(async () => 7, policy, undefined)).toBe(7);
  let made = 0;
  const call = async () => {
    made++;
    controller.abort();
    throw new ConnectionError('lost');
  };
  await expect(withRetries(call, policy, controller.signal)).rejects.toThrow('lost');
  expect(made).toBe(1);
});
