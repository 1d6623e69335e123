import { PartBuffer } from './part-buffer.ts';

/** R2's least size of a part of a multipart upload; all parts but the last have this size. */
export const PART_BYTES = 5 * 1024 * 1024;

/** Memory for one part: how much to begin with, and what to call when it is given back. */
export interface PartMemory {
  readonly bytes: number;
  readonly release: () => void;
}

const ownMemory = async (): Promise<PartMemory> => ({ bytes: 64 * 1024, release: () => {} });

/**
 * Writes an object whose length is not known before its end, with at most one part of it in memory: a single put up to
 * `PART_BYTES`, else a multipart upload. The object appears only when it is whole; when `body` throws, nothing of it
 * remains. A multipart upload that a crash leaves open shows nowhere and lapses by itself (R2: after 7 days).
 * @param memory is asked before each part; nothing is pulled from `body` until it answers
 */
export async function writeObject(
  bucket: R2Bucket,
  key: string,
  body: AsyncIterable<Uint8Array>,
  options: R2PutOptions & R2MultipartOptions = {},
  memory: () => Promise<PartMemory> = ownMemory,
): Promise<{ size: number }> {
  const writer = new ObjectWriter(bucket, key, options, memory);
  try {
    await writer.begin();
    for await (const chunk of body) await writer.add(chunk);
    return { size: await writer.end() };
  } catch (error) {
    await writer.abort();
    throw error;
  } finally {
    writer.release();
  }
}

class ObjectWriter {
  readonly #bucket: R2Bucket;
  readonly #key: string;
  readonly #options: R2PutOptions & R2MultipartOptions;
  readonly #memory: () => Promise<PartMemory>;
  #part = new PartBuffer(0, PART_BYTES);
  #release = (): void => {};
  #upload: R2MultipartUpload | undefined;
  readonly #uploaded: R2UploadedPart[] = [];

  constructor(
    bucket: R2Bucket,
    key: string,
    options: R2PutOptions & R2MultipartOptions,
    memory: () => Promise<PartMemory>,
  ) {
    this.#bucket = bucket;
    this.#key = key;
    this.#options = options;
    this.#memory = memory;
  }

  async begin(): Promise<void> {
    const { bytes, release } = await this.#memory();
    this.#release = release;
    this.#part = new PartBuffer(Math.min(bytes, PART_BYTES), PART_BYTES);
  }

  release(): void {
    this.#part.free();
    this.#release();
  }

  async add(chunk: Uint8Array): Promise<void> {
    for (let rest = chunk; rest.length > 0; rest = this.#part.take(rest)) {
      if (!this.#part.full) continue;
      await this.#sendPart();
      this.release();
      await this.begin();
    }
  }

  /** @returns bytes written */
  async end(): Promise<number> {
    const size = this.#uploaded.length * PART_BYTES + this.#part.bytes.length;
    if (this.#upload === undefined) {
      await this.#bucket.put(this.#key, this.#part.bytes, this.#options);
    } else {
      await this.#sendPart();
      await this.#upload.complete(this.#uploaded);
    }
    return size;
  }

  async abort(): Promise<void> {
    await this.#upload?.abort().catch(() => {});
  }

  async #sendPart(): Promise<void> {
    this.#upload ??= await this.#bucket.createMultipartUpload(this.#key, this.#options);
    this.#uploaded.push(await this.#upload.uploadPart(this.#uploaded.length + 1, this.#part.bytes));
  }
}
