import { callPlatform } from '../platform/call-platform.ts';
import { RESULT_PREFIX, resultKey } from './result-key.ts';
import type { PlatformCall } from './send-bytes.ts';
import { writeObject } from './write-object.ts';

/** What is known of a stored result without reading it. */
export interface StoredResult {
  readonly size: number;
  readonly mediaType: string;
  /** The strong entity tag, quoted. */
  readonly etag: string;
  readonly uploaded: Date;
  /** Whose it is; absent of results of a version that did not note it. */
  readonly account?: string;
  /** Unix time in seconds until which it is kept. */
  readonly expires?: number;
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
  /** Id of the account whose it is. */
  readonly account?: string;
}

/**
 * Finished images in R2, under `results/`. Keys here are the opaque ones of the download's address. Every call has a time limit and is
 * repeated when it fails. All methods that call R2 throw PlatformError when it fails all the same.
 */
export class ResultStore {
  readonly #bucket: R2Bucket;
  readonly #call: PlatformCall;

  constructor(bucket: R2Bucket, call: PlatformCall = callPlatform) {
    this.#bucket = bucket;
    this.#call = call;
  }

  /** See `resultKey`: deterministic, opaque, URL-safe. */
  keyFor(p: Parameters<typeof resultKey>[0]): Promise<string> {
    return resultKey(p);
  }

  /** Stores a result as it is made; it can be seen only once it is whole. When `body` throws, nothing remains. */
  async write(key: string, body: AsyncIterable<Uint8Array>, meta: ResultMeta): Promise<{ size: number }> {
    const httpMetadata = { contentType: meta.mediaType };
    const owner = meta.account === undefined ? {} : { account: meta.account };
    const options = { httpMetadata, customMetadata: { expires: String(meta.expires), ...owner } };
    return await writeObject(this.#bucket, RESULT_PREFIX + key, body, options, this.#call);
  }

  async head(key: string): Promise<StoredResult | undefined> {
    const object = await this.#call('R2 head', () => this.#bucket.head(RESULT_PREFIX + key));
    return object === null ? undefined : describe(object);
  }

  /** The result, or a range of it, as a stream. Without `etag` whatever is there; with it, undefined if it was replaced. */
  async get(
    key: string,
    range?: ByteRange,
    etag?: string,
  ): Promise<(StoredResult & { readonly body: ReadableStream<Uint8Array> }) | undefined> {
    const object = await this.#open(RESULT_PREFIX + key, {
      ...(range === undefined ? {} : { range }),
      ...(etag === undefined ? {} : { onlyIf: { etagMatches: etag.replaceAll('"', '') } }),
    });
    return object === null || !('body' in object) ? undefined : { ...describe(object), body: object.body };
  }

  async remove(keys: readonly string[]): Promise<void> {
    if (keys.length === 0) return;
    await this.#call('R2 delete', () => this.#bucket.delete(keys.map((key) => RESULT_PREFIX + key)));
  }

  /** What an attempt that was given up finds after all is let go, or its body would stay open. */
  async #open(key: string, options: R2GetOptions): Promise<R2ObjectBody | R2Object | null> {
    let wanted = 0;
    const attempt = async () => {
      const mine = ++wanted;
      const object = await this.#bucket.get(key, options);
      if (mine !== wanted && object !== null && 'body' in object) await object.body.cancel();
      return object;
    };
    try {
      return await this.#call('R2 get', attempt);
    } finally {
      wanted++;
    }
  }
}

function describe(object: R2Object): StoredResult {
  const { account, expires } = object.customMetadata ?? {};
  return {
    size: object.size,
    mediaType: object.httpMetadata?.contentType ?? 'application/octet-stream',
    etag: object.httpEtag,
    uploaded: object.uploaded,
    ...(account !== undefined && { account }),
    ...(expires !== undefined && { expires: Number(expires) }),
  };
}
