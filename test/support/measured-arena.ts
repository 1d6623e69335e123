import { Arena } from '../../src/image/kernels/arena.ts';

/** One stage of a job on the arena, in bytes. */
export interface ArenaStage {
  /** What the plan asked for. */
  readonly planned: number;
  /** Up to the last byte that was written. */
  readonly written: number;
  /** The size of the memory afterwards: more than planned where a codec had to grow it. */
  readonly committed: number;
}

/** An arena that remembers, for each stage of the jobs on it, how much was really used before it was wiped. */
export class MeasuredArena extends Arena {
  readonly stages: ArenaStage[] = [];
  #planned: number | undefined;

  override reserve(regions: number, library = 0): void {
    this.#planned = regions + library;
    super.reserve(regions, library);
  }

  override clear(): void {
    if (this.#planned !== undefined) {
      this.stages.push({ planned: this.#planned, written: this.measure(), committed: this.committed });
    }
    this.#planned = undefined;
    super.clear();
  }
}
