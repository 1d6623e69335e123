import type { Cost } from '../image/formats/format.ts';
import type { FormatId } from '../image/formats/format-id.ts';
import type { ImageHeader } from '../image/header.ts';
import type { Plan } from '../image/plan.ts';
import type { QueueAnswer } from './engine-queue.ts';
import type { FileJob } from './file-job.ts';
import type { FileOutcome } from './outcome.ts';

export type EngineName = 'small' | 'main';

/** How a job went in its lane, for logs and counters. Never a file's name, nor anything of its content. */
export interface JobReport {
  /** `done`, the code of the file's error, `busy` (not taken in), or `defect` (something was thrown). */
  readonly outcome: string;
  /** The last engine that it was on; absent where it was on none. */
  readonly engine?: EngineName;
  /** Absent where the header could not be read. */
  readonly input?: FormatId;
  readonly output: FormatId;
  /** Of the source. */
  readonly megapixels?: number;
  readonly bytesIn: number;
  readonly bytesOut?: number;
  /** Bytes of memory that the plan promised to take at the most. */
  readonly peakBytes?: number;
  /** CPU-seconds that the plan promised to take at the most. */
  readonly plannedCpuSeconds?: number;
  /** Milliseconds of waiting for an engine, of having it, and from the arrival to the answer. In a Worker clocks move on I/O only. */
  readonly queueMs: number;
  readonly engineMs: number;
  readonly durationMs: number;
}

/** Takes down how a job goes. */
export class JobNotes {
  readonly #job: FileJob;
  readonly #now: () => number;
  readonly #arrivedAt: number;
  #waitsSince: number;
  #queueMs = 0;
  #engineMs = 0;
  #engine: EngineName | undefined;
  #header: ImageHeader | undefined;
  #plan: Plan | undefined;

  /** @param now milliseconds */
  constructor(job: FileJob, now: () => number) {
    this.#job = job;
    this.#now = now;
    this.#arrivedAt = now();
    this.#waitsSince = this.#arrivedAt;
  }

  /** Carries out the job's part on an engine, which it has now. */
  async on<Result>(engine: EngineName, work: () => Promise<Result>): Promise<Result> {
    const since = this.#now();
    this.#engine = engine;
    this.#queueMs += since - this.#waitsSince;
    try {
      return await work();
    } finally {
      this.#waitsSince = this.#now();
      this.#engineMs += this.#waitsSince - since;
    }
  }

  header(header: ImageHeader): void {
    this.#header = header;
  }

  plan(plan: Plan): void {
    this.#plan = plan;
  }

  /** @param answer the lane's; undefined where something was thrown */
  report(answer: QueueAnswer<FileOutcome> | undefined): JobReport {
    const { file, image } = this.#job;
    const outcome = answer?.kind === 'done' ? answer.value : undefined;
    const durationMs = this.#now() - this.#arrivedAt;
    return {
      outcome: outcome === undefined ? (answer?.kind ?? 'defect') : codeOf(outcome),
      ...(this.#engine && { engine: this.#engine }),
      ...(this.#header && { input: this.#header.format, megapixels: megapixels(this.#header) }),
      output: image.format,
      bytesIn: file.size,
      ...(outcome?.kind === 'done' && { bytesOut: outcome.size }),
      ...(this.#plan && { peakBytes: peakOf(this.#plan), plannedCpuSeconds: tenths(this.#plan.cpuSeconds) }),
      queueMs: this.#engine === undefined ? durationMs : this.#queueMs,
      engineMs: this.#engineMs,
      durationMs,
    };
  }
}

function codeOf(outcome: FileOutcome): string {
  return outcome.kind === 'done' ? 'done' : outcome.error;
}

function megapixels({ width, height }: ImageHeader): number {
  return Math.round(width * height) / 1e6;
}

function peakOf({ memory }: Plan): number {
  const bytes = ({ arena, library = 0, buffers }: Cost) => arena + library + buffers;
  return Math.max(...[memory.header, memory.decode, memory.encode].map(bytes));
}

function tenths(seconds: number): number {
  return Math.round(seconds * 10) / 10;
}
