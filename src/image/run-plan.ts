import type { FilePlace } from './formats/format.ts';
import { registry } from './formats/registry.ts';
import type { Band, Frame } from './frame.ts';
import { gatherFrame } from './gather-frame.ts';
import type { ImageHeader } from './header.ts';
import type { JobWorkspace } from './job-workspace.ts';
import { aligned } from './kernels/aligned.ts';
import type { ImageOptions } from './options.ts';
import { effort, Pacer, type Pause } from './pacer.ts';
import { PartWorkspace } from './part-workspace.ts';
import type { Plan } from './plan.ts';
import { stepContext } from './plan-stages.ts';
import { heldFile, type SourceFile } from './source-file.ts';
import { order } from './steps/order.ts';
import type { WorkDone } from './work-done.ts';
import type { Workspace } from './workspace.ts';

type PixelsPlan = Plan & { readonly route: 'pixels' };

/** One picture, understood and planned. */
export interface Job {
  /** If held, on the heap and adopted by the workspace; it is freed as soon as it is no longer needed. */
  readonly file: SourceFile;
  readonly header: ImageHeader;
  readonly options: ImageOptions;
  readonly plan: Plan;
  /** Is told what was decoded. */
  readonly work?: WorkDone;
  /** Called between bands, so often that nobody else has to wait for long. */
  readonly pause?: Pause;
}

/**
 * Carries a plan out; yields the output file in pieces, each the consumer's to keep. The workspace is the caller's to
 * finish, however it ends.
 * @throws FileError broken_image
 */
export function runPlan(job: Job, workspace: JobWorkspace): AsyncGenerator<Uint8Array> {
  const pacer = new Pacer(job.pause);
  return pacer.pieces(carryOut(job, pacer, workspace));
}

async function* carryOut(job: Job, pacer: Pacer, workspace: JobWorkspace): AsyncGenerator<Uint8Array> {
  const { plan, header, options } = job;
  const format = registry[options.format];
  workspace.stage(plan.memory.decode);
  if (plan.route === 'recompress') {
    if (format.recompress === undefined) throw new TypeError(`${format.id} was planned to be recompressed`);
    const file = await placed(job.file, plan.recompress.fileIn, workspace);
    const rowRead = () => job.work?.decoded(1);
    yield* format.recompress.run(file, header, plan.recompress, workspace, pacer, rowRead);
    return;
  }
  const file = await placed(job.file, plan.decode.fileIn, workspace);
  const bands = decodedBands(file, job, plan, pacer, workspace);
  const { room, haste } = plan.encode;
  const encodeOptions = {
    quality: options.quality,
    ...(room !== undefined && { room }),
    ...(haste !== undefined && { haste }),
  };
  if (!plan.encode.wholeFrame) {
    const taken = counted(bands, (rows) => job.work?.taken(rows));
    yield* format.encode(taken, plan.frame, encodeOptions, workspace, pacer);
    return;
  }
  const gathered = await gatherFrame(bands, plan.frame, workspace);
  if (file.held) workspace.release(file.held);
  workspace.stage(plan.memory.encode);
  yield* format.encode(asBands(gathered.pixels, plan.frame), plan.frame, encodeOptions, workspace, pacer);
  await gathered.close();
}

/**
 * The picture's bands behind the last step. An encoder may iterate them again: everything runs anew, in the regions of the
 * time before, which is why it takes its own regions before it asks for the first band.
 */
function decodedBands(
  file: SourceFile,
  job: Job,
  plan: PixelsPlan,
  pacer: Pacer,
  workspace: JobWorkspace,
): AsyncIterable<Band> {
  let mark: number | undefined;
  return rereadable(() => {
    if (mark === undefined) mark = workspace.mark();
    else workspace.rewind(mark);
    return pacer.bands(bandsOfFile(file, job, plan, pacer, workspace), plan.frame, effort.encodedPixel);
  });
}

/** Decodes and applies the steps. What comes before a step that reads several times runs anew for each pass. */
function bandsOfFile(
  file: SourceFile,
  job: Job,
  plan: PixelsPlan,
  pacer: Pacer,
  workspace: JobWorkspace,
): AsyncIterable<Band> {
  const { frame, scale } = plan.decode;
  // A decoder that scales has looked at all stored pixels behind one of the frame.
  const each = scale ** 2 * effort.decodedPixel;
  const decode = (space: Workspace) =>
    pacer.bands(
      counted(registry[job.header.format].decode(file, job.header, plan.decode, space), (rows) =>
        job.work?.decoded(rows),
      ),
      frame,
      each,
    );
  const again = plan.steps.findIndex(({ passes = 1 }) => passes > 1);
  if (again < 0) return applySteps(decode(workspace), job, plan, 0, plan.steps.length, workspace);
  const part = new PartWorkspace(workspace, bytesBefore(plan, again));
  const source = rereadable(() => {
    part.restart();
    return applySteps(decode(part), job, plan, 0, again, part);
  });
  return applySteps(source, job, plan, again, plan.steps.length, workspace);
}

/** The same bands, which can be iterated as often; their rows are noted. */
function counted(bands: AsyncIterable<Band>, note: (rows: number) => void): AsyncIterable<Band> {
  return rereadable(async function* () {
    for await (const band of bands) {
      note(band.rows);
      yield band;
    }
  });
}

function rereadable(open: () => AsyncIterable<Band>): AsyncIterable<Band> {
  return { [Symbol.asyncIterator]: () => open()[Symbol.asyncIterator]() };
}

/** Applies the plan's steps from `first` up to `end` (exclusive). */
function applySteps(
  source: AsyncIterable<Band>,
  { header, options }: Job,
  plan: PixelsPlan,
  first: number,
  end: number,
  workspace: Workspace,
): AsyncIterable<Band> {
  const context = stepContext(header, options);
  let bands = source;
  for (let index = first; index < end; index++) {
    const planned = plan.steps[index]!;
    const step = order.find(({ name }) => name === planned.step);
    if (step === undefined) throw new TypeError(`no step is called ${planned.step}`);
    const input = index === 0 ? plan.decode.frame : plan.steps[index - 1]!.frame;
    bands = step.apply(bands, input, planned, context, workspace);
  }
  return bands;
}

/** Bytes of the regions of the decoder and of the steps before `index`. */
function bytesBefore({ decode, steps }: PixelsPlan, index: number): number {
  return steps.slice(0, index).reduce((sum, { arena = 0 }) => sum + aligned(arena), aligned(decode.cost.arena));
}

/** The file where the decoder wants it. What was held on the heap is freed when it is moved. */
async function placed(file: SourceFile, place: FilePlace, workspace: JobWorkspace): Promise<SourceFile> {
  if (place === 'windows' || (place === 'heap' && file.held)) return file;
  const whole = place === 'arena' ? workspace.arena(file.size) : workspace.buffer(file.size);
  await file.read(0, whole);
  if (file.held) workspace.release(file.held);
  return heldFile(whole);
}

function asBands(pixels: Uint8Array, frame: Frame): AsyncIterable<Band> {
  return rereadable(async function* () {
    yield { top: 0, rows: frame.height, pixels };
  });
}
