import { describe, expect, test } from 'vitest';
import type { PlatformShell } from '../../src/platform/call-platform.ts';
import { type Check, ReadinessProbe } from '../../src/platform/readiness.ts';

/** A probe whose clock moves only when something waits for a timer. */
function bench(...checks: Check[]) {
  const time = { now: 1000 };
  const shell: PlatformShell = {
    random: () => 0.5,
    timer(milliseconds, late) {
      let cancelled = false;
      const ring = async () => {
        for (let turn = 0; turn < 20; turn++) await Promise.resolve();
        if (cancelled) return;
        time.now += milliseconds;
        late();
      };
      void ring();
      return () => {
        cancelled = true;
      };
    },
  };
  const failures: string[] = [];
  const failed = (name: string, error: unknown) => void failures.push(`${name}: ${error}`);
  return { time, failures, probe: new ReadinessProbe({ checks, keepMs: 5000, clock: () => time.now, failed, shell }) };
}

function counted(name: string, run: () => Promise<unknown> = async () => {}): Check & { count: number } {
  const check = {
    name,
    count: 0,
    run: () => {
      check.count++;
      return run();
    },
  };
  return check;
}

const hanging = () => new Promise<never>(() => {});

describe('the readiness', () => {
  test('has the time of each part that answered', async () => {
    const { probe } = bench(counted('a'), counted('b'));
    expect(await probe.readiness('VIE')).toEqual({ checks: { a: 0, b: 0 }, failing: [] });
  });

  test('names parts that fail or hang, and tells the log why', async () => {
    const broken = async () => {
      throw new Error('D1 is away');
    };
    const { probe, failures } = bench(counted('a'), counted('b', broken), counted('c', hanging));
    const { checks, failing } = await probe.readiness('VIE');
    expect([Object.keys(checks), failing]).toEqual([['a'], ['b', 'c']]);
    expect(failures.join()).toMatch(/b: .*D1 is away/);
    expect(failures.join()).toMatch(/c: .*no answer in 1500 ms/);
  });

  test('gives a part the time that it needs, and tells each where it is asked', async () => {
    const asked: string[] = [];
    const slow: Check = {
      name: 'lane',
      patience: { tries: 1, limitMs: 60_000, backOffMs: 0 },
      run: async (colo) => void asked.push(colo),
    };
    const { probe } = bench(slow, counted('a', hanging));
    expect(await probe.readiness('VIE')).toMatchObject({ checks: { lane: expect.any(Number) }, failing: ['a'] });
    expect(asked).toEqual(['VIE']);
  });

  test('is good when one call of two fails', async () => {
    let calls = 0;
    const { probe } = bench(
      counted('a', async () => {
        if (++calls === 1) throw new Error('5xx');
      }),
    );
    expect((await probe.readiness('VIE')).failing).toEqual([]);
  });

  test('is found at most once in its time, however many ask at once', async () => {
    const check = counted('a');
    const { probe, time } = bench(check);
    const answers = await Promise.all(Array.from({ length: 20 }, () => probe.readiness('VIE')));
    expect(check.count).toBe(1);
    expect(new Set(answers).size).toBe(1);
    time.now += 4000;
    await probe.readiness('VIE');
    expect(check.count).toBe(1);
    time.now += 5000;
    await probe.readiness('VIE');
    expect(check.count).toBe(2);
  });

  test('does not wait for ever for a probe whose request was cut', async () => {
    const check = counted('a', hanging);
    const { time } = bench();
    // Its timers never ring, as those of a request that the platform has ended.
    const probe = new ReadinessProbe({
      checks: [check],
      keepMs: 5000,
      clock: () => time.now,
      failed: () => {},
      shell: { random: () => 0, timer: (ms, late) => (ms === 25 ? wait(time, ms, late) : () => {}) },
    });
    void probe.readiness('VIE');
    check.run = async () => {};
    expect((await probe.readiness('VIE')).failing).toEqual([]);
    expect(time.now).toBeGreaterThan(4000);
    expect(time.now).toBeLessThan(5000);
  });
});

function wait(time: { now: number }, milliseconds: number, late: () => void): () => void {
  void Promise.resolve().then(() => {
    time.now += milliseconds;
    late();
  });
  return () => {};
}
