import type { ImageHeader } from '../../src/image/header.ts';
import { JobWorkspace } from '../../src/image/job-workspace.ts';
import { joinBytes } from '../../src/image/join-bytes.ts';
import type { ImageOptions } from '../../src/image/options.ts';
import { type Plan, planImage } from '../../src/image/plan.ts';
import { readHeader } from '../../src/image/read-header.ts';
import { runPlan } from '../../src/image/run-plan.ts';
import { type ArenaStage, MeasuredArena } from './measured-arena.ts';
import { pictureFile } from './picture-file.ts';

/** A job that was carried out, with what it used. */
export interface JobRun {
  readonly header: ImageHeader;
  readonly plan: Plan;
  readonly file: Uint8Array<ArrayBuffer>;
  readonly stages: readonly ArenaStage[];
  /** Peak bytes on the heap, each piece of the output included while it is handed over. */
  readonly buffers: number;
}

/** Carries out one job as a lane does, from the file's bytes to the result's. @throws what the engine throws */
export async function runJob(
  source: Uint8Array,
  options: ImageOptions,
  arena: MeasuredArena = new MeasuredArena(),
): Promise<JobRun> {
  const workspace = new JobWorkspace(arena);
  const from = arena.stages.length;
  try {
    const file = pictureFile(source, workspace);
    const header = await readHeader(file, workspace);
    const plan = planImage(header, file.size, withOwnMark(options, workspace));
    const result = await collect(runPlan({ file, header, options, plan }, workspace), workspace);
    workspace.finish();
    return { header, plan, file: result, stages: arena.stages.slice(from), buffers: workspace.peak.buffers };
  } finally {
    workspace.finish();
  }
}

/** Counts the watermark's file, as the lane does that loads it. */
function withOwnMark(options: ImageOptions, workspace: JobWorkspace): ImageOptions {
  if (options.watermark !== undefined) workspace.buffer(options.watermark.file.length);
  return options;
}

async function collect(pieces: AsyncIterable<Uint8Array>, workspace: JobWorkspace): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = [];
  for await (const piece of pieces) {
    workspace.adopt(piece);
    parts.push(piece.slice());
    workspace.release(piece);
  }
  return joinBytes(parts);
}
