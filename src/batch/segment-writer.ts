import { PartBuffer } from '../delivery/part-buffer.ts';
import type { UploadGate } from './upload-gate.ts';

/** Where a segment goes. */
type Put = (number: number, bytes: Uint8Array<ArrayBuffer>) => Promise<unknown>;

/**
 * Cuts a file that arrives into segments and has each of them stored while the next one arrives: at most two are in memory. Each
 * has a share of the gate, which it waits for before it is begun; what it may wait for beside others is the segment before it,
 * which needs no more of the gate.
 */
export class SegmentWriter {
  readonly #segmentBytes: number;
  readonly #gate: UploadGate;
  readonly #put: Put;
  #segment = new PartBuffer(0, 0);
  #release = (): void => {};
  /** The segment that is being stored; never rejects. */
  #stored: Promise<{ readonly error?: unknown }> = Promise.resolve({});
  #count = 0;

  constructor(segmentBytes: number, gate: UploadGate, put: Put) {
    this.#segmentBytes = segmentBytes;
    this.#gate = gate;
    this.#put = put;
  }

  /** Segments that were stored or may have been. */
  get count(): number {
    return this.#count;
  }

  /** Waits until there is room for a segment. @param bytesLeft most bytes that can still come, so that a small one takes little */
  async begin(bytesLeft: number): Promise<void> {
    const bytes = Math.max(0, Math.min(this.#segmentBytes, bytesLeft));
    this.#release = await this.#gate.acquire(bytes);
    this.#segment = new PartBuffer(bytes, this.#segmentBytes);
  }

  /** @param bytesLeft most bytes that can still come behind the chunk @throws whatever the store throws */
  async add(chunk: Uint8Array, bytesLeft: () => number): Promise<void> {
    for (let rest = this.#segment.take(chunk); rest.length > 0; rest = this.#segment.take(rest)) {
      await this.#store();
      await this.begin(rest.length + bytesLeft());
    }
  }

  /** Stores what is left. @throws whatever the store throws */
  async end(): Promise<void> {
    await this.#store();
    await this.#whenStored();
  }

  /** Waits until nothing is under way any more and gives everything back. Never throws. */
  async abort(): Promise<void> {
    this.#free(this.#segment, this.#release);
    await this.#stored;
  }

  async #store(): Promise<void> {
    await this.#whenStored();
    const [segment, release] = [this.#segment, this.#release];
    if (segment.bytes.length === 0) return this.#free(segment, release);
    const put = this.#put(this.#count++, segment.bytes);
    this.#stored = put
      .then(
        () => ({}),
        (error: unknown) => ({ error }),
      )
      .finally(() => this.#free(segment, release));
  }

  async #whenStored(): Promise<void> {
    const end = await this.#stored;
    if ('error' in end) throw end.error;
  }

  #free(segment: PartBuffer, release: () => void): void {
    segment.free();
    release();
  }
}
