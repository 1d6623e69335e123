import type { Band, Frame } from './frame.ts';

/** Lets whoever else waits for this thread have it, and resolves when it is this job's again. The shell knows how. */
export type Pause = () => Promise<void>;

/**
 * What a pixel counts for, or a byte of the new file, by the time that it takes: in decoded pixels, of some 10 ns each. An encoder that
 * has all its pixels may still have a long file to write, which is why bytes count.
 */
export const effort = { decodedPixel: 1, recompressedPixel: 4, encodedPixel: 8, av1Pixel: 60, writtenByte: 4 } as const;

/** Effort between two pauses: 100 to 200 ms. A pause takes a millisecond or two, even if nobody else wants the thread. */
const EFFORT_BETWEEN = 10_000_000;

/** Pauses a job now and then, by the work that it has done: a large picture is computed for many seconds. */
export class Pacer {
  readonly #pause: Pause | undefined;
  #effort = 0;

  constructor(pause?: Pause) {
    this.#pause = pause;
  }

  /** Notes work that was done. A promise where it is time to pause, to be awaited before more is done. */
  worked(amount: number): Promise<void> | undefined {
    this.#effort += amount;
    if (this.#effort < EFFORT_BETWEEN) return undefined;
    this.#effort = 0;
    return this.#pause?.();
  }

  /** The same bands, with pauses. @param each effort of a pixel */
  async *bands(bands: AsyncIterable<Band>, { width }: Frame, each: number): AsyncGenerator<Band> {
    for await (const band of bands) {
      yield band;
      await this.worked(band.rows * width * each);
    }
  }

  /** The same pieces of a new file, with pauses. */
  async *pieces(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const piece of pieces) {
      const { length } = piece;
      yield piece;
      await this.worked(length * effort.writtenByte);
    }
  }
}
