import { createHash } from 'node:crypto';
import {
  callPlatform,
  PlatformError,
  type PlatformShell,
  platformShell,
  usualPatience,
} from '../platform/call-platform.ts';
import { fillFrom } from './fill-from.ts';
import type { HeldSource } from './held-source.ts';
import { putSegment } from './put-segment.ts';
import { SegmentWriter } from './segment-writer.ts';
import {
  type HeldPlace,
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
 * Where uploads wait for their lanes: small ones in the object of their batch (see `HeldFiles`), others in R2, under
 * `staging/<request id>/`. There a file is a run of objects, its segments, usually all but the last of `limits.segmentBytes`: so it can be
 * written before its length is known, without the calls of a multipart upload. What a dead request leaves, the sweep removes. Every call to R2 has a time limit and is repeated; see `callPlatform`.
 */
export class Staging {
  readonly #bucket: R2Bucket;
  readonly #gate: UploadGate;
  readonly #shell: PlatformShell;
  readonly #held: HeldSource | undefined;

  /** @param held absent: files that objects hold cannot be read */
  constructor(bucket: R2Bucket, gate: UploadGate, shell: PlatformShell = platformShell, held?: HeldSource) {
    this.#bucket = bucket;
    this.#gate = gate;
    this.#shell = shell;
    this.#held = held;
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
   * @param p.hold may take a file of up to `limits.segmentBytes` instead of R2; undefined where it did not
   * @throws what `tooLarge` returns, as soon as the file is longer than `maxBytes`; whatever `body` throws; PlatformError;
   *   RequestError service_busy
   */
  async store(
    key: string,
    body: AsyncIterable<Uint8Array>,
    p: {
      readonly share: UploadShare;
      readonly maxBytes: number;
      tooLarge(): Error;
      readonly hold?: ((pieces: readonly Uint8Array<ArrayBuffer>[]) => Promise<HeldPlace | undefined>) | undefined;
    },
  ): Promise<StagedFile> {
    const hash = createHash('sha256');
    const writer = new SegmentWriter(p.share, (number, pieces) =>
      putSegment(this.#bucket, segmentKey(key, number), pieces, this.#shell),
    );
    let size = 0;
    let held: HeldPlace | undefined;
    const { hold } = p;
    const whole =
      hold &&
      (async (pieces: readonly Uint8Array<ArrayBuffer>[]) => {
        held = await hold(pieces);
        return held !== undefined;
      });
    try {
      const chunks = body[Symbol.asyncIterator]();
      for (let next = await writer.whileWaiting(chunks.next()); !next.done; ) {
        size += next.value.length;
        if (size > p.maxBytes) throw p.tooLarge();
        hash.update(next.value);
        await writer.add(next.value);
        next = await writer.whileWaiting(chunks.next());
      }
      await writer.end(whole);
      const place = held === undefined ? stagedPlace(key, size, writer.sizes) : { key, size, held };
      return { ...place, sha256: hash.digest('hex') };
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
    const { held } = place;
    if (held !== undefined) {
      const open = async () => await this.#held?.open(held, offset, into.length);
      return await this.#fill('batch held file', open, into, check).catch((error) => {
        throw error instanceof PlatformError ? noAnswer() : error;
      });
    }
    let at = 0;
    for (const range of segmentRanges(place, offset, into.length)) {
      const { key, offset, length } = range;
      const open = async () => (await this.#bucket.get(key, { range: { offset, length } }))?.body;
      await this.#fill('R2 get', open, into.subarray(at, at + length), check);
      at += length;
    }
    if (at < into.length) throw new Error('a staged file is shorter than what is read of it');
  }

  /** Removes what is there of these; what an object holds, only while its batch has not begun. @throws PlatformError */
  async remove(files: readonly StagedPlace[]): Promise<void> {
    await this.#delete(files.flatMap(stagedKeys));
    const holders = new Set(files.flatMap(({ held }) => held?.by ?? []));
    for (const by of holders)
      await callPlatform('batch discard', async () => await this.#held?.discard(by), usualPatience, this.#shell);
  }

  /** Every try fills `into` from its start; one that was given up does not touch it any more: it may be a job's arena. */
  async #fill(
    what: string,
    open: () => Promise<ReadableStream | undefined>,
    into: Uint8Array,
    check: () => void,
  ): Promise<void> {
    let tries = 0;
    const get = async () => {
      const current = ++tries;
      const body = await open();
      if (body === undefined) return 'gone';
      const isWanted = () => current === tries && passes(check);
      try {
        return (await fillFrom(body, into, isWanted)) ? 'read' : 'short';
      } finally {
        // What came by a call of an object keeps the call open until it is let go.
        (body as Partial<Disposable>)[Symbol.dispose]?.();
      }
    };
    const outcome = await callPlatform(what, get, usualPatience, this.#shell).finally(() => ++tries);
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

/** Says nothing of what became of the batch's object: in a lane's error that would be taken for the lane's own end. */
function noAnswer(): PlatformError {
  return new PlatformError('batch held file', new Error('it could not be read'));
}

function passes(check: () => void): boolean {
  try {
    check();
    return true;
  } catch {
    return false;
  }
}
