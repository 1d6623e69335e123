import { createHash } from 'node:crypto';
import { callPlatform, type PlatformShell, platformShell, usualPatience } from '../platform/call-platform.ts';
import { fillFrom } from './fill-from.ts';
import { putSegment } from './put-segment.ts';
import { SegmentWriter } from './segment-writer.ts';
import {
  type SegmentRange,
  type StagedPlace,
  segmentKey,
  segmentRanges,
  stagedKeys,
  stagedPlace,
} from './staged-place.ts';
import type { UploadGate } from './upload-gate.ts';
import type { UploadShare } from './upload-share.ts';

/** A file of a request, kept until the batch is done. */
export interface StagedFile extends StagedPlace {
  /** Lower-case hex; for the request's fingerprint. */
  readonly sha256: string;
}

/** R2's limit of keys in one call of delete. */
const KEYS_PER_DELETE = 1000;

/**
 * Where uploads wait for their lanes: R2, under `staging/<request id>/`. A file is a run of objects, its segments, usually all but
 * the last of `limits.segmentBytes`: so it can be written before its length is known, without the calls of a multipart upload. What a
 * dead request leaves, the sweep removes. Every call to R2 has a time limit and is repeated; see `callPlatform`.
 */
export class Staging {
  readonly #bucket: R2Bucket;
  readonly #gate: UploadGate;
  readonly #shell: PlatformShell;

  constructor(bucket: R2Bucket, gate: UploadGate, shell: PlatformShell = platformShell) {
    this.#bucket = bucket;
    this.#gate = gate;
    this.#shell = shell;
  }

  keyFor(requestId: string, part: number | 'watermark'): string {
    return `staging/${requestId}/${part}`;
  }

  /** Whether the isolate has as many uploads as it takes. */
  get crowded(): boolean {
    return this.#gate.crowded;
  }

  /**
   * A place among the isolate's uploads, to be taken before the first byte of a body is read; it must `leave` in the end.
   * @throws RequestError service_busy
   */
  enter(): Promise<UploadShare> {
    return this.#gate.enter();
  }

  /**
   * Stores a file as it arrives, with at most two segments of it in memory; nothing is kept when it fails.
   * @param body a chunk is valid until the next one is asked for
   * @throws what `tooLarge` returns, as soon as the file is longer than `maxBytes`; whatever `body` throws; PlatformError;
   *   RequestError service_busy
   */
  async store(
    key: string,
    body: AsyncIterable<Uint8Array>,
    p: { readonly share: UploadShare; readonly maxBytes: number; tooLarge(): Error },
  ): Promise<StagedFile> {
    const hash = createHash('sha256');
    const writer = new SegmentWriter(p.share, (number, pieces) =>
      putSegment(this.#bucket, segmentKey(key, number), pieces, this.#shell),
    );
    let size = 0;
    try {
      const chunks = body[Symbol.asyncIterator]();
      for (let next = await writer.whileWaiting(chunks.next()); !next.done; ) {
        size += next.value.length;
        if (size > p.maxBytes) throw p.tooLarge();
        hash.update(next.value);
        await writer.add(next.value);
        next = await writer.whileWaiting(chunks.next());
      }
      await writer.end();
      return { ...stagedPlace(key, size, writer.sizes), sha256: hash.digest('hex') };
    } catch (error) {
      await writer.abort();
      await this.#delete(writer.sizes.map((_, number) => segmentKey(key, number))).catch(() => {});
      throw error;
    }
  }

  /**
   * Fills `into`, which may lie in a WebAssembly memory, with a file's bytes from `offset` on.
   * @param check called after every wait, before anything is written: `into` may be somebody else's meanwhile
   * @throws Error when they are not there, PlatformError; whatever `check` throws
   */
  async read(place: StagedPlace, offset: number, into: Uint8Array, check: () => void = () => {}): Promise<void> {
    let at = 0;
    for (const range of segmentRanges(place, offset, into.length)) {
      await this.#readRange(range, into.subarray(at, at + range.length), check);
      at += range.length;
    }
    if (at < into.length) throw new Error('a staged file is shorter than what is read of it');
  }

  /** Removes what is there of these. @throws PlatformError */
  async remove(files: readonly StagedPlace[]): Promise<void> {
    await this.#delete(files.flatMap(stagedKeys));
  }

  /** Every try fills `into` from its start; one that was given up does not touch it any more: it may be a job's arena. */
  async #readRange({ key, offset, length }: SegmentRange, into: Uint8Array, check: () => void): Promise<void> {
    let tries = 0;
    const get = async () => {
      const current = ++tries;
      const object = await this.#bucket.get(key, { range: { offset, length } });
      if (object === null) return 'gone';
      const isWanted = () => current === tries && passes(check);
      return (await fillFrom(object.body, into, isWanted)) ? 'read' : 'short';
    };
    const outcome = await callPlatform('R2 get', get, usualPatience, this.#shell).finally(() => ++tries);
    check();
    if (outcome === 'gone') throw new Error('a staged file is gone');
    if (outcome === 'short') throw new Error('a staged file is shorter than it was');
  }

  async #delete(keys: readonly string[]): Promise<void> {
    for (let at = 0; at < keys.length; at += KEYS_PER_DELETE) {
      const some = keys.slice(at, at + KEYS_PER_DELETE);
      await callPlatform('R2 delete', () => this.#bucket.delete(some), usualPatience, this.#shell);
    }
  }
}

function passes(check: () => void): boolean {
  try {
    check();
    return true;
  } catch {
    return false;
  }
}
