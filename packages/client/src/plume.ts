import { AdminCalls } from './admin-calls.ts';
import type { Batch, BatchSummary, Page, ResultItem, Usage, UsageDay, Zip } from './answers.ts';
import { Caller } from './caller.ts';
import { type CompressOutcome, type FileEvent, readCompressAnswer } from './compress-answer.ts';
import { type CompressOptions, compressForm, type NamedFile } from './compress-form.ts';
import { fetchTransport } from './fetch-transport.ts';
import { KeyCalls } from './key-calls.ts';
import { type RetryPolicy, sleep } from './retry.ts';
import { SessionCalls } from './session-calls.ts';
import { hasXhr, xhrTransport } from './xhr-transport.ts';

// biome-ignore-start lint/performance/noBarrelFile: the one entry of the package
export type * from './answers.ts';
export type { CompressOutcome, FileEvent } from './compress-answer.ts';
export { type CompressOptions, type NamedFile, optionFields } from './compress-form.ts';
export type { ApiErrorCode, FileErrorCode } from './error-codes.ts';
export * from './errors.ts';
export type { AuditEntry } from './key-calls.ts';
export type { Session } from './session-calls.ts';
export { type BatchBounds, batchBounds, batchLength } from './split-files.ts';
// biome-ignore-end lint/performance/noBarrelFile: the one entry of the package

export interface PlumeOptions {
  /** Absent in a browser: the page's session cookie signs the calls. */
  readonly apiKey?: string;
  /** The service's address; absent in a browser: the page's origin. */
  readonly baseUrl?: string;
  readonly fetch?: typeof globalThis.fetch;
  readonly retry?: Partial<RetryPolicy>;
  readonly silenceMs?: number;
}

export interface CompressCall extends CompressOptions {
  /** Bytes of the request's body that have left, where the runtime tells. */
  readonly onUpload?: (sentBytes: number) => void;
  readonly onFile?: (event: FileEvent) => void;
  readonly signal?: AbortSignal;
  /** Names the call: given again, it is neither done nor charged twice. A new one when absent. */
  readonly idempotencyKey?: string;
}

/** The service beats every 10 s while it works. */
const SILENCE_MS = 45_000;
const TRIES = 5;

/** The Plume API. */
export class Plume {
  readonly session: SessionCalls;
  readonly keys: KeyCalls;
  readonly admin: AdminCalls;
  readonly #caller: Caller;

  constructor({ apiKey, baseUrl = '', fetch, retry, silenceMs = SILENCE_MS }: PlumeOptions = {}) {
    const transport = fetchTransport(fetch ?? globalThis.fetch.bind(globalThis));
    this.#caller = new Caller({
      baseUrl: baseUrl.replace(/\/+$/, ''),
      apiKey,
      silenceMs,
      retry: { tries: TRIES, random: Math.random, sleep, ...retry },
      transport,
      uploadTransport: hasXhr && fetch === undefined ? xhrTransport : transport,
    });
    this.session = new SessionCalls(this.#caller);
    this.keys = new KeyCalls(this.#caller);
    this.admin = new AdminCalls(this.#caller);
  }

  /**
   * Sends up to 20 files as one batch and reports on each while it is worked on. All tries share one Idempotency-Key, so nothing is done
   * or charged twice.
   * @throws PlumeError when the batch as a whole was refused or lost; a file that failed is among `failures`
   */
  compress(files: readonly NamedFile[], call: CompressCall = {}): Promise<CompressOutcome> {
    const { onUpload, onFile = () => {}, signal, idempotencyKey = crypto.randomUUID(), ...options } = call;
    const request = {
      method: 'POST',
      path: '/api/compress',
      query: { include: 'details' },
      headers: { Accept: 'text/event-stream', 'Idempotency-Key': idempotencyKey },
      form: compressForm(files, options),
      signal,
      ...(onUpload && { onUpload }),
    } as const;
    return this.#caller.send(request, (answer) => readCompressAnswer(answer, onFile));
  }

  /** What the month has used and left. @throws PlumeError */
  usage(): Promise<Usage> {
    return this.#caller.json({ method: 'GET', path: '/api/usage' });
  }

  /** What each key did on each day, `from` and `to` included (`2026-11-22`, UTC). @throws PlumeError */
  usageDays(from: string, to: string): Promise<{ readonly days: readonly UsageDay[] }> {
    return this.#caller.json({ method: 'GET', path: '/api/usage/days', query: { from, to } });
  }

  /** The batches of the last 24 hours, the newest first. @throws PlumeError */
  batches(page: { limit?: number; cursor?: string } = {}): Promise<{ batches: readonly BatchSummary[] } & Page> {
    return this.#caller.json({ method: 'GET', path: '/api/batches', query: page });
  }

  /** One batch with its results so far; the links are signed anew. @throws PlumeError */
  batch(id: string): Promise<Batch> {
    const path = `/api/batches/${encodeURIComponent(id)}`;
    return this.#caller.json({ method: 'GET', path, query: { include: 'details' } });
  }

  /** One ZIP of results of this account. @throws PlumeError */
  zip(results: readonly Pick<ResultItem, 'downloadUrl'>[], name?: string): Promise<Zip> {
    const urls = results.map(({ downloadUrl }) => downloadUrl);
    return this.#caller.json({ method: 'POST', path: '/api/zips', json: { urls, ...(name && { name }) } });
  }
}
