import { JobWorkspace } from '../../src/image/job-workspace.ts';
import { isolateArena } from '../../src/image/kernels/arena.ts';
import { planImage } from '../../src/image/plan.ts';
import { readHeader } from '../../src/image/read-header.ts';
import { runPlan } from '../../src/image/run-plan.ts';
import { pictureFile } from '../../test/support/picture-file.ts';
import type { BenchCase } from './cases.ts';
import { QUALITY } from './quality.ts';

/** Runs a case through the engine, from bytes to bytes. @returns the result's file */
export async function runEngine({ file: original, format, maxWidth }: BenchCase): Promise<Uint8Array> {
  const workspace = new JobWorkspace(isolateArena);
  const file = pictureFile(original, workspace);
  try {
    const header = await readHeader(file, workspace);
    const options = { format, quality: QUALITY, ...(maxWidth === undefined ? {} : { maxWidth }) };
    const plan = planImage(header, file.size, options);
    const pieces: Uint8Array[] = [];
    for await (const piece of runPlan({ file, header, options, plan }, workspace)) pieces.push(piece);
    return new Uint8Array(Buffer.concat(pieces));
  } finally {
    workspace.finish();
  }
}
