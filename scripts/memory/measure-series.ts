import { EngineRuntime } from '../engine/runtime.ts';
import { type MatrixJob, matrix } from './matrix.ts';
import { megabytes, tableLine } from './report-table.ts';
import { keptSource, runJob } from './run-job.ts';

const JOBS = 100;
/** Every so many jobs the file is damaged. */
const DAMAGED_EVERY = 10;
const LAW = 128e6;

/**
 * 100 jobs of all kinds, small and large, some of them damaged, one after the other in one process: what an isolate
 * lives through. @returns 1 when the process grew by more than an isolate has
 */
export async function measureSeries(): Promise<number> {
  const runtime = await EngineRuntime.start();
  try {
    const idle = runtime.memory.now;
    const outcomes = new Map<string, number>();
    for (const [index, job] of mixed().entries()) {
      const outcome = await (index % DAMAGED_EVERY === DAMAGED_EVERY - 1
        ? runDamaged(runtime, job)
        : runWhole(runtime, job));
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      const { peak, now } = runtime.memory;
      console.log(tableLine(job.name, megabytes(now - idle), megabytes(peak - idle), outcome));
    }
    const { peak, now } = runtime.memory;
    console.log(`\n${JOBS} jobs: ${JSON.stringify(Object.fromEntries(outcomes))}`);
    console.log(`growth at the end ${megabytes(now - idle)} MB, at the peak ${megabytes(peak - idle)} MB`);
    return peak - idle > LAW ? 1 : 0;
  } finally {
    runtime.stop();
  }
}

/** The matrix in an order that mixes all of it and is the same every time. */
function mixed(): MatrixJob[] {
  const jobs = matrix();
  // Coprime to the matrix' length, so that no job comes twice.
  const stride = 131;
  return Array.from({ length: JOBS }, (_, n) => jobs[(n * stride) % jobs.length]!);
}

async function runWhole(runtime: EngineRuntime, job: MatrixJob): Promise<string> {
  return (await runJob(runtime, job)).report.outcome.split(':')[0]!;
}

async function runDamaged(runtime: EngineRuntime, job: MatrixJob): Promise<string> {
  const damaged = (await keptSource(job.kind, Math.min(job.megapixels, 24), false)).slice();
  for (let at = damaged.length >> 2; at < damaged.length; at += 997) damaged[at]! ^= 0x55;
  const { report } = await runtime.run(damaged, { format: job.format, maxWidth: 1920 });
  return `damaged, ${report.outcome.split(':')[0]}`;
}
