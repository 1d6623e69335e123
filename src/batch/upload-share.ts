import type { Place } from '../platform/places.ts';

/** Where shares get what they have above their floors. */
export interface SharedMemory {
  /** Waits for bytes; by the time it resolves, `granted` was called. */
  take(share: UploadShare, bytes: number): Promise<void>;
  giveBack(bytes: number): void;
  left(share: UploadShare): void;
}

/** What one upload has of the isolate's memory. Counts only: it must not keep alive what a request that was cut had. */
export class UploadShare {
  readonly #memory: SharedMemory;
  readonly #floor: number;
  readonly #place: Place;
  /** Bytes of buffers that the upload has. */
  #bytes = 0;
  /** Those of them that came from the shared memory. */
  #granted = 0;
  /** Bytes that are being stored, to be given back after it. */
  #storing = 0;
  #asked = false;
  #listener = (): void => {};

  /** @param floor bytes that it may have without asking anybody */
  constructor(memory: SharedMemory, place: Place, floor: number) {
    this.#memory = memory;
    this.#floor = floor;
    this.#place = place;
  }

  /** Bytes that will be given back without anything further being done about it. */
  get coming(): number {
    return this.#asked ? this.#granted : Math.min(this.#granted, this.#storing);
  }

  /** Bytes that it would give back if it were asked. */
  get idle(): number {
    return this.#granted - this.coming;
  }

  /** Whether its request was cut by the platform. */
  get lost(): boolean {
    return this.#place.lost;
  }

  /**
   * Has room made for a buffer.
   * @throws RequestError service_busy when others left no memory for too long
   */
  async grow(bytes: number): Promise<void> {
    const missing = this.#bytes + bytes - this.#floor - this.#granted;
    if (missing > 0) await this.#memory.take(this, missing);
    this.#bytes += bytes;
    this.#trim();
  }

  /** Bytes of buffers are being stored. `shrink` ends it. */
  storing(bytes: number): void {
    this.#storing += bytes;
  }

  /** Buffers are gone: stored, or given up. */
  shrink(bytes: number): void {
    this.#bytes -= bytes;
    this.#storing = Math.max(0, this.#storing - bytes);
    this.#trim();
  }

  /** For the gate. */
  granted(bytes: number): void {
    this.#granted += bytes;
  }

  /** For the gate: others wait for what it has. */
  ask(): void {
    this.#asked = true;
    this.#listener();
  }

  /** `listener` is called when the upload shall store what it has: the next time, or now if it was asked and has not `heard`. */
  listen(listener: () => void): void {
    this.#listener = listener;
    if (this.#asked) listener();
  }

  /** What was asked for is on its way. */
  heard(): void {
    this.#asked = false;
  }

  /** Gives everything back. To be called by the upload's own request. */
  leave(): void {
    this.drop();
    this.#place.leave();
  }

  /** For the gate: gives everything back of an upload whose request was cut. Its place lapses by itself. */
  drop(): void {
    this.#memory.giveBack(this.#granted);
    this.#granted = 0;
    this.#memory.left(this);
  }

  #trim(): void {
    const spare = this.#granted - Math.max(0, this.#bytes - this.#floor);
    if (spare <= 0) return;
    this.#granted -= spare;
    this.#memory.giveBack(spare);
  }
}
