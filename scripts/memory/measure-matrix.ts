import { EngineRuntime } from '../engine/runtime.ts';
import { type MatrixJob, matrix } from './matrix.ts';
import { megabytes, tableLine } from './report-table.ts';
import { type JobMeasure, runJob } from './run-job.ts';

/** What a process may grow over idle by one job, in bytes: an isolate's 128 MB. */
const LAW = 128e6;

/**
 * Every job of the matrix whose name contains `wanted`, each in a fresh process that runs the engine alone.
 * @returns how many broke the memory law: grew by more than an isolate has, used more than planned, or failed
 */
export async function measureMatrix(wanted: string): Promise<number> {
  console.log(tableLine('job (megabytes)', 'planned', 'arena', 'buffers', 'allocated', 'growth', 'seconds'));
  let broken = 0;
  for (const job of matrix().filter(({ name }) => name.includes(wanted))) {
    if (!(await measure(job))) broken++;
  }
  console.log(broken === 0 ? '\nall within the memory law' : `\n${broken} jobs broke the memory law`);
  return broken;
}

async function measure(job: MatrixJob): Promise<boolean> {
  const runtime = await EngineRuntime.start();
  try {
    const idle = runtime.memory.now;
    const measured = await runJob(runtime, job);
    const growth = runtime.memory.peak - idle;
    const fault = faultOf(measured, growth);
    console.log(tableLine(job.name, ...columns(measured, growth)) + (fault && `  ${fault}`));
    return fault === '';
  } catch (error) {
    console.log(`${tableLine(job.name)}  ${error}`);
    return false;
  } finally {
    runtime.stop();
  }
}

function faultOf({ report: { outcome, arena, buffers, planned } }: JobMeasure, growth: number): string {
  if (outcome !== 'done') return outcome.slice(0, 200);
  if (growth > LAW) return 'grew by more than an isolate has';
  return arena + buffers > planned + SLACK ? 'used more than it planned' : '';
}

/** The first page of the arena is there before any plan, and plans are rounded up to whole pages. */
const SLACK = 3 * 65_536;

function columns({ report, seconds }: JobMeasure, growth: number): string[] {
  const { planned, arena, buffers, allocated } = report;
  return [...[planned, arena, buffers, allocated, growth].map(megabytes), seconds.toFixed(1)];
}
