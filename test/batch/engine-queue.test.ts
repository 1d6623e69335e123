import { AsyncLocalStorage } from 'node:async_hooks';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { EngineQueue, type QueueAnswer, type QueueClock, type QueueLimits } from '../../src/batch/engine-queue.ts';

const usual: QueueLimits = { length: 20, ageMs: 15_000, silenceMs: 5_000 };

interface Timer {
  at: number;
  /** Undefined where it is set once. */
  readonly every: number | undefined;
  readonly run: () => void;
}

/** Time as the test makes it pass: timers run in their order, each after everything that the one before has set going. */
class FakeClock implements QueueClock {
  #now = 0;
  readonly #timers = new Set<Timer>();

  now = () => this.#now;

  wait(milliseconds: number): Promise<void> {
    return new Promise((resolve) => void this.#set(milliseconds, undefined, resolve));
  }

  every(milliseconds: number, tick: () => void): () => void {
    return this.#set(milliseconds, milliseconds, tick);
  }

  /** Lets time pass, and all timers run that are due. */
  async pass(milliseconds: number): Promise<void> {
    const end = this.#now + milliseconds;
    await settled();
    for (let next = this.#next(end); next !== undefined; next = this.#next(end)) {
      this.#now = Math.max(this.#now, next.at);
      if (next.every === undefined) this.#timers.delete(next);
      else next.at = this.#now + next.every;
      next.run();
      await settled();
    }
    this.#now = end;
  }

  /** A computation that takes so long: no timer runs meanwhile, and all that were due are late. */
  compute(milliseconds: number): void {
    this.#now += milliseconds;
  }

  #set(milliseconds: number, every: number | undefined, run: () => void): () => void {
    const timer = { at: this.#now + milliseconds, every, run };
    this.#timers.add(timer);
    return () => void this.#timers.delete(timer);
  }

  #next(end: number): Timer | undefined {
    const due = [...this.#timers].filter(({ at }) => at <= end);
    return due.sort((a, b) => a.at - b.at)[0];
  }
}

/** A request that the platform may end without another line of it being run. */
class Request implements QueueClock {
  dead = false;
  readonly #clock: FakeClock;

  constructor(clock: FakeClock) {
    this.#clock = clock;
  }

  /** The queue asks for the time before it does anything: here ends whoever is woken and is dead. */
  now = () => {
    if (this.dead) throw new Error('a dead request runs on');
    return this.#clock.now();
  };

  wait(milliseconds: number): Promise<void> {
    return new Promise((resolve) => void this.#clock.wait(milliseconds).then(() => this.dead || resolve()));
  }

  every(milliseconds: number, tick: () => void): () => void {
    return this.#clock.every(milliseconds, () => this.dead || tick());
  }
}

/** On whose behalf code runs, however often it waited and whoever woke it. */
const requests = new AsyncLocalStorage<Request>();

function kill(request: Request): void {
  request.dead = true;
}

/** Lets everything run that waits for nothing outside. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 30; turn++) await Promise.resolve();
}

/** A queue on such a clock, in which every request has timers of its own. */
function bench(limits: Partial<QueueLimits> = {}) {
  const clock = new FakeClock();
  const own = (): QueueClock => requests.getStore() ?? clock;
  const queue = new EngineQueue(
    { ...usual, ...limits },
    {
      now: () => own().now(),
      wait: (milliseconds) => own().wait(milliseconds),
      every: (milliseconds, tick) => own().every(milliseconds, tick),
    },
  );
  const began: string[] = [];
  const ended = new Map<string, QueueAnswer<string>>();
  /** Puts a task in. One without `lasts` never ends. */
  const put = (name: string, { account = name, weight = 1, lasts }: Put = {}): Request => {
    const request = new Request(clock);
    const task = async () => {
      began.push(name);
      await (lasts === undefined ? new Promise<never>(() => {}) : request.wait(lasts));
      return name;
    };
    const answer = requests.run(request, () => queue.run({ accountId: account, weight }, task));
    // A dead request has no answer.
    answer.then(
      (value) => void ended.set(name, value),
      () => {},
    );
    return request;
  };
  return { clock, queue, began, ended, put };
}

interface Put {
  readonly account?: string;
  readonly weight?: number;
  readonly lasts?: number;
}

const done = (value: string) => ({ kind: 'done', value });

test('a task runs at once where nobody else does, and its value comes back', async () => {
  const { clock, ended, put } = bench();
  put('a', { lasts: 0 });
  await clock.pass(0);
  expect(ended.get('a')).toEqual(done('a'));
});

test('tasks of an account run one at a time, in the order in which they came', async () => {
  const { clock, began, ended, put } = bench();
  for (const name of ['1', '2', '3']) put(name, { account: 'a', lasts: 1000 });
  await clock.pass(500);
  expect(began).toEqual(['1']);
  await clock.pass(1000);
  expect(began).toEqual(['1', '2']);
  await clock.pass(5000);
  expect([...ended.values()]).toEqual(['1', '2', '3'].map(done));
});

test.each([
  ['rejects', () => Promise.reject(new Error('defect'))],
  [
    'throws at once',
    () => {
      throw new Error('defect');
    },
  ],
])('a task that %s passes its error on and frees the engine', async (_, task) => {
  const { queue, clock, ended, put } = bench();
  const failing = queue.run({ accountId: 'a', weight: 1 }, task as () => Promise<never>);
  put('next', { lasts: 0 });
  await expect(failing).rejects.toThrow('defect');
  await clock.pass(1000);
  expect(ended.get('next')).toEqual(done('next'));
});

describe('the bound', () => {
  test('of all that wait: past it the answer is busy at once, and there is room again when one has begun', async () => {
    const { clock, began, ended, put } = bench({ length: 4 });
    for (const account of ['a', 'b', 'c', 'd', 'e']) put(account, { lasts: 1000 });
    put('refused', { lasts: 0 });
    await clock.pass(0);
    expect(ended.get('refused')).toMatchObject({ kind: 'busy' });
    await clock.pass(1500);
    put('late', { lasts: 0 });
    await clock.pass(10_000);
    expect(ended.get('late')).toEqual(done('late'));
    expect(began).not.toContain('refused');
  });

  test('of one account is half of it, so that there is room for others', async () => {
    const { clock, ended, put } = bench({ length: 4 });
    for (const name of ['1', '2', '3', '4']) put(name, { account: 'greedy', lasts: 1000 });
    put('other', { lasts: 0 });
    await clock.pass(0);
    expect([...ended]).toEqual([['4', expect.objectContaining({ kind: 'busy' })]]);
    await clock.pass(10_000);
    expect(ended.get('other')).toEqual(done('other'));
  });
});

describe('between accounts', () => {
  test('a newcomer comes before the rest of a long row', async () => {
    const { clock, began, put } = bench();
    for (const name of ['1', '2', '3', '4', '5']) put(name, { account: 'long', lasts: 1000 });
    await clock.pass(1500);
    put('new', { lasts: 1000 });
    await clock.pass(10_000);
    expect(began.slice(0, 4)).toEqual(['1', '2', 'new', '3']);
  });

  test('time is shared by weight, whatever the length of each task', async () => {
    const { clock, began, put } = bench({ length: 400, ageMs: 1_000_000 });
    const had = { light: 0, heavy: 0 };
    for (let at = 0; at < 100; at++) {
      put(`light ${at}`, { account: 'light', weight: 1, lasts: 300 });
      put(`heavy ${at}`, { account: 'heavy', weight: 4, lasts: 100 });
    }
    await clock.pass(12_000);
    for (const name of began) had[name.split(' ')[0] as keyof typeof had] += name.startsWith('light') ? 300 : 100;
    expect(had.heavy / had.light).toBeGreaterThan(3);
    expect(had.heavy / had.light).toBeLessThan(5);
  });
});

describe('age', () => {
  test('bounds the wait of an account of which nothing runs, and says when to come again', async () => {
    const { clock, ended, put } = bench();
    put('large', { lasts: 60_000 });
    put('waiting', { lasts: 0 });
    await clock.pass(15_000);
    expect(ended.size).toBe(0);
    await clock.pass(1500);
    expect([...ended]).toEqual([['waiting', { kind: 'busy', retryAfterSeconds: expect.any(Number) }]]);
  });

  test('does not hit the tasks of an account that is served', async () => {
    const { clock, ended, put } = bench();
    for (const name of ['1', '2', '3']) put(name, { account: 'a', lasts: 30_000 });
    await clock.pass(100_000);
    expect([...ended.values()]).toEqual(['1', '2', '3'].map(done));
  });
});

test('a refused caller is told to wait about one turn of all accounts that wait, within a minute', async () => {
  const { clock, ended, put } = bench({ length: 4 });
  for (let round = 0; round < 20; round++) {
    put(`long ${round}`, { account: 'a', lasts: 4000 });
    await clock.pass(4500);
  }
  for (const account of ['a', 'b', 'c', 'd', 'e', 'refused']) put(account, { lasts: 4000 });
  await clock.pass(0);
  const { retryAfterSeconds } = ended.get('refused') as { retryAfterSeconds: number };
  expect(retryAfterSeconds).toBeGreaterThanOrEqual(15);
  expect(retryAfterSeconds).toBeLessThanOrEqual(25);

  const hasty = bench({ length: 1 });
  for (const account of ['a', 'b', 'c']) hasty.put(account, { lasts: 1 });
  await hasty.clock.pass(0);
  expect(hasty.ended.get('c')).toEqual({ kind: 'busy', retryAfterSeconds: 2 });
});

describe('a running task', () => {
  test('that is dead is passed after its silence, although its promise never settles', async () => {
    const { clock, began, ended, put } = bench();
    const dead = put('dead');
    put('next', { lasts: 100 });
    await clock.pass(1500);
    dead.dead = true;
    await clock.pass(5000);
    expect(began).toEqual(['dead']);
    await clock.pass(5000);
    expect([...ended]).toEqual([['next', done('next')]]);
  });

  test('that lives is never passed, however long it takes', async () => {
    const { clock, began, put } = bench();
    put('long', { account: 'a', lasts: 600_000 });
    put('next', { account: 'a', lasts: 0 });
    await clock.pass(599_000);
    expect(began).toEqual(['long']);
  });

  test('that computes for long without a pause is not taken for dead: its sign of life comes after one late look', async () => {
    const { clock, began, put } = bench();
    put('long', { account: 'a', lasts: 300_000 });
    put('next', { account: 'a', lasts: 0 });
    for (let round = 0; round < 10; round++) {
      await clock.pass(700);
      clock.compute(20_000);
      // All timers are late now; those of the task that waits run before those of the one that computed.
    }
    await clock.pass(3000);
    expect(began).toEqual(['long']);
  });

  test('that was passed and comes back after all neither lets a second one in nor counts twice', async () => {
    const { clock, queue, began, put } = bench();
    const lost = put('lost', { lasts: 20_000 });
    await clock.pass(1500);
    lost.dead = true;
    put('second', { lasts: 30_000 });
    await clock.pass(9000);
    expect(began).toEqual(['lost', 'second']);
    lost.dead = false;
    put('third', { account: 'second', lasts: 0 });
    await clock.pass(12_000);
    expect(began).toEqual(['lost', 'second']);
    expect(queue.inUse).toBe(true);
    await clock.pass(30_000);
    expect(began).toEqual(['lost', 'second', 'third']);
  });
});

test('dead tasks that wait are passed over, and make room', async () => {
  const { clock, began, ended, put } = bench({ length: 3, ageMs: 60_000 });
  put('running', { lasts: 10_000 });
  const dead = [put('dead 1', { lasts: 0 }), put('dead 2', { lasts: 0 })];
  put('alive', { lasts: 0 });
  await clock.pass(1000);
  for (const request of dead) request.dead = true;
  put('refused');
  await clock.pass(11_000);
  expect(began).toEqual(['running', 'alive']);
  expect(ended.get('refused')).toMatchObject({ kind: 'busy' });
  await clock.pass(60_000);
  put('late', { lasts: 0 });
  await clock.pass(1000);
  expect(ended.get('late')).toEqual(done('late'));
});

test('an engine is in use while a task runs or waits, and not for dead ones', async () => {
  const { clock, queue, put } = bench();
  expect(queue.inUse).toBe(false);
  const running = put('running', { lasts: 3000 });
  const waiting = put('waiting', { lasts: 0 });
  await clock.pass(1000);
  expect(queue.inUse).toBe(true);
  waiting.dead = true;
  running.dead = true;
  for (let look = 0; look < 20; look++) {
    await clock.pass(500);
    void queue.inUse;
  }
  expect(queue.inUse).toBe(false);
});

test('however tasks come, end and die, none runs beside another and every living one is answered', async () => {
  const task = fc.record({
    account: fc.constantFrom('a', 'b', 'c'),
    weight: fc.constantFrom(1, 2, 8),
    lasts: fc.integer({ min: 0, max: 4000 }),
    after: fc.integer({ min: 0, max: 2000 }),
    diesAfter: fc.option(fc.integer({ min: 0, max: 6000 }), { freq: 4 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(task, { maxLength: 15 }), fc.integer({ min: 1, max: 10 }), async (tasks, length) => {
      const { clock, queue } = bench({ length });
      const running = new Set<Request>();
      const answers = new Map<number, string>();
      const living: number[] = [];
      for (const [at, { account, weight, lasts, after, diesAfter }] of tasks.entries()) {
        await clock.pass(after);
        const request = new Request(clock);
        const turn = async () => {
          for (const other of running) expect(other.dead).toBe(true);
          running.add(request);
          await request.wait(lasts);
          running.delete(request);
        };
        const answer = requests.run(request, () => queue.run({ accountId: account, weight }, turn));
        answer.then(
          ({ kind }) => void answers.set(at, kind),
          (error) => void (request.dead || answers.set(at, String(error))),
        );
        if (diesAfter === null) living.push(at);
        else void clock.wait(diesAfter).then(() => kill(request));
      }
      await clock.pass(tasks.length * 20_000);
      for (const at of living) expect(answers.get(at), `task ${at}`).toMatch(/done|busy/);
    }),
    { numRuns: 60 },
  );
});
