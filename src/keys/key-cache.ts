import { limits } from '../limits.ts';
import type { Caller } from './caller.ts';

interface Entry {
  readonly caller: Caller;
  /** ms since the epoch; before it the entry counts without a question to the database. */
  readonly freshUntil: number;
  /** ms since the epoch; before it the entry counts where the database gives no answer. */
  readonly trustedUntil: number;
}

const unknownKept = 1000;

/**
 * What an isolate knows of keys, by their hash: whose they are, or that the database does not have them. Of both kinds the oldest is
 * dropped when there are too many. Times are ms since the epoch.
 */
export class KeyCache {
  readonly #entries = new Map<string, Entry>();
  readonly #unknown = new Map<string, number>();
  readonly #capacity: number;
  #generation = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** Changes with every change to a key or an account: an answer that was asked for before one may be out of date when it arrives. */
  get generation(): number {
    return this.#generation;
  }

  find(hash: string, now: number): { caller: Caller; fresh: boolean } | undefined {
    const entry = this.#entries.get(hash);
    if (entry !== undefined && entry.trustedUntil > now) return { caller: entry.caller, fresh: entry.freshUntil > now };
    this.#entries.delete(hash);
    return undefined;
  }

  /** Whether the database said a short while ago that there is no such key. */
  isUnknown(hash: string, now: number): boolean {
    return (this.#unknown.get(hash) ?? now) > now;
  }

  /**
   * Remembers whose the key was at `asked`, unless something changed since `generation` was read. From `expiry` on the key counts no
   * more, however the database is.
   */
  remember(hash: string, caller: Caller, { asked, expiry, generation }: Answered & { expiry: number }): void {
    if (generation !== this.#generation) return;
    const freshUntil = Math.min(asked + limits.keyCacheSeconds * 1000, expiry);
    const trustedUntil = Math.min(asked + limits.keyTrustSeconds * 1000, expiry);
    put(this.#entries, hash, { caller, freshUntil, trustedUntil }, this.#capacity);
  }

  /** Remembers that there was no such key at `asked`, unless something changed since `generation` was read. */
  rememberUnknown(hash: string, { asked, generation }: Answered): void {
    // A key that was there and is not is gone for good.
    this.#entries.delete(hash);
    if (generation !== this.#generation) return;
    put(this.#unknown, hash, asked + limits.unknownKeySeconds * 1000, unknownKept);
  }

  /** Lets the entry count until `until` without a question, as far as it may be trusted; undefined where there is none. */
  trust(hash: string, until: number, now: number): Caller | undefined {
    const entry = this.#entries.get(hash);
    if (entry === undefined || entry.trustedUntil <= now) return undefined;
    this.#entries.set(hash, { ...entry, freshUntil: Math.min(until, entry.trustedUntil) });
    return entry.caller;
  }

  /** Forgets every caller that matches. */
  drop(matches: (caller: Caller) => boolean): void {
    this.#generation++;
    for (const [hash, { caller }] of this.#entries) {
      if (matches(caller)) this.#entries.delete(hash);
    }
  }

  /** Forgets that there was no such key: there is one now. */
  allow(hash: string): void {
    this.#generation++;
    this.#unknown.delete(hash);
  }
}

/** When (ms) the database was asked, and the cache's generation then. */
export interface Answered {
  readonly asked: number;
  readonly generation: number;
}

/** Sets the entry as the youngest, and drops the oldest where there are more than `capacity`. */
function put<Value>(map: Map<string, Value>, key: string, value: Value, capacity: number): void {
  map.delete(key);
  map.set(key, value);
  if (map.size <= capacity) return;
  const [oldest] = map.keys();
  if (oldest !== undefined) map.delete(oldest);
}

/** The one cache of this isolate: stores come and go with requests, what they learned stays. */
export const isolateKeyCache = new KeyCache(1000);
