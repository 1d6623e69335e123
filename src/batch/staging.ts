import { createHash } from 'node:crypto';
import { type PartMemory, writeObject } from '../delivery/write-object.ts';
import { limits } from '../limits.ts';
import type { UploadGate } from './upload-gate.ts';

/** A file of a request, kept until the batch is done. */
export interface StagedFile {
  readonly key: string;
  readonly size: number;
  /** Lower-case hex; for the request's fingerprint. */
  readonly sha256: string;
}

/** R2's limit of keys in one call of delete. */
const KEYS_PER_DELETE = 1000;

/** Where uploads wait for their lanes: R2, under `staging/<request id>/`. What a dead request leaves, the sweep removes. */
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
   * Stores a file as it arrives, with at most `limits.uploadPartBytes` of it in memory; nothing is kept when it fails.
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
    const checked = watch(body, maxBytes, tooLarge, (chunk) => hash.update(chunk));
    const { size } = await writeObject(this.#bucket, key, checked, {}, () => this.#memory(bytesLeft()));
    return { key, size, sha256: hash.digest('hex') };
  }

  /** A staged file, or a range of it in bytes. */
  async read(key: string, range?: { offset: number; length: number }): Promise<R2ObjectBody | null> {
    return await this.#bucket.get(key, range && { range });
  }

  /** Removes what is there of these. */
  async remove(keys: readonly string[]): Promise<void> {
    for (let at = 0; at < keys.length; at += KEYS_PER_DELETE) {
      await this.#bucket.delete(keys.slice(at, at + KEYS_PER_DELETE));
    }
  }

  async #memory(bytesLeft: number): Promise<PartMemory> {
    const bytes = Math.max(0, Math.min(limits.uploadPartBytes, bytesLeft));
    return { bytes, release: await this.#gate.acquire(bytes) };
  }
}

/** Passes a body on, shows each chunk to `see`, and ends it with an error once it is too long. */
async function* watch(
  body: AsyncIterable<Uint8Array>,
  maxBytes: number,
  tooLarge: () => Error,
  see: (chunk: Uint8Array) => void,
): AsyncGenerator<Uint8Array, void, void> {
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maxBytes) throw tooLarge();
    see(chunk);
    yield chunk;
  }
}
