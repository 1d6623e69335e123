import { RESULT_PREFIX, resultKey } from './result-key.ts';
import { writeObject } from './write-object.ts';

/** What is known of a stored result without reading it. */
export interface StoredResult {
  readonly size: number;
  readonly mediaType: string;
  /** The strong entity tag, quoted. */
  readonly etag: string;
  readonly uploaded: Date;
}

/** Bytes of a result, from `offset` on. */
export interface ByteRange {
  readonly offset: number;
  readonly length: number;
}

/** What a result's object carries. */
export interface ResultMeta {
  readonly mediaType: string;
  /** Unix time in seconds; the sweep removes the object after it. */
  readonly expires: number;
}

/** Finished pictures in R2, under `results/`. Keys here are the opaque ones of the download's address. */
export class ResultStore {
  readonly #bucket: R2Bucket;

  constructor(bucket: R2Bucket) {
    this.#bucket = bucket;
  }

  /** See `resultKey`: deterministic, opaque, URL-safe. */
  keyFor(p: Parameters<typeof resultKey>[0]): Promise<string> {
    return resultKey(p);
  }

  /** Stores a result as it is made; it can be seen only once it is whole. When `body` throws, nothing remains. */
  async write(key: string, body: AsyncIterable<Uint8Array>, meta: ResultMeta): Promise<{ size: number }> {
    return await writeObject(this.#bucket, RESULT_PREFIX + key, body, {
      httpMetadata: { contentType: meta.mediaType },
      customMetadata: { expires: String(meta.expires) },
    });
  }

  async head(key: string): Promise<StoredResult | undefined> {
    const object = await this.#bucket.head(RESULT_PREFIX + key);
    return object === null ? undefined : describe(object);
  }

  /** The result, or a range of it, as a stream. Without `etag` whatever is there; with it, undefined if it was replaced. */
  async get(
    key: string,
    range?: ByteRange,
    etag?: string,
  ): Promise<(StoredResult & { readonly body: ReadableStream<Uint8Array> }) | undefined> {
    const object = await this.#bucket.get(RESULT_PREFIX + key, {
      ...(range === undefined ? {} : { range }),
      ...(etag === undefined ? {} : { onlyIf: { etagMatches: etag.replaceAll('"', '') } }),
    });
    return object === null || !('body' in object) ? undefined : { ...describe(object), body: object.body };
  }

  async remove(keys: readonly string[]): Promise<void> {
    if (keys.length > 0) await this.#bucket.delete(keys.map((key) => RESULT_PREFIX + key));
  }
}

function describe(object: R2Object): StoredResult {
  return {
    size: object.size,
    mediaType: object.httpMetadata?.contentType ?? 'application/octet-stream',
    etag: object.httpEtag,
    uploaded: object.uploaded,
  };
}
