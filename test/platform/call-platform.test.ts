import { describe, expect, test } from 'vitest';
import { callPlatform, type Patience, PlatformError, type PlatformShell } from '../../src/platform/call-platform.ts';

const patience: Patience = { tries: 3, limitMs: 1000, backOffMs: 100 };

/** Time that passes at once, written down: every timer is due as soon as nothing else is. */
function shell(): PlatformShell & { readonly waited: number[] } {
  const waited: number[] = [];
  return {
    waited,
    random: () => 0.5,
    timer(milliseconds, late) {
      let cancelled = false;
      const ring = async () => {
        for (let turn = 0; turn < 20; turn++) await Promise.resolve();
        if (cancelled) return;
        waited.push(milliseconds);
        late();
      };
      void ring();
      return () => {
        cancelled = true;
      };
    },
  };
}

function failing(times: number, error: unknown = new Error('5xx')) {
  let calls = 0;
  const call = async () => {
    if (++calls <= times) throw error;
    return 'done';
  };
  return { call, count: () => calls };
}

describe('a call to the platform', () => {
  test('that succeeds is made once and nothing is waited for', async () => {
    const { call, count } = failing(0);
    const time = shell();
    expect(await callPlatform('R2 put', call, patience, time)).toBe('done');
    expect(count()).toBe(1);
    expect(time.waited).toEqual([]);
  });

  test('that fails twice is made three times, with pauses that double', async () => {
    const { call, count } = failing(2);
    const time = shell();
    expect(await callPlatform('R2 put', call, patience, time)).toBe('done');
    expect(count()).toBe(3);
    expect(time.waited).toEqual([50, 100]);
  });

  test('that always fails ends as a PlatformError that says what failed and why', async () => {
    const { call, count } = failing(9);
    const error = await callPlatform('R2 put', call, patience, shell()).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(PlatformError);
    expect((error as PlatformError).message).toBe('R2 put: 5xx');
    expect(count()).toBe(3);
  });

  test('that hangs is given up after its time and made again', async () => {
    let calls = 0;
    const call = () => (++calls === 1 ? new Promise<string>(() => {}) : Promise.resolve('done'));
    const time = shell();
    expect(await callPlatform('D1', call, patience, time)).toBe('done');
    expect(time.waited).toEqual([1000, 50]);
  });

  test.each([
    ['a Durable Object marks', Object.assign(new Error('busy'), { overloaded: true })],
    ['D1 words', new Error('D1_ERROR: D1 DB is overloaded. Too many requests queued.')],
  ])('is not repeated where the platform is overloaded, as %s it', async (_, reason) => {
    const { call, count } = failing(1, reason);
    const error = await callPlatform('call', call, patience, shell()).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: 'PlatformError', overloaded: true, reason });
    expect(count()).toBe(1);
  });
});
