import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { JobQueue } from '../../src/batch/queue.ts';

const STALE = 1000;

/** A queue on a clock that the test sets. */
function bench(length: number) {
  const clock = { now: 0 };
  return { clock, queue: new JobQueue(length, STALE, () => clock.now) };
}

/** A task that says when it began and ends when it is told to. */
function heldTask() {
  const { promise, resolve } = Promise.withResolvers<string>();
  const run = () => {
    task.began = true;
    return promise;
  };
  const task = { began: false, run, end: resolve };
  return task;
}

/** Lets everything run that waits for nothing outside. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
}

test('a task runs and its value comes back', async () => {
  expect(await bench(1).queue.run(async () => 7)).toEqual({ kind: 'done', value: 7 });
});

test('tasks run one at a time, in the order in which they came', async () => {
  const { queue } = bench(10);
  const tasks = [heldTask(), heldTask(), heldTask()];
  const answers = tasks.map(({ run }) => queue.run(run));
  for (const [index, task] of tasks.entries()) {
    await settled();
    expect(tasks.map(({ began }) => began)).toEqual(tasks.map((_, other) => other <= index));
    task.end(`${index}`);
  }
  expect(await Promise.all(answers)).toEqual(['0', '1', '2'].map((value) => ({ kind: 'done', value })));
});

test('past the bound the answer is busy at once, and there is room again when a task has ended', async () => {
  const { queue } = bench(2);
  const tasks = [heldTask(), heldTask(), heldTask()];
  const answers = tasks.map(({ run }) => queue.run(run));
  const refused = heldTask();
  expect(await queue.run(refused.run)).toEqual({ kind: 'busy' });
  expect(refused.began).toBe(false);
  tasks[0]!.end('');
  await answers[0];
  const late = queue.run(async () => 'late');
  expect(await queue.run(refused.run)).toEqual({ kind: 'busy' });
  for (const task of tasks) task.end('');
  expect(await late).toEqual({ kind: 'done', value: 'late' });
});

test.each([
  ['rejects', () => Promise.reject(new Error('defect'))],
  [
    'throws at once',
    () => {
      throw new Error('defect');
    },
  ],
])('a task that %s passes its error on and frees the queue', async (_, task) => {
  const { queue } = bench(2);
  const failing = queue.run(task as () => Promise<never>);
  const next = queue.run(async () => 'next');
  await expect(failing).rejects.toThrow('defect');
  expect(await next).toEqual({ kind: 'done', value: 'next' });
});

describe('a task that is not heard of again', () => {
  test('is waited for as long as it may take', async () => {
    const { queue, clock } = bench(5);
    void queue.run(heldTask().run);
    const second = heldTask();
    clock.now = STALE;
    void queue.run(second.run);
    await settled();
    expect(second.began).toBe(false);
  });

  test('is then given up for the one that has waited longest', async () => {
    const { queue, clock } = bench(5);
    void queue.run(heldTask().run);
    const [second, third] = [heldTask(), heldTask()];
    const answer = queue.run(second.run);
    clock.now = STALE + 1;
    void queue.run(third.run);
    await settled();
    expect([second.began, third.began]).toEqual([true, false]);
    second.end('alive');
    expect(await answer).toEqual({ kind: 'done', value: 'alive' });
  });

  test('makes room even where the queue is full', async () => {
    const { queue, clock } = bench(1);
    void queue.run(heldTask().run);
    const second = heldTask();
    void queue.run(second.run);
    expect(await queue.run(heldTask().run)).toEqual({ kind: 'busy' });
    clock.now = STALE + 1;
    const third = queue.run(async () => 'third');
    second.end('');
    expect(await third).toEqual({ kind: 'done', value: 'third' });
  });

  test('does not let a second task in when it ends after all', async () => {
    const { queue, clock } = bench(5);
    const [lost, second, third] = [heldTask(), heldTask(), heldTask()];
    const late = queue.run(lost.run);
    void queue.run(second.run);
    clock.now = STALE + 1;
    void queue.run(third.run);
    lost.end('late');
    expect(await late).toEqual({ kind: 'done', value: 'late' });
    await settled();
    expect([second.began, third.began]).toEqual([true, false]);
  });
});

test('however tasks come and end, none runs beside another and every one is answered', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.nat(5), fc.boolean()), { maxLength: 30 }),
      fc.nat(8),
      async (plan, length) => {
        const { queue } = bench(length);
        let running = 0;
        const answers = plan.map(([turns, fails]) =>
          queue
            .run(async () => {
              expect(++running).toBe(1);
              for (let turn = 0; turn < turns; turn++) await Promise.resolve();
              running--;
              if (fails) throw new Error('defect');
            })
            .then(
              ({ kind }) => kind,
              () => 'failed',
            ),
        );
        const kinds = await Promise.all(answers);
        const admitted = Math.min(plan.length, length === 0 ? 0 : length + 1);
        expect(kinds).toEqual(plan.map(([, fails], at) => (at >= admitted ? 'busy' : fails ? 'failed' : 'done')));
      },
    ),
  );
});
