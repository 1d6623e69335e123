import { Hono } from 'hono';
import { cutOff } from './cut-requests.ts';
import type { FaultSchedule, FaultSettings } from './fault-schedule.ts';
import { abortObject } from './faulty-namespace.ts';
import { CODE_UPDATED } from './platform-errors.ts';
import type { RunningCalls } from './running-calls.ts';

/** R2's price list: what writes and lists is class A, what reads class B, what deletes is free. */
const CLASS_A = ['put', 'list', 'createMultipartUpload', 'uploadPart', 'completeMultipartUpload'];
const CLASS_B = ['get', 'head'];

interface Shell {
  readonly env: Readonly<Record<string, unknown>>;
  readonly hosts: DurableObjectNamespace;
  readonly schedule: FaultSchedule;
  readonly running: RunningCalls;
}

interface Victims {
  /** The binding. */
  readonly object: string;
  /** The object's name; absent: every object that was called so far. */
  readonly name?: string;
  /** Only one, in the middle of its work: the one that makes the n-th call to R2 or D1 from now on, n by chance up to this. */
  readonly withinCalls?: number;
}

/** `/shell/*`: what a test asks of the shell. Guarded by the operator's token; without one there is nothing here. */
export function controlRoutes(shell: Shell): Hono {
  const { schedule } = shell;
  const app = new Hono();
  app.use('/shell/*', async (c, next) => {
    const token = shell.env.ADMIN_TOKEN;
    if (!token || c.req.header('Authorization') !== `Bearer ${token}`) return c.notFound();
    return next();
  });
  app.get('/shell/counters', (c) => c.json(counters(shell)));
  app.put('/shell/faults', async (c) => {
    schedule.change(await c.req.json<FaultSettings>());
    return c.json(schedule.settings);
  });
  app.post('/shell/kill', async (c) => c.json({ killed: await kill(await c.req.json<Victims>(), shell) }));
  app.post('/shell/deploy', async (c) => c.json({ reset: await deploy(shell) }));
  app.post('/shell/left', async (c) => {
    const { request } = await c.req.json<{ request: string }>();
    c.executionCtx.waitUntil(cutOff(request, shell.hosts, schedule));
    return c.json({ request }, 202);
  });
  return app;
}

/** What was called and what was done to it since the start. */
function counters({ schedule, running, env }: Shell) {
  const calls = Object.fromEntries([...schedule.calls].sort());
  const sum = (kinds: (kind: string) => boolean) =>
    Object.entries(calls).reduce((total, [kind, count]) => total + (kinds(kind) ? count : 0), 0);
  return {
    calls,
    faults: Object.fromEntries([...schedule.faults].sort()),
    r2: { classA: sum(inR2(CLASS_A)), classB: sum(inR2(CLASS_B)) },
    rows: Object.fromEntries([...schedule.rows].sort()),
    d1: sum((kind) => kind.startsWith('d1.')),
    objects: Object.fromEntries(
      Object.keys(env)
        .filter((name) => sum((kind) => kind.startsWith(`${name}.`)) > 0)
        .map((name) => [name, { calls: sum((kind) => kind.startsWith(`${name}.`)), objects: running.of(name).length }]),
    ),
  };
}

function inR2(methods: readonly string[]): (kind: string) => boolean {
  return (kind) => methods.some((method) => kind === `r2.${method}`);
}

/** What a deployment does to Durable Objects: all of them are reset at once, in the middle of whatever they do. */
async function deploy({ env, running, schedule }: Shell): Promise<Readonly<Record<string, number>>> {
  const reset: Record<string, number> = {};
  const objects = ['BATCH', 'LANE', 'LEDGER'].flatMap((object) => running.of(object).map(({ id }) => ({ object, id })));
  await Promise.all(
    objects.map(async ({ object, id }) => {
      reset[object] = (reset[object] ?? 0) + 1;
      await abortObject(env[object] as DurableObjectNamespace, id, CODE_UPDATED);
    }),
  );
  schedule.note('deployment');
  return reset;
}

/** @returns names of the objects that were ended, and how many calls each had under way; none yet where one is doomed */
async function kill({ object, name, withinCalls }: Victims, { env, running, schedule }: Shell) {
  if (withinCalls !== undefined) {
    schedule.doom(object, schedule.pick(withinCalls));
    return [];
  }
  const namespace = env[object] as DurableObjectNamespace;
  const victims = running.of(object).filter(({ id }) => name === undefined || id.name === name);
  const told = victims.map(({ id, calls }) => ({ name: id.name ?? String(id), calls }));
  await Promise.all(victims.map(({ id }) => abortObject(namespace, id)));
  for (const _ of victims) schedule.note(`${object} killed`);
  return told;
}
