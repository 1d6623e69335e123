import { limits } from '../limits.ts';
import { SegmentBlocks } from './segment-blocks.ts';
import type { UploadShare } from './upload-share.ts';

/** Stores the bytes of a segment, which come in pieces. */
type Put = (number: number, pieces: readonly Uint8Array<ArrayBuffer>[]) => Promise<unknown>;

/** Bytes of a full segment, a whole number of blocks, and of a block. */
interface Sizes {
  readonly segment: number;
  readonly block: number;
}

const ASKED = Symbol('asked');
/** What an upload takes of the gate at once: small, since it is taken for bytes that are there. */
const BLOCK_BYTES = 64 * 1024;

/**
 * Cuts a file that arrives into segments and has each of them stored while the next one arrives: at most two are in memory. Every
 * block has a share of the gate, taken when there are bytes for it. A segment is stored when it is full, or before that when the
 * gate asks for its memory; it listens wherever it waits: for the client, and for the gate.
 */
export class SegmentWriter {
  readonly #share: UploadShare;
  readonly #put: Put;
  readonly #bytes: Sizes;
  readonly #sizes: number[] = [];
  #segment: SegmentBlocks;
  /** The segment that is being stored; never rejects. */
  #stored: Promise<{ readonly error?: unknown }> = Promise.resolve({});

  constructor(share: UploadShare, put: Put, bytes: Sizes = { segment: limits.segmentBytes, block: BLOCK_BYTES }) {
    this.#share = share;
    this.#put = put;
    this.#bytes = bytes;
    this.#segment = new SegmentBlocks(bytes.block);
  }

  /** Bytes of the segments that were stored or may have been. */
  get sizes(): readonly number[] {
    return this.#sizes;
  }

  /** @throws whatever the store throws; RequestError service_busy when the gate has nothing left for too long */
  async add(chunk: Uint8Array): Promise<void> {
    for (let rest = chunk; rest.length > 0; ) {
      if (this.#segment.length === this.#bytes.segment) await this.#store();
      rest = this.#segment.take(rest);
      if (rest.length === 0 || this.#segment.length === this.#bytes.segment) continue;
      await this.whileWaiting(this.#share.grow(this.#bytes.block));
      this.#segment.extend();
    }
  }

  /**
   * Waits for something, and meanwhile stores what there is as soon as the gate asks for it.
   * @throws whatever `awaited` or the store throws
   */
  async whileWaiting<Result>(awaited: Promise<Result>): Promise<Result> {
    // When storing fails first, nobody waits any more.
    awaited.catch(() => {});
    for (;;) {
      const { promise: asked, resolve } = Promise.withResolvers<typeof ASKED>();
      this.#share.listen(() => resolve(ASKED));
      const first = await Promise.race([awaited, asked]);
      if (first !== ASKED) return first;
      await this.#store();
      this.#share.heard();
    }
  }

  /**
   * Stores what is left.
   * @param whole may take all of a file of which nothing had to be stored yet, and says whether it did
   * @throws whatever the store throws
   */
  async end(whole?: (pieces: readonly Uint8Array<ArrayBuffer>[]) => Promise<boolean>): Promise<void> {
    const segment = this.#segment;
    if (whole !== undefined && this.#sizes.length === 0 && segment.length > 0 && (await whole(segment.pieces))) {
      this.#segment = new SegmentBlocks(this.#bytes.block);
      this.#free(segment);
      return;
    }
    await this.#store();
    await this.#whenStored();
  }

  /** Waits until nothing is under way any more and gives everything back. Never throws. */
  async abort(): Promise<void> {
    this.#free(this.#segment);
    this.#segment = new SegmentBlocks(this.#bytes.block);
    await this.#stored;
  }

  async #store(): Promise<void> {
    await this.#whenStored();
    const segment = this.#segment;
    if (segment.length === 0) return;
    this.#segment = new SegmentBlocks(this.#bytes.block);
    this.#share.storing(segment.allocated);
    const put = this.#put(this.#sizes.length, segment.pieces);
    this.#sizes.push(segment.length);
    this.#stored = put
      .then(
        () => ({}),
        (error: unknown) => ({ error }),
      )
      .finally(() => this.#free(segment));
  }

  async #whenStored(): Promise<void> {
    const end = await this.#stored;
    if ('error' in end) throw end.error;
  }

  #free(segment: SegmentBlocks): void {
    this.#share.shrink(segment.allocated);
    segment.free();
  }
}
