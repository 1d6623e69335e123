import { createHash } from 'node:crypto';
import { sendBytes } from '../delivery/send-bytes.ts';
import { limits } from '../limits.ts';
import { fillFrom } from './fill-from.ts';
import { SegmentWriter } from './segment-writer.ts';
import type { UploadGate } from './upload-gate.ts';

/** Where a file is staged, and its size in bytes. */
export interface StagedPlace {
  readonly key: string;
  readonly size: number;
}

/** A file of a request, kept until the batch is done. */
export interface StagedFile extends StagedPlace {
  /** Lower-case hex; for the request's fingerprint. */
  readonly sha256: string;
}

/** R2's limit of keys in one call of delete. */
const KEYS_PER_DELETE = 1000;

/**
 * Where uploads wait for their lanes: R2, under `staging/<request id>/`. A file is a run of objects, its segments, all but the last
 * of `limits.segmentBytes`: so it can be written before its length is known, without the calls of a multipart upload. What a dead
 * request leaves, the sweep removes.
 */
export class Staging {
  readonly #bucket: R2Bucket;
  readonly #gate: UploadGate;

  constructor(bucket: R2Bucket, gate: UploadGate) {
    this.#bucket = bucket;
    this.#gate = gate;
  }

  keyFor(requestId: string, part: number | 'watermark'): string {
    return `staging/${requestId}/${part}`;
  }

  /**
   * Stores a file as it arrives, with at most two segments of it in memory; nothing is kept when it fails.
   * @param bytesLeft most bytes that can still come, so that a small upload takes little of the gate
   * @throws what `tooLarge` returns, as soon as the file is longer than `maxBytes`; whatever `body` throws
   */
  async store(
    key: string,
    body: AsyncIterable<Uint8Array>,
    maxBytes: number,
    tooLarge: () => Error,
    bytesLeft: () => number = () => Number.POSITIVE_INFINITY,
  ): Promise<StagedFile> {
    const hash = createHash('sha256');
    const writer = new SegmentWriter(limits.segmentBytes, this.#gate, (number, bytes) =>
      sendBytes(bytes, (segment) => this.#bucket.put(segmentKey(key, number), segment)),
    );
    let size = 0;
    try {
      await writer.begin(bytesLeft());
      for await (const chunk of body) {
        size += chunk.length;
        if (size > maxBytes) throw tooLarge();
        hash.update(chunk);
        await writer.add(chunk, bytesLeft);
      }
      await writer.end();
      return { key, size, sha256: hash.digest('hex') };
    } catch (error) {
      await writer.abort();
      if (writer.count > 0) await this.#bucket.delete(segmentKeys(key, writer.count)).catch(() => {});
      throw error;
    }
  }

  /**
   * Fills `into`, which may lie in a WebAssembly memory, with a file's bytes from `offset` on.
   * @param check called after every wait, before anything is written: `into` may be somebody else's meanwhile
   * @throws Error when they are not there; whatever `check` throws
   */
  async read({ key }: StagedPlace, offset: number, into: Uint8Array, check: () => void = () => {}): Promise<void> {
    const { segmentBytes } = limits;
    for (let at = 0; at < into.length; ) {
      const within = (offset + at) % segmentBytes;
      const piece = into.subarray(at, at + segmentBytes - within);
      const range = { offset: within, length: piece.length };
      const object = await this.#bucket.get(segmentKey(key, Math.floor((offset + at) / segmentBytes)), { range });
      if (object === null) throw new Error('a staged file is gone');
      if (!(await fillFrom(object.body, piece, check))) throw new Error('a staged file is shorter than it was');
      at += piece.length;
    }
  }

  /** Removes what is there of these. */
  async remove(files: readonly StagedPlace[]): Promise<void> {
    const keys = files.flatMap(({ key, size }) => segmentKeys(key, Math.ceil(size / limits.segmentBytes)));
    for (let at = 0; at < keys.length; at += KEYS_PER_DELETE) {
      await this.#bucket.delete(keys.slice(at, at + KEYS_PER_DELETE));
    }
  }
}

function segmentKey(key: string, number: number): string {
  return `${key}/${number}`;
}

function segmentKeys(key: string, count: number): string[] {
  return Array.from({ length: count }, (_, number) => segmentKey(key, number));
}
