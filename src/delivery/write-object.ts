import { callPlatform, type Patience } from '../platform/call-platform.ts';
import { PartBuffer } from './part-buffer.ts';
import { deliverBytes, type PlatformCall, writePatience } from './send-bytes.ts';

/** R2's least size of a part of a multipart upload; all parts but the last have this size. */
export const PART_BYTES = 5 * 1024 * 1024;

/** Bytes that the buffer of the first part begins with; those behind it find it grown. */
const FIRST_BYTES = 64 * 1024;

/** An upload that nobody ends lapses by itself, so a job that has failed does not wait long for it. */
const abortPatience: Patience = { tries: 2, limitMs: 2000, backOffMs: 100 };

type WriteOptions = Pick<R2PutOptions & R2MultipartOptions, 'customMetadata'> & {
  readonly httpMetadata?: R2HTTPMetadata;
};

/**
 * Writes an object whose length is not known before its end, with at most one part of it in memory: a single put up to
 * `PART_BYTES`, else a multipart upload. The object appears only when it is whole; when `body` throws, nothing of it
 * remains. A multipart upload that a crash leaves open shows nowhere and lapses by itself (R2: after 7 days).
 * Calls that fail are repeated; one that did its work and lost its answer is known by the mark that the object carries (metadata
 * `write`), and not done again.
 * @throws PlatformError when R2 fails all the same; whatever `body` throws
 */
export async function writeObject(
  bucket: R2Bucket,
  key: string,
  body: AsyncIterable<Uint8Array>,
  options: WriteOptions = {},
  call: PlatformCall = callPlatform,
): Promise<{ size: number }> {
  const size = await writeIfAccepted(bucket, key, body, { ...options, accept: () => true }, call);
  return { size: size! };
}

/** Told the size of all that there is to write, before the object appears. */
export type Accept = (size: number) => boolean | Promise<boolean>;

/**
 * The same where it is known only at the end whether the object is wanted: `accept` decides, and what it refuses was never written. It is
 * asked with at most one part in memory, with none where there are several.
 * @returns bytes written; undefined, with nothing of it left, where they were not accepted
 * @throws as `writeObject`; whatever `accept` throws
 */
export async function writeIfAccepted(
  bucket: R2Bucket,
  key: string,
  body: AsyncIterable<Uint8Array>,
  { accept, ...options }: WriteOptions & { readonly accept: Accept },
  call: PlatformCall = callPlatform,
): Promise<number | undefined> {
  const writer = new ObjectWriter(bucket, key, options, call);
  try {
    for await (const chunk of body) await writer.add(chunk);
    const size = await writer.last();
    if (await accept(size)) {
      await writer.end(size);
      return size;
    }
    await writer.abort();
    return undefined;
  } catch (error) {
    await writer.abort();
    throw error;
  } finally {
    writer.free();
  }
}

class ObjectWriter {
  readonly #bucket: R2Bucket;
  readonly #key: string;
  readonly #options: WriteOptions;
  readonly #call: PlatformCall;
  /** No other write of the key has it. */
  readonly #mark = crypto.randomUUID();
  readonly #part = new PartBuffer(FIRST_BYTES, PART_BYTES);
  #upload: R2MultipartUpload | undefined;
  readonly #uploaded: R2UploadedPart[] = [];
  /** Whether the write that makes the object appear was called. */
  #tried = false;

  constructor(bucket: R2Bucket, key: string, options: WriteOptions, call: PlatformCall) {
    this.#bucket = bucket;
    this.#key = key;
    this.#options = { ...options, customMetadata: { ...options.customMetadata, write: this.#mark } };
    this.#call = call;
  }

  free(): void {
    this.#part.free();
  }

  async add(chunk: Uint8Array): Promise<void> {
    for (let rest = chunk; rest.length > 0; rest = this.#part.take(rest)) {
      if (!this.#part.full) continue;
      await this.#sendPart();
      this.#part.clear();
    }
  }

  /** All was added. What is one of several parts leaves memory now. @returns bytes of the whole */
  async last(): Promise<number> {
    const size = this.#uploaded.length * PART_BYTES + this.#part.bytes.length;
    if (this.#upload !== undefined) {
      await this.#sendPart();
      this.free();
    }
    return size;
  }

  /** Makes the object appear. */
  async end(size: number): Promise<void> {
    if (this.#upload === undefined) await this.#put(size);
    else await this.#complete(this.#upload, size);
  }

  async abort(): Promise<void> {
    const upload = this.#upload;
    if (upload) await this.#call('R2 abort', () => upload.abort(), abortPatience).catch(() => {});
  }

  async #put(size: number): Promise<void> {
    const send = async (body: ReadableStream) => {
      if (await this.#isDone(size)) return await body.cancel();
      requireSize(await this.#bucket.put(this.#key, body, this.#options), size);
    };
    await this.#unlessThere(size, () => deliverBytes('R2 put', this.#part.bytes, send, this.#call));
  }

  async #complete(upload: R2MultipartUpload, size: number): Promise<void> {
    const complete = async () => {
      if (!(await this.#isDone(size))) requireSize(await upload.complete(this.#uploaded), size);
    };
    await this.#unlessThere(size, () => this.#call('R2 complete', complete, writePatience));
  }

  async #sendPart(): Promise<void> {
    this.#upload ??= await this.#call('R2 create', () => this.#bucket.createMultipartUpload(this.#key, this.#options));
    const upload = this.#upload;
    const number = this.#uploaded.length + 1;
    const send = (part: ReadableStream) => upload.uploadPart(number, part);
    this.#uploaded.push(await deliverBytes('R2 part', this.#part.bytes, send, this.#call));
  }

  /** Before every try but the first: whether one before it did its work and lost the answer. R2 takes no two writes of one key at once. */
  async #isDone(size: number): Promise<boolean> {
    const first = !this.#tried;
    this.#tried = true;
    return !first && (await this.#isThere(size));
  }

  /** The last try, too, may have been done and have lost its answer. */
  async #unlessThere(size: number, write: () => Promise<void>): Promise<void> {
    try {
      await write();
    } catch (error) {
      const there = await this.#call('R2 head', () => this.#isThere(size)).catch(() => false);
      if (!there) throw error;
    }
  }

  async #isThere(size: number): Promise<boolean> {
    const object = await this.#bucket.head(this.#key);
    return object?.customMetadata?.write === this.#mark && object.size === size;
  }
}

function requireSize(stored: R2Object, size: number): void {
  if (stored.size !== size) throw new Error(`R2 stored ${stored.size} bytes of ${size}`);
}
