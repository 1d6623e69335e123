import { Buffer } from 'node:buffer';
import { makeZip, predictLength } from 'client-zip';
import { callPlatform } from '../platform/call-platform.ts';
import { expiryHour } from './result-key.ts';
import type { ResultStore } from './result-store.ts';
import type { PlatformCall } from './send-bytes.ts';

/** Where manifests of ZIP files are in the bucket; what follows is the opaque key of the download's address. */
export const ZIP_PREFIX = 'zips/';

/** One file of a ZIP: a result, and its name in the ZIP. */
export interface ZipEntry {
  /** Opaque key of the result. */
  readonly key: string;
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  /** The result's entity tag, quoted: whatever else is there later is another file. */
  readonly etag: string;
  /** ms since the epoch. */
  readonly modified: number;
}

/** What a ZIP is made of whenever it is downloaded: the same bytes each time. */
export interface ZipManifest {
  readonly entries: readonly ZipEntry[];
  /** Bytes of the whole ZIP. */
  readonly size: number;
  /** The strong entity tag of the whole ZIP, quoted. */
  readonly etag: string;
  /** When it was made, ms since the epoch. */
  readonly made: number;
}

/** Of the random part of a key. */
const KEY_BYTES = 16;

/** ZIP files of results: only a list is stored, the bytes come out of the results while they are downloaded. */
export class ZipStore {
  readonly #bucket: R2Bucket;
  readonly #results: Pick<ResultStore, 'get'>;
  readonly #call: PlatformCall;

  constructor(bucket: R2Bucket, results: Pick<ResultStore, 'get'>, call: PlatformCall = callPlatform) {
    this.#bucket = bucket;
    this.#results = results;
    this.#call = call;
  }

  /**
   * Stores the list of a ZIP. @param expires Unix time in seconds; the sweep removes it after that @param now ms since the epoch
   * @throws PlatformError
   */
  async create(entries: readonly ZipEntry[], expires: number, now: number): Promise<ZipManifest & { key: string }> {
    const random = Buffer.from(crypto.getRandomValues(new Uint8Array(KEY_BYTES))).toString('base64url');
    const key = `${expiryHour(expires)}.${random}`;
    const manifest = { entries, size: Number(predictLength(entries)), etag: await tagOf(entries), made: now };
    const options = { httpMetadata: { contentType: 'application/json' }, customMetadata: { expires: String(expires) } };
    const body = JSON.stringify(manifest);
    await this.#call('R2 put', () => this.#bucket.put(ZIP_PREFIX + key, body, options));
    return { key, ...manifest };
  }

  /** @throws PlatformError */
  async find(key: string): Promise<ZipManifest | undefined> {
    const read = async () => await (await this.#bucket.get(ZIP_PREFIX + key))?.json<ZipManifest>();
    return await this.#call('R2 get', read);
  }

  /** The bytes of a ZIP, stored without compression: images do not shrink. Breaks off where a result is gone. */
  open({ entries, size }: ZipManifest): ReadableStream<Uint8Array> {
    return makeZip(this.#files(entries)).pipeThrough(new FixedLengthStream(size));
  }

  async *#files(entries: readonly ZipEntry[]) {
    for (const { key, name, size, etag, modified } of entries) {
      const result = await this.#results.get(key, undefined, etag);
      if (result === undefined) throw new Error('a result of the ZIP is gone');
      yield { name, size, lastModified: new Date(modified), input: result.body };
    }
  }
}

async function tagOf(entries: readonly ZipEntry[]): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(JSON.stringify(entries)));
  return `"${Buffer.from(digest, 0, KEY_BYTES).toString('hex')}"`;
}
