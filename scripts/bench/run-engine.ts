import { identify } from '../../src/image/identify.ts';
import { JobWorkspace } from '../../src/image/job-workspace.ts';
import { isolateArena } from '../../src/image/kernels/arena.ts';
import { planImage } from '../../src/image/plan.ts';
import { runPlan } from '../../src/image/run-plan.ts';
import type { BenchCase } from './cases.ts';
import { QUALITY } from './quality.ts';

/** Runs a case through the engine, from bytes to bytes. @returns the result's file */
export async function runEngine({ file: original, format, maxWidth }: BenchCase): Promise<Uint8Array> {
  const file = original.slice();
  const workspace = new JobWorkspace(isolateArena);
  workspace.adopt(file);
  try {
    const header = await identify(file);
    const options = { format, quality: QUALITY, ...(maxWidth === undefined ? {} : { maxWidth }) };
    const plan = planImage(header, file.length, options);
    const pieces: Uint8Array[] = [];
    for await (const piece of runPlan({ file, header, options, plan }, workspace)) pieces.push(piece);
    return new Uint8Array(Buffer.concat(pieces));
  } finally {
    workspace.finish();
  }
}
