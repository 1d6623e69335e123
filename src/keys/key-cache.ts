import type { Caller } from './caller.ts';

interface Entry {
  readonly caller: Caller;
  /** ms since the epoch; the entry counts before it. */
  readonly until: number;
}

/** Callers by the hash of their key, the oldest dropped when there are too many. */
export class KeyCache {
  readonly #entries = new Map<string, Entry>();
  readonly #capacity: number;
  #generation = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** Changes with every `drop`: an answer that was asked for before one may be out of date by the time it arrives. */
  get generation(): number {
    return this.#generation;
  }

  find(hash: string, now: number): Caller | undefined {
    const entry = this.#entries.get(hash);
    if (entry !== undefined && entry.until > now) return entry.caller;
    this.#entries.delete(hash);
    return undefined;
  }

  /** Remembers the caller until `until` (ms), unless something was dropped since `generation` was read. */
  remember(hash: string, caller: Caller, until: number, generation: number): void {
    if (generation !== this.#generation) return;
    this.#entries.delete(hash);
    this.#entries.set(hash, { caller, until });
    if (this.#entries.size <= this.#capacity) return;
    const [oldest] = this.#entries.keys();
    if (oldest !== undefined) this.#entries.delete(oldest);
  }

  /** Forgets every caller that matches. */
  drop(matches: (caller: Caller) => boolean): void {
    this.#generation++;
    for (const [hash, { caller }] of this.#entries) {
      if (matches(caller)) this.#entries.delete(hash);
    }
  }
}

/** The one cache of this isolate: stores come and go with requests, what they learned stays. */
export const isolateKeyCache = new KeyCache(1000);
