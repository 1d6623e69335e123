const MEGABYTE = 1e6;
const POINTS = 12;

/** Resident memory over time, in bytes. */
export class MemoryCurve {
  readonly #samples: number[] = [];

  add(bytes: number): void {
    this.#samples.push(bytes);
  }

  /** Megabytes by which the last quarter lies over the third, by their medians. */
  get growth(): number {
    const quarter = Math.floor(this.#samples.length / 4);
    if (quarter === 0) return 0;
    return (median(this.#samples.slice(-quarter)) - median(this.#samples.slice(-2 * quarter, -quarter))) / MEGABYTE;
  }

  /** Some points of it, in megabytes, the first sample first. */
  get points(): string {
    const step = Math.max(1, (this.#samples.length - 1) / (POINTS - 1));
    const picked = Array.from({ length: POINTS }, (_, n) => this.#samples[Math.round(n * step)]);
    return picked
      .filter((bytes) => bytes !== undefined)
      .map((bytes) => (bytes / MEGABYTE).toFixed(0))
      .join(' ');
  }
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}
