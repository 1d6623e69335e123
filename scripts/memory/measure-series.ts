import { EngineRuntime } from '../engine/runtime.ts';
import { damagedSource, type MixedJob, mixedJobs } from './mixed-jobs.ts';
import { megabytes, tableLine } from './report-table.ts';
import { runJob } from './run-job.ts';

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

async function run(runtime: EngineRuntime, { job, damaged }: MixedJob): Promise<string> {
  if (!damaged) return (await runJob(runtime, job)).report.outcome.split(':')[0]!;
  const { report } = await runtime.run(await damagedSource(job), { format: job.format, maxWidth: 1920 });
  return `damaged: ${report.outcome.split(':')[0]}`;
}
