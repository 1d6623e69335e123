import type { DecodePlan, EncodePlan } from './formats/format.ts';
import type { Plan } from './plan.ts';
import { readingSeconds, sourceReadings } from './plan-cpu.ts';

/** How far a job has come: what it has cost if it fails there. */
export class WorkDone {
  readonly #plan: Plan;
  #decoded = 0;
  #taken = 0;

  constructor(plan: Plan) {
    this.#plan = plan;
  }

  /** Notes rows of the source that were decoded, at the scale of the plan. */
  decoded(rows: number): void {
    this.#decoded += rows;
  }

  /** Notes rows that the encoder has taken. */
  taken(rows: number): void {
    this.#taken += rows;
  }

  /**
   * CPU seconds of what was done, estimated: the plan's for as much of the source as was decoded of all that may be decoded, and for as much
   * of the result as the encoder has taken and worked on. An image that a library decodes whole or not at all has cost its decoding.
   */
  get cpuSeconds(): number {
    const plan = this.#plan;
    if (plan.route === 'recompress') return this.#recompressing(plan);
    const { decode, encode, frame } = plan;
    if (decode.delivers === 'frame' && this.#decoded === 0) return decode.cpu;
    const rows = decode.frame.height * sourceReadings(plan);
    const reading = shareOf(readingSeconds(plan), decode, this.#decoded / rows);
    return reading + encodingSeconds(encode, frame.height, this.#taken);
  }

  #recompressing({ recompress, frame, cpuSeconds }: Plan & { readonly route: 'recompress' }): number {
    if (this.#decoded > frame.height) return cpuSeconds;
    return shareOf(recompress.cpuOfFirst, recompress, this.#decoded / frame.height);
  }
}

/** The part of a stage's CPU seconds that its share of rows has cost, with what comes before the first row. */
function shareOf(seconds: number, { cpuAhead = 0 }: Pick<DecodePlan, 'cpuAhead'>, share: number): number {
  return cpuAhead + Math.min(1, share) * (seconds - cpuAhead);
}

/** @param taken rows, over all readings */
function encodingSeconds(
  { cpu, cpuOfFirst, gathers = 1, readings }: EncodePlan,
  height: number,
  taken: number,
): number {
  const first = cpuOfFirst ?? cpu / readings;
  const worked = taken >= height ? taken : taken - (taken % gathers);
  if (worked <= height) return (first * worked) / height;
  return Math.min(cpu, first + ((cpu - first) * (worked - height)) / (height * Math.max(1, readings - 1)));
}
