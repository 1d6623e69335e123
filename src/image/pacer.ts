import type { Band, Frame } from './frame.ts';

/** Lets whoever else waits for this thread have it, and resolves when it is this job's again. The shell knows how. */
export type Pause = () => Promise<void>;

/** Pixels between two pauses: some 10 to 50 ms of decoding and encoding, next to which a pause costs nothing. */
const PIXELS_BETWEEN = 1_000_000;
/** What a byte of the new file counts for: an encoder that has all pixels may still have a long file to write. */
const PIXELS_A_BYTE = 4;

/** Pauses a job now and then, by the work that it has done: a large picture is computed for many seconds. */
export class Pacer {
  readonly #pause: Pause | undefined;
  #pixels = 0;

  constructor(pause?: Pause) {
    this.#pause = pause;
  }

  /** Notes work that was done. A promise where it is time to pause, to be awaited before more is done. */
  worked(pixels: number): Promise<void> | undefined {
    this.#pixels += pixels;
    if (this.#pixels < PIXELS_BETWEEN) return undefined;
    this.#pixels = 0;
    return this.#pause?.();
  }

  /**
   * The same bands, with pauses.
   * @param pixelsEach stored pixels behind each pixel of the frame: a decoder that scales has looked at all of them
   */
  async *bands(bands: AsyncIterable<Band>, { width }: Frame, pixelsEach: number): AsyncGenerator<Band> {
    for await (const band of bands) {
      yield band;
      await this.worked(band.rows * width * pixelsEach);
    }
  }

  /** The same pieces of a new file, with pauses. */
  async *pieces(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const piece of pieces) {
      const { length } = piece;
      yield piece;
      await this.worked(length * PIXELS_A_BYTE);
    }
  }
}
