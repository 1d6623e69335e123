import { EngineRuntime } from '../engine/runtime.ts';
import { damagedSource, longSeries, type MixedJob, mixedJobs } from './mixed-jobs.ts';
import { megabytes, tableLine } from './report-table.ts';
import { type ResidentParts, residentKinds, residentParts } from './resident-parts.ts';
import { runJob } from './run-job.ts';

const LAW = 128e6;
/** What the second half of a long series may add to the first half's peak: what two equal runs differ by. */
const NOISE = 2e6;

/**
 * 100 jobs of all kinds, small and large, some of them damaged, one after the other in one process: what an isolate
 * lives through. @returns 1 when the process grew by more than an isolate has
 */
export async function measureSeries(): Promise<number> {
  const runtime = await EngineRuntime.start();
  try {
    const idle = runtime.memory.now;
    const outcomes = new Map<string, number>();
    console.log(tableLine('job (megabytes)', 'now', 'peak', 'outcome'));
    for (const mixed of mixedJobs()) {
      const outcome = await run(runtime, mixed);
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      const { peak, now } = runtime.memory;
      console.log(tableLine(mixed.job.name, megabytes(now - idle), megabytes(peak - idle), outcome));
    }
    const { peak, now } = runtime.memory;
    console.log(`\n${JSON.stringify(Object.fromEntries(outcomes))}`);
    console.log(`growth at the end ${megabytes(now - idle)} MB, at the peak ${megabytes(peak - idle)} MB`);
    return peak - idle > LAW ? 1 : 0;
  } finally {
    runtime.stop();
  }
}

/** Megapixels from which on a job is under way while the next ones are sent: small ones run beside it, as in the service. */
const LARGE = 12;

/**
 * So many jobs as an isolate meets them in days, and what the process grows by, split by what it is for.
 * @returns how much is wrong: 1 when it grew by more than an isolate has, 1 more when the second half grew
 */
export async function measureLongSeries(jobs: number): Promise<number> {
  if (!Number.isInteger(jobs) || jobs < 1) throw new RangeError('a series has a number of jobs: --series 1000');
  const runtime = await EngineRuntime.start();
  try {
    const idle = runtime.memory.now;
    const first = residentParts(runtime.pid);
    let half = 0;
    let large: Promise<string> | undefined;
    const outcomes = new Map<string, number>();
    const note = (outcome: string) => {
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      return outcome;
    };
    console.log(tableLine('after jobs (megabytes)', 'now', 'peak', ...residentKinds));
    for (const [n, mixed] of longSeries(jobs).entries()) {
      if (mixed.job.megapixels >= LARGE) {
        await large;
        large = run(runtime, mixed).then(note);
      } else note(await run(runtime, mixed));
      if (n + 1 === jobs) await large;
      const { peak, now } = runtime.memory;
      if (n + 1 === Math.floor(jobs / 2)) half = peak;
      if (isShown(n + 1, jobs)) {
        const columns = [now - idle, peak - idle, ...grown(first, residentParts(runtime.pid))];
        console.log(tableLine(String(n + 1), ...columns.map(megabytes)));
      }
    }
    const { peak } = runtime.memory;
    console.log(`\n${JSON.stringify(Object.fromEntries(outcomes))}`);
    console.log(`at the peak ${megabytes(peak - idle)} MB, of them ${megabytes(peak - half)} in the second half`);
    return Number(peak - idle > LAW) + Number(peak - half > NOISE);
  } finally {
    runtime.stop();
  }
}

function isShown(job: number, jobs: number): boolean {
  return [25, 50, jobs].includes(job) || job % 100 === 0;
}

function grown(before: ResidentParts, after: ResidentParts): number[] {
  return residentKinds.map((kind) => after[kind] - before[kind]);
}

async function run(runtime: EngineRuntime, { job, damaged }: MixedJob): Promise<string> {
  const { report } = damaged
    ? await runtime.run(await damagedSource(job), { format: job.format, maxWidth: 1920 })
    : await runJob(runtime, job);
  const outcome = report.outcome.split(':')[0]!;
  if (damaged) return `damaged: ${outcome}`;
  if (outcome !== 'done') console.log(`${job.name}: ${report.outcome}`);
  return outcome;
}
