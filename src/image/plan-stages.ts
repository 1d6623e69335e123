import { budget, MAX_CPU_SECONDS } from './budget.ts';
import { arenaFor, fitsBudget } from './check-plan.ts';
import { chromaSubsampling } from './formats/chroma-subsampling.ts';
import type { DecodePlan, EncodeOptions, EncodePlan } from './formats/format.ts';
import { type Haste, hastes, MOST_HASTE } from './formats/haste.ts';
import { registry } from './formats/registry.ts';
import type { Frame } from './frame.ts';
import type { ImageHeader } from './header.ts';
import type { ImageOptions } from './options.ts';
import { cpuSecondsOf } from './plan-cpu.ts';
import { type PlannedMemory, planMemory, type Stages } from './plan-memory.ts';
import { order } from './steps/order.ts';
import type { PlannedStep, StepContext } from './steps/step.ts';

const MOST_KEPT = Math.max(...budget.kept);
/** Parts of a turned picture of which a few make the whole, and smaller ones. */
const LARGE_PARTS = budget.kept.filter((kept) => kept >= 10 * 1024 * 1024);
const SMALL_PARTS = budget.kept.filter((kept) => kept < 10 * 1024 * 1024);

/** Everything behind the decoder, and the memory of the whole job. */
export interface PlannedStages {
  readonly steps: readonly PlannedStep[];
  /** The frame that is encoded. */
  readonly frame: Frame;
  readonly encode: EncodePlan;
  readonly memory: PlannedMemory;
}

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

/** The best that takes no more CPU time than it may; where nothing does, what takes the least. */
export function planInTime(
  decode: DecodePlan,
  header: ImageHeader,
  fileBytes: number,
  options: ImageOptions,
): PlannedStages {
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
