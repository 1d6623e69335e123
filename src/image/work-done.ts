import type { Plan } from './plan.ts';
import { sourceReadings } from './plan-cpu.ts';

/** How far a job has come, by what it has read of its source: what it has cost if it fails there. */
export class WorkDone {
  readonly #plan: Plan;
  #rows = 0;

  constructor(plan: Plan) {
    this.#plan = plan;
  }

  /** Notes rows of the source that were decoded, at the scale of the plan. */
  decoded(rows: number): void {
    this.#rows += rows;
  }

  /**
   * CPU seconds of what was done, estimated: the plan's for as much of the source as was read of all that may be read. Where that is
   * not known, all of them: a lossless file that is recompressed, an image that a library decodes whole or not at all.
   */
  get cpuSeconds(): number {
    const { route, cpuSeconds } = this.#plan;
    if (route === 'recompress') return cpuSeconds;
    const { decode } = this.#plan;
    if (decode.delivers === 'frame') return this.#rows === 0 ? decode.cpu : cpuSeconds;
    const rows = decode.frame.height * sourceReadings(this.#plan);
    return cpuSeconds * Math.min(1, this.#rows / rows);
  }
}
