import { identify } from '../../src/image/identify.ts';
import { JobWorkspace } from '../../src/image/job-workspace.ts';
import { isolateArena } from '../../src/image/kernels/arena.ts';
import { planImage } from '../../src/image/plan.ts';
import { runPlan } from '../../src/image/run-plan.ts';
import type { BenchCase } from './cases.ts';
import { QUALITY } from './quality.ts';

/** Runs a case through the engine, from bytes to bytes. @returns bytes of the result */
export async function runEngine({ file: original, format, maxWidth }: BenchCase): Promise<number> {
  const file = original.slice();
  const workspace = new JobWorkspace(isolateArena);
  workspace.adopt(file);
  try {
    const header = await identify(file);
    const options = { format, quality: QUALITY, ...(maxWidth === undefined ? {} : { maxWidth }) };
    const plan = planImage(header, file.length, options);
    let size = 0;
    for await (const piece of runPlan({ file, header, options, plan }, workspace)) size += piece.length;
    return size;
  } finally {
    workspace.finish();
  }
}
