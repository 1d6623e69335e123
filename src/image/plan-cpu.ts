import type { DecodePlan, EncodePlan } from './formats/format.ts';
import type { PlannedStep } from './steps/step.ts';

/** Whatever is done: reading the header, planning, moving the file. */
const FIXED_SECONDS = 0.05;

/** The stages of a job by which its CPU time is judged. */
export interface PlannedWork {
  readonly decode: DecodePlan;
  readonly steps: readonly PlannedStep[];
  readonly encode: EncodePlan;
}

/** CPU seconds of a whole job at the most: each stage's for one reading, as often as the plan lets the source be read. */
export function cpuSecondsOf(work: PlannedWork): number {
  return FIXED_SECONDS + readingSeconds(work) + work.encode.cpu;
}

/** How much of the source is decoded in all, in whole sources. */
export function sourceReadings(work: PlannedWork): number {
  return readings(work) * passes(work);
}

/** CPU seconds of all readings together, without the encoder's own. */
export function readingSeconds(work: PlannedWork): number {
  return readings(work) * secondsOfReading(work);
}

/** A gathered frame is there for the encoder to read as often as it likes. */
function readings({ encode }: PlannedWork): number {
  return encode.wholeFrame ? 1 : encode.readings;
}

function passes({ steps }: PlannedWork): number {
  return steps.reduce((product, { passes = 1, reads = passes }) => product * reads, 1);
}

/** What comes before a step that reads several times runs as often. */
function secondsOfReading({ decode, steps }: PlannedWork): number {
  return steps.reduce((before, { cpu, passes = 1, reads = passes }) => before * reads + cpu, decode.cpu);
}
