import { budget, MAX_CPU_SECONDS } from './budget.ts';
import { arenaFor, checkBudget, checkOutputSide, checkSource, checkTime, fitsBudget } from './check-plan.ts';
import { chromaSubsampling } from './formats/chroma-subsampling.ts';
import type { Cost, DecodePlan, EncodeOptions, EncodePlan, RecompressPlan } from './formats/format.ts';
import { type Haste, hastes, MOST_HASTE } from './formats/haste.ts';
import { registry } from './formats/registry.ts';
import { type Frame, frameBytes } from './frame.ts';
import type { ImageHeader } from './header.ts';
import { aligned } from './kernels/aligned.ts';
import type { ImageOptions } from './options.ts';
import { cpuSecondsOf } from './plan-cpu.ts';
import { HELD_BYTES } from './source-file.ts';
import { order } from './steps/order.ts';
import { fitWithin } from './steps/resize.ts';
import type { PlannedStep, StepContext } from './steps/step.ts';

const MOST_KEPT = Math.max(...budget.kept);
/** Parts of a turned picture of which a few make the whole, and smaller ones. */
const LARGE_PARTS = budget.kept.filter((kept) => kept >= 10 * 1024 * 1024);
const SMALL_PARTS = budget.kept.filter((kept) => kept < 10 * 1024 * 1024);

/** Peaks in bytes while the header is read, while the file is read and decoded, and while a gathered frame is encoded. */
export interface PlannedMemory {
  readonly header: Cost;
  readonly decode: Cost;
  readonly encode: Cost;
}

/** What will be done with one picture, and the memory and CPU time it takes at the most. Data: printable, testable. */
export type Plan =
  | {
      readonly route: 'pixels';
      readonly decode: DecodePlan;
      readonly steps: readonly PlannedStep[];
      /** The frame that is encoded. */
      readonly frame: Frame;
      readonly encode: EncodePlan;
      readonly memory: PlannedMemory;
      /** CPU seconds at the most, on a core like those of the machines on which they were measured. */
      readonly cpuSeconds: number;
      /** Nothing changes but the coding: where that does not make the file smaller, the original is worth more. */
      readonly mayKeepOriginal: boolean;
    }
  | {
      readonly route: 'recompress';
      readonly recompress: RecompressPlan;
      readonly frame: Frame;
      readonly memory: PlannedMemory;
      readonly cpuSeconds: number;
      readonly mayKeepOriginal: true;
    };

/** How a job may be carried out, where there is a choice. */
interface Choice {
  readonly haste?: Haste;
  /** See `StepContext`. */
  readonly mostKept?: number;
  readonly mayKeepPlanes?: boolean;
}

/** What steps see of a job. */
export function stepContext(
  header: ImageHeader,
  options: ImageOptions,
  { haste = 0, mostKept = MOST_KEPT, mayKeepPlanes = true }: Choice = {},
): StepContext {
  const { alpha, recompress } = registry[options.format];
  const lossless = recompress !== undefined;
  const outputChroma = lossless ? '4:4:4' : chromaSubsampling(options.quality, haste);
  return { header, options, outputAlpha: alpha, outputChroma, haste, mostKept, mayKeepPlanes };
}

/**
 * Decides from the header alone how a picture will be processed. The only place that knows what fits the isolate.
 * @param fileBytes bytes of the file
 * @throws FileError image_too_large, animated_image
 */
export function planImage(header: ImageHeader, fileBytes: number, options: ImageOptions): Plan {
  checkSource(header);
  const { width, height, orientation } = header;
  const decode = registry[header.format].planDecode(
    header,
    fileBytes,
    fitWithin({ width, height }, options.maxWidth, options.maxHeight, orientation),
  );
  const planned = planInTime(decode, header, fileBytes, options);
  const { steps, frame, encode, memory } = planned;
  const sameFormat = header.format === options.format && steps.length === 0;
  const recompress = registry[options.format].recompress;
  if (sameFormat && recompress) return planRecompress(frame, recompress.plan(header, fileBytes), fileBytes);
  checkOutputSide(frame, options.format);
  checkBudget({ header, decode, frame, memory, options, fileBytes });
  const cpuSeconds = cpuSecondsOf({ decode, steps, encode });
  checkTime(cpuSeconds, header, frame, options);
  return { route: 'pixels', decode, steps, frame, encode, memory, cpuSeconds, mayKeepOriginal: sameFormat };
}

function planRecompress(frame: Frame, recompress: RecompressPlan, fileBytes: number): Plan {
  const { cost, fileIn } = recompress;
  const file = fileIn === 'arena' ? aligned(fileBytes) : 0;
  const decode = { arena: cost.arena + file, buffers: Math.max(heapBytes(fileBytes), cost.buffers) };
  const memory = { header: headerCost(fileBytes), decode, encode: nothing };
  return { route: 'recompress', recompress, frame, memory, cpuSeconds: recompress.cpu, mayKeepOriginal: true };
}

/** What of a file is on the heap before it is where the decoder wants it. */
function heapBytes(fileBytes: number): number {
  return fileBytes > HELD_BYTES ? 0 : fileBytes;
}

/** See `readHeader`. */
function headerCost(fileBytes: number): Cost {
  return { arena: aligned(fileBytes - heapBytes(fileBytes)), buffers: heapBytes(fileBytes) };
}

const nothing: Cost = { arena: 0, buffers: 0 };

function planSteps(decoded: Frame, context: StepContext): { steps: PlannedStep[]; frame: Frame } {
  const steps: PlannedStep[] = [];
  let frame = decoded;
  for (const step of order) {
    const planned = step.plan(frame, context);
    if (planned === undefined) continue;
    steps.push(planned);
    frame = planned.frame;
  }
  return { steps, frame };
}

interface Stages {
  readonly decode: DecodePlan;
  readonly steps: readonly PlannedStep[];
  readonly frame: Frame;
  readonly encode: EncodePlan;
  readonly fileBytes: number;
  readonly watermarkBytes: number;
}

/** The best that takes no more CPU time than it may; where nothing does, what takes the least. */
function planInTime(decode: DecodePlan, header: ImageHeader, fileBytes: number, options: ImageOptions): PlannedStages {
  let best: PlannedStages | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const haste of hastes) {
    if (haste < MOST_HASTE && encodesTooLong(decode, header, options, haste)) continue;
    const planned = planStages(decode, header, fileBytes, options, haste);
    const fits = fitsBudget(planned.memory, decode, fileBytes);
    const seconds = fits ? cpuSecondsOf({ decode, ...planned }) : Number.POSITIVE_INFINITY;
    if (best === undefined || seconds < least) [best, least] = [planned, seconds];
    if (least <= MAX_CPU_SECONDS) break;
  }
  return best!;
}

/** Whether the encoder alone takes longer than a job may, however the memory is shared out: to find that out takes longest. */
function encodesTooLong(decode: DecodePlan, header: ImageHeader, options: ImageOptions, haste: Haste): boolean {
  const { frame } = planSteps(decode.frame, stepContext(header, options, { haste }));
  const { cpu, haste: makesDifference } = registry[options.format].planEncode(
    frame,
    encodeOptions(decode, options, haste),
  );
  return makesDifference !== undefined && cpu + decode.cpu > MAX_CPU_SECONDS;
}

/** Everything behind the decoder: the best that fits and is done in time; where nothing is, the quickest that fits. */
function planStages(
  decode: DecodePlan,
  header: ImageHeader,
  fileBytes: number,
  options: ImageOptions,
  haste: Haste,
): PlannedStages {
  const watermarkBytes = options.watermark?.file.length ?? 0;
  const { planEncode: planFormat } = registry[options.format];
  const asked = encodeOptions(decode, options, haste);
  const plan = (mostKept: number, mayKeepPlanes: boolean): PlannedStages => {
    const { steps, frame } = planSteps(decode.frame, stepContext(header, options, { haste, mostKept, mayKeepPlanes }));
    const encode = planFormat(frame, asked);
    return { steps, frame, ...planEncode({ decode, steps, frame, encode, fileBytes, watermarkBytes }) };
  };
  const keeping = onceEach((mostKept: number) => plan(mostKept, true));
  const keepingPixels = onceEach((mostKept: number) => plan(mostKept, false));
  const cramped = ({ steps, frame, memory, encode }: PlannedStages, most: number): PlannedStages => {
    const room = most - (memory.decode.arena - encode.cost.arena);
    const smaller = planFormat(frame, { ...asked, room });
    return { steps, frame, ...planEncode({ decode, steps, frame, encode: smaller, fileBytes, watermarkBytes }) };
  };
  const best = keeping(MOST_KEPT);
  const limit = arenaFor(decode, fileBytes);
  let quickest: PlannedStages | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const most of [Math.min(limit, budget.usual), limit]) {
    for (const planned of candidates(best, keeping, keepingPixels, (present) => cramped(present, most))) {
      if (!fitsBudget(planned.memory, decode, fileBytes, most)) continue;
      const seconds = cpuSecondsOf({ decode, ...planned });
      if (seconds <= MAX_CPU_SECONDS) return planned;
      if (seconds < least) [quickest, least] = [planned, seconds];
    }
  }
  return quickest ?? best;
}

/** A watermark brings detail of its own. */
function encodeOptions(
  { coefficients }: DecodePlan,
  { quality, watermark }: ImageOptions,
  haste: Haste,
): EncodeOptions {
  const bounded = coefficients !== undefined && watermark === undefined;
  return { quality, haste, ...(bounded && { coefficients }) };
}

type PlannedStages = Pick<Extract<Plan, { route: 'pixels' }>, 'steps' | 'frame' | 'encode' | 'memory'>;

/**
 * A picture that is turned is kept in as large parts as leave room for the rest. An encoder that can do with less room gets less
 * before the parts become so small that the source is decoded dozens of times.
 */
function* candidates(
  best: PlannedStages,
  keeping: (mostKept: number) => PlannedStages,
  keepingPixels: (mostKept: number) => PlannedStages,
  cramped: (planned: PlannedStages) => PlannedStages,
): Generator<PlannedStages> {
  const turns = best.steps.some(({ passes }) => passes !== undefined);
  const canCramp = !best.encode.wholeFrame;
  for (const parts of turns ? [LARGE_PARTS, SMALL_PARTS] : [[MOST_KEPT]]) {
    for (const kept of parts) yield keeping(kept);
    if (canCramp) for (const kept of parts) yield cramped(keeping(kept));
  }
  if (!turns) return;
  // Planes of a very wide picture take more room beside what is kept.
  for (const kept of SMALL_PARTS) yield keepingPixels(kept);
  for (const kept of budget.keptInHaste) {
    yield keeping(kept);
    if (canCramp) yield cramped(keeping(kept));
  }
}

/** Remembers what a pure function has answered. */
function onceEach<Value>(make: (key: number) => Value): (key: number) => Value {
  const made = new Map<number, Value>();
  return (key) => {
    const value = made.get(key) ?? make(key);
    made.set(key, value);
    return value;
  };
}

/** An encoder that takes bands gets a gathered frame where it does not fit beside the decoder and fits behind it. */
function planEncode(stages: Stages): { encode: EncodePlan; memory: PlannedMemory } {
  const memory = planMemory(stages);
  if (stages.encode.wholeFrame || fitsBudget(memory, stages.decode, stages.fileBytes))
    return { encode: stages.encode, memory };
  const encode = { ...stages.encode, wholeFrame: true };
  const gathered = planMemory({ ...stages, encode });
  return fitsBudget(gathered, stages.decode, stages.fileBytes)
    ? { encode, memory: gathered }
    : { encode: stages.encode, memory };
}

function planMemory(p: Stages): PlannedMemory {
  const { decode, steps, frame, encode, fileBytes, watermarkBytes } = p;
  const header = headerCost(fileBytes);
  const pipeline = decode.cost.buffers + steps.reduce((sum, { buffers }) => sum + buffers, 0) + watermarkBytes;
  const held = (decode.fileIn === 'heap' ? fileBytes : 0) + pipeline;
  const arena =
    decode.cost.arena +
    (decode.fileIn === 'arena' ? aligned(fileBytes) : 0) +
    steps.reduce((sum, step) => sum + (step.arena ?? 0), 0);
  const library = wholePages(decode.cost.library);
  if (!encode.wholeFrame) {
    const buffers = Math.max(header.buffers + watermarkBytes, held + encode.cost.buffers);
    const shared = Math.max(library, wholePages(encode.cost.library));
    return { header, decode: { arena: arena + encode.cost.arena, library: shared, buffers }, encode: nothing };
  }
  const whole = steps.reduce((delivers, step) => step.delivers ?? delivers, decode.delivers) === 'frame';
  const gathered = whole ? 0 : frameBytes(frame);
  return {
    header,
    decode: { arena, library, buffers: Math.max(header.buffers + watermarkBytes, held + gathered) },
    encode: { ...encode.cost, buffers: frameBytes(frame) + watermarkBytes + encode.cost.buffers },
  };
}

/** Bytes that a library codec's part takes: the regions above it start at a page. */
function wholePages(bytes = 0): number {
  return Math.ceil(bytes / 65_536) * 65_536;
}
