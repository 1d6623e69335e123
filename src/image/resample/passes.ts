/** The two passes of one kind of picture on the region of a resampling. */
export interface Passes {
  /** Filters the row at `pointer` across, to the ring's row at `out`. */
  filter(pointer: number, out: number): void;
  /** Computes the weights of output row `index`; returns the first input row of its window. */
  aim(index: number): number;
  /** Sums the rows that the row pointers name to the output row at `out`. */
  sum(out: number): void;
}
