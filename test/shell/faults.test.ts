import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { type FaultRates, FaultSchedule, type FaultSettings } from './fault-schedule.ts';
import { faultyEnv } from './faulty-env.ts';
import { RunningCalls } from './running-calls.ts';

function shell(settings: Omit<FaultSettings, 'seed'>, seed = 1) {
  const schedule = new FaultSchedule({ seed, ...settings });
  return { schedule, env: faultyEnv(env, schedule, new RunningCalls()) };
}

async function errorOf(work: Promise<unknown>): Promise<Error & Record<string, unknown>> {
  return await work.then(
    () => Promise.reject(new Error('nothing failed')),
    (error) => error,
  );
}

const unanswered = (work: Promise<unknown>) => Promise.race([work, scheduler.wait(50).then(() => 'no answer')]);

describe('a schedule', () => {
  const draw = (rates: Record<string, FaultRates>, seed: number) => {
    const schedule = new FaultSchedule({ seed, rates });
    return Array.from({ length: 2000 }, () => schedule.next('r2.put', ['fail', 'hang']));
  };

  test('with the same seed gives the same faults, about as often as it says', () => {
    const drawn = draw({ r2: { fail: 0.1 } }, 3);
    expect(draw({ r2: { fail: 0.1 } }, 3)).toEqual(drawn);
    expect(draw({ r2: { fail: 0.1 } }, 4)).not.toEqual(drawn);
    const failed = drawn.filter((fault) => fault === 'fail').length;
    expect(failed).toBeGreaterThan(140);
    expect(failed).toBeLessThan(260);
  });

  test('goes by the longest name that fits', () => {
    expect(draw({ r2: { fail: 1 }, 'r2.put': { hang: 1 } }, 1)[0]).toBe('hang');
    expect(draw({ d1: { fail: 1 } }, 1)[0]).toBeUndefined();
  });

  test('counts calls and the faults that were done', () => {
    const schedule = new FaultSchedule({ seed: 1, calls: [{ kind: 'r2.put', call: 2, fault: 'lost' }] });
    const faults = [1, 2, 3].map(() => schedule.next('r2.put', ['lost']));
    expect(faults).toEqual([undefined, 'lost', undefined]);
    expect(schedule.calls.get('r2.put')).toBe(3);
    expect(Object.fromEntries(schedule.faults)).toEqual({ 'r2.put lost': 1 });
  });
});

describe('R2', () => {
  test('is itself where nothing goes wrong', async () => {
    const { env: calm, schedule } = shell({});
    await calm.BUCKET.put('shell/a', 'content', { customMetadata: { a: 'b' } });
    expect(await (await calm.BUCKET.get('shell/a'))!.text()).toBe('content');
    expect((await calm.BUCKET.head('shell/a'))!.customMetadata).toEqual({ a: 'b' });
    expect((await calm.BUCKET.list({ prefix: 'shell/a' })).objects).toHaveLength(1);
    await calm.BUCKET.delete('shell/a');
    expect(await calm.BUCKET.get('shell/a')).toBeNull();
    expect(schedule.faults.size).toBe(0);
    expect([...schedule.calls.keys()].sort()).toEqual([
      'r2.body',
      'r2.delete',
      'r2.get',
      'r2.head',
      'r2.list',
      'r2.put',
    ]);
  });

  test('fails in its own words and does nothing, or does it and loses the answer', async () => {
    const { env: faulty } = shell({
      calls: [
        { kind: 'r2.put', call: 1, fault: 'fail' },
        { kind: 'r2.put', call: 2, fault: 'lost' },
      ],
    });
    const failed = await errorOf(faulty.BUCKET.put('shell/b', 'x'));
    expect(failed.message).toBe('put: We encountered an internal error. Please try again. (10001)');
    expect(await env.BUCKET.head('shell/b')).toBeNull();
    expect((await errorOf(faulty.BUCKET.put('shell/b', 'x'))).message).toBe(failed.message);
    expect(await env.BUCKET.head('shell/b')).not.toBeNull();
  });

  test('hangs', async () => {
    const { env: faulty } = shell({ rates: { r2: { hang: 1 } } });
    expect(await unanswered(faulty.BUCKET.head('shell/c'))).toBe('no answer');
  });

  test('refuses two writes of one key at once', async () => {
    const { env: calm, schedule } = shell({});
    const writes = ['1', '2'].map((text) => calm.BUCKET.put('shell/d', text));
    expect((await errorOf(Promise.all(writes))).message).toMatch(/\(10058\)$/);
    expect(schedule.faults.get('r2.put overlapping')).toBe(1);
    await Promise.allSettled(writes);
    expect(await calm.BUCKET.put('shell/d', '3')).toMatchObject({ size: 1 });
  });

  test('breaks a body off in the middle', async () => {
    await env.BUCKET.put('shell/e', new Uint8Array(1000));
    const { env: faulty } = shell({ rates: { 'r2.body': { broken: 1 } } });
    const reader = (await faulty.BUCKET.get('shell/e'))!.body.getReader({ mode: 'byob' });
    expect((await reader.read(new Uint8Array(1000))).value).toHaveLength(500);
    await expect(reader.read(new Uint8Array(1000))).rejects.toThrow('Network connection lost.');
  });
});

describe('D1', () => {
  const insert = "INSERT INTO accounts (id, name, plan, suspended, created_at) VALUES (?, 'shell', 'free', 0, 1)";
  const count = async (id: string) =>
    await env.DB.prepare('SELECT count(*) AS n FROM accounts WHERE id = ?').bind(id).first<number>('n');

  test('is itself where nothing goes wrong, in batches and sessions too', async () => {
    const { DB } = shell({}).env;
    await DB.batch([DB.prepare(insert).bind('shell-1'), DB.prepare(insert).bind('shell-2')]);
    const session = DB.withSession('first-unconstrained');
    const { results } = await session.prepare("SELECT id FROM accounts WHERE id LIKE 'shell-%' ORDER BY id").all();
    expect(results).toEqual([{ id: 'shell-1' }, { id: 'shell-2' }]);
  });

  test.each([
    ['fail', /^D1_ERROR: .+\.$/, 0],
    ['overloaded', /^D1_ERROR: D1 DB is overloaded\./, 0],
    ['lost', /^D1_ERROR: /, 1],
  ] as const)('%s', async (fault, words, rows) => {
    const { DB } = shell({ calls: [{ kind: 'd1.run', call: 1, fault }] }).env;
    const error = await errorOf(DB.prepare(insert).bind(`shell-${fault}`).run());
    expect(error.message).toMatch(words);
    expect(error.retryable).toBeUndefined();
    expect(await count(`shell-${fault}`)).toBe(rows);
  });

  test('does a query twice', async () => {
    const { DB } = shell({ calls: [{ kind: 'd1.run', call: 1, fault: 'twice' }] }).env;
    await expect(DB.prepare(insert).bind('shell-twice').run()).rejects.toThrow('UNIQUE');
    expect(await count('shell-twice')).toBe(1);
  });
});

describe('Durable Objects', () => {
  const object = (bindings: Pick<typeof env, 'LEDGER'>, name: string) =>
    bindings.LEDGER.get(bindings.LEDGER.idFromName(name));

  test('are themselves where nothing goes wrong', async () => {
    const { env: calm, schedule } = shell({});
    expect(await object(calm, 'shell-1').topUp('reference', 5)).toEqual({ added: true });
    expect((await object(env, 'shell-1').usage('free')).aiCredits.topUp).toBe(5);
    expect(schedule.calls.get('LEDGER.topUp')).toBe(1);
  });

  test('break the connection; the stub is of no more use, another one is', async () => {
    const { env: faulty } = shell({ calls: [{ kind: 'LEDGER.usage', call: 1, fault: 'fail' }] });
    const stub = object(faulty, 'shell-2');
    expect(await errorOf(stub.usage('free'))).toMatchObject({ message: 'Network connection lost.', retryable: true });
    await expect(stub.usage('free')).rejects.toThrow('Network connection lost.');
    expect(await object(faulty, 'shell-2').usage('free')).toMatchObject({ plan: 'free' });
  });

  test('are overloaded, lose an answer, do a call twice', async () => {
    const faults = (['overloaded', 'lost', 'twice'] as const).map((fault, at) => ({
      kind: 'LEDGER.topUp',
      call: at + 1,
      fault,
    }));
    const { env: faulty } = shell({ calls: faults });
    const topUp = (reference: string) => object(faulty, 'shell-3').topUp(reference, 1);
    expect(await errorOf(topUp('a'))).toMatchObject({ overloaded: true });
    expect(await errorOf(topUp('b'))).toMatchObject({ durableObjectReset: true });
    expect(await topUp('c')).toEqual({ added: false });
    expect((await object(env, 'shell-3').usage('free')).aiCredits.topUp).toBe(2);
  });
});
