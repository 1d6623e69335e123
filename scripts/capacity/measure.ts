import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { Client } from '../../test/conformance/support/client.ts';
import { adminToken, Server } from '../../test/conformance/support/server.ts';
import { newAccount } from '../soak/soak-account.ts';
import type { CostItem } from './prices.ts';
import { kindFiles } from './workload.ts';

/** What one image of a kind takes. */
export interface KindMeasured {
  readonly name: string;
  readonly bytesIn: number;
  readonly bytesOut: number;
  /** Seconds for which it has an engine. */
  readonly engineSeconds: number;
  /** Units of what is paid for, of a request with this one image and one download. */
  readonly units: Readonly<Record<Exclude<CostItem, 'gbMonths'>, number>>;
}

export interface Measured {
  readonly date: string;
  readonly machine: string;
  readonly kinds: readonly KindMeasured[];
  /** Calls of the account's ledger for a request with one image. */
  readonly ledgerCalls: number;
}

interface Counters {
  readonly calls: Readonly<Record<string, number>>;
  readonly r2: { readonly classA: number; readonly classB: number };
  readonly rows: Readonly<Record<string, number>>;
  readonly objects: Readonly<Record<string, { readonly calls: number }>>;
}

type Line = Readonly<Record<string, unknown>>;

const IMAGES = 8;
const CLOCK_TICKS = 100;
const SETTLED_WITHIN_MS = 10_000;

/**
 * Sends images of each kind, one after the other, to the service in the fault shell, which counts what the platform bills: calls, rows, and
 * the CPU time of the runtime, which here includes the simulators of R2, D1 and Durable Objects.
 */
export async function measure(today: string): Promise<Measured> {
  const server = await new Server(undefined, ['node', 'scripts/soak/start-shell.ts']).start();
  try {
    const { key } = await newAccount({ url: server.url, token: adminToken }, 'agency');
    const kinds: KindMeasured[] = [];
    let ledgerCalls = 0;
    for (const kind of await kindFiles()) {
      const send = () => sendOne(server, key, kind.file, { format: kind.format, maxWidth: kind.maxWidth ?? 16_384 });
      await send();
      const before = await quiet(server);
      const from = { lines: linesOf(server).length, bytes: logBytes(server), cpuMs: cpuMs(server) };
      let bytesOut = 0;
      for (let image = 0; image < IMAGES; image++) bytesOut = await send();
      const [cpu, after] = [cpuMs(server) - from.cpuMs, await quiet(server)];
      const lines = linesOf(server).slice(from.lines);
      const each = (total: number) => total / IMAGES;
      const sum = (counts: (counters: Counters) => number) => each(counts(after) - counts(before));
      const jobs = secondsOf(lines, 'job', 'engineMs');
      ledgerCalls = sum(({ objects }) => objects.LEDGER?.calls ?? 0);
      kinds.push({
        name: kind.name,
        bytesIn: kind.file.length,
        bytesOut,
        engineSeconds: round(each(jobs)),
        units: {
          requests: 2,
          cpuMs: Math.round(each(cpu)),
          objectCalls: sum(({ objects }) => total(objects, ({ calls }) => calls)),
          objectGbSeconds: round(
            0.128 * each(secondsOf(lines, 'job', 'durationMs') + secondsOf(lines, 'batch', 'durationMs')),
          ),
          rowsWritten: sum(({ rows }) => total(rows, (count) => count)),
          classA: sum(({ r2 }) => r2.classA),
          classB: sum(({ r2 }) => r2.classB),
          logBytes: Math.round(each(logBytes(server) - from.bytes)),
        },
      });
    }
    return { date: today, machine: cpus()[0]?.model ?? 'unknown', kinds, ledgerCalls };
  } finally {
    await server.stop();
  }
}

async function sendOne(server: Server, key: string, bytes: Uint8Array, options: Record<string, string | number>) {
  const client = new Client(server);
  const { item, bytes: result } = await client.picture(key, bytes, options).catch((error: unknown) => {
    throw new Error(`An image was not compressed: ${String(error)}`);
  });
  if (result.length !== item.optimizedSize) throw new Error('The download is not the result.');
  return result.length;
}

/** The counters once nothing changes any more: staged files are removed, and numbers are told, after the answer. */
async function quiet(server: Server): Promise<Counters> {
  const deadline = Date.now() + SETTLED_WITHIN_MS;
  for (let last = ''; ; ) {
    const answer = await fetch(`${server.url}/shell/counters`, { headers: { authorization: `Bearer ${adminToken}` } });
    const text = await answer.text();
    if (text === last || Date.now() > deadline) return JSON.parse(text) as Counters;
    last = text;
    await new Promise((resolve) => setTimeout(resolve, 1500));
  }
}

function linesOf({ stateFolder }: Server): Line[] {
  const log = readFileSync(join(stateFolder, 'server.log'), 'utf8').split('\n');
  return log.filter((line) => line.startsWith('{"level"')).map((line) => JSON.parse(line) as Line);
}

function logBytes(server: Server): number {
  return linesOf(server).reduce((sum, line) => sum + JSON.stringify(line).length, 0);
}

function secondsOf(lines: readonly Line[], event: string, property: string): number {
  const own = lines.filter((line) => line.event === event);
  if (own.length !== IMAGES) throw new Error(`${own.length} lines of ${event}, not ${IMAGES}`);
  return own.reduce((sum, line) => sum + Number(line[property]), 0) / 1000;
}

function cpuMs(server: Server): number {
  return server.runtimes().reduce((sum, pid) => sum + ticksOf(pid), 0) * (1000 / CLOCK_TICKS);
}

/** proc(5): the 14th and 15th fields, after a name that may hold anything. */
function ticksOf(pid: number): number {
  const after = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ');
  return Number(after[11]) + Number(after[12]);
}

function total<Value>(by: Readonly<Record<string, Value>>, count: (value: Value) => number): number {
  return Object.values(by).reduce((sum, value) => sum + count(value), 0);
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
