import { PartBuffer } from './part-buffer.ts';
import { sendBytes } from './send-bytes.ts';

/** R2's least size of a part of a multipart upload; all parts but the last have this size. */
export const PART_BYTES = 5 * 1024 * 1024;

/** Bytes that the buffer of the first part begins with; those behind it find it grown. */
const FIRST_BYTES = 64 * 1024;

/**
 * Writes an object whose length is not known before its end, with at most one part of it in memory: a single put up to
 * `PART_BYTES`, else a multipart upload. The object appears only when it is whole; when `body` throws, nothing of it
 * remains. A multipart upload that a crash leaves open shows nowhere and lapses by itself (R2: after 7 days).
 */
export async function writeObject(
  bucket: R2Bucket,
  key: string,
  body: AsyncIterable<Uint8Array>,
  options: R2PutOptions & R2MultipartOptions = {},
): Promise<{ size: number }> {
  const writer = new ObjectWriter(bucket, key, options);
  try {
    for await (const chunk of body) await writer.add(chunk);
    return { size: await writer.end() };
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
  readonly #options: R2PutOptions & R2MultipartOptions;
  readonly #part = new PartBuffer(FIRST_BYTES, PART_BYTES);
  #upload: R2MultipartUpload | undefined;
  readonly #uploaded: R2UploadedPart[] = [];

  constructor(bucket: R2Bucket, key: string, options: R2PutOptions & R2MultipartOptions) {
    this.#bucket = bucket;
    this.#key = key;
    this.#options = options;
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

  /** @returns bytes written */
  async end(): Promise<number> {
    const size = this.#uploaded.length * PART_BYTES + this.#part.bytes.length;
    if (this.#upload === undefined) {
      await sendBytes(this.#part.bytes, (body) => this.#bucket.put(this.#key, body, this.#options));
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
    const upload = this.#upload;
    const number = this.#uploaded.length + 1;
    this.#uploaded.push(await sendBytes(this.#part.bytes, (part) => upload.uploadPart(number, part)));
  }
}
