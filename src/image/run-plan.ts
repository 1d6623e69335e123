import { registry } from './formats/registry.ts';
import type { Band, Frame } from './frame.ts';
import { gatherFrame } from './gather-frame.ts';
import type { ImageHeader } from './header.ts';
import type { JobWorkspace } from './job-workspace.ts';
import type { ImageOptions } from './options.ts';
import { type Plan, stepContext } from './plan.ts';
import { order } from './steps/order.ts';

/** One picture, understood and planned. */
export interface Job {
  /** On the heap and adopted by the workspace; it is freed as soon as it is no longer needed. */
  readonly file: Uint8Array;
  readonly header: ImageHeader;
  readonly options: ImageOptions;
  readonly plan: Plan;
}

/**
 * Carries a plan out; yields the output file in pieces, each the consumer's to keep. The workspace is the caller's to
 * finish, however it ends.
 * @throws FileError broken_image
 */
export async function* runPlan(job: Job, workspace: JobWorkspace): AsyncGenerator<Uint8Array> {
  const { plan, header, options } = job;
  const format = registry[options.format];
  workspace.stage(plan.memory.decode);
  if (plan.route === 'recompress') {
    if (format.recompress === undefined) throw new TypeError(`${format.id} was planned to be recompressed`);
    yield* format.recompress.run(intoArena(job.file, workspace), header, workspace);
    return;
  }
  const bands = decodedBands(job, plan, workspace);
  if (!plan.encode.wholeFrame) {
    yield* format.encode(bands, plan.frame, options, workspace);
    return;
  }
  const gathered = await gatherFrame(bands, plan.frame, workspace);
  workspace.release(job.file);
  workspace.stage(plan.memory.encode);
  yield* format.encode(asBands(gathered.pixels, plan.frame), plan.frame, options, workspace);
  await gathered.close();
}

/** The picture's bands behind the last step. */
function decodedBands(job: Job, plan: Plan & { route: 'pixels' }, workspace: JobWorkspace): AsyncIterable<Band> {
  const { header, options } = job;
  const file = plan.decode.fileIn === 'arena' ? intoArena(job.file, workspace) : job.file;
  const context = stepContext(header, options);
  let bands: AsyncIterable<Band> = registry[header.format].decode(file, header, plan.decode, workspace);
  let input: Frame = plan.decode.frame;
  for (const planned of plan.steps) {
    const step = order.find(({ name }) => name === planned.step);
    if (step === undefined) throw new TypeError(`no step is called ${planned.step}`);
    bands = step.apply(bands, input, planned, context, workspace);
    input = planned.frame;
  }
  return bands;
}

/** Moves a file from the heap to the arena. */
function intoArena(file: Uint8Array, workspace: JobWorkspace): Uint8Array {
  const moved = workspace.arena(file.length);
  moved.set(file);
  workspace.release(file);
  return moved;
}

async function* asBands(pixels: Uint8Array, frame: Frame): AsyncGenerator<Band> {
  yield { top: 0, rows: frame.height, pixels };
}
