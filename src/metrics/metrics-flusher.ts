import { callPlatform, type Patience, type PlatformShell, platformShell } from '../platform/call-platform.ts';
import type { Counters } from '../platform/counters.ts';
import type { MetricsStore, Portion } from './metrics-store.ts';

/** The store of a source; each time anew, because a stub through which a call failed is of no more use. */
export type StoreOf = (source: string) => Pick<MetricsStore, 'add'>;

export interface MetricsFlusherServices {
  readonly counters: Counters;
  newId(): string;
  /** Milliseconds. */
  now(): number;
  readonly shell?: PlatformShell;
}

/** Nobody waits for it, and what is not told now is told the next time. */
const patience: Patience = { tries: 2, limitMs: 5000, backOffMs: 500 };
/** A request that flushes may be cut by the platform: so long after it should have been done another one does it. */
const CUT_MS = 20_000;

/**
 * Carries what the isolate counted to its store, a portion at a time and never more often than it is asked to. A portion whose answer was lost
 * is sent again as it was, so that nothing counts twice; what an isolate had not told yet when the platform ended it is lost.
 */
export class MetricsFlusher {
  readonly #services: MetricsFlusherServices;
  #source: string | undefined;
  #number = 0;
  #unanswered: Portion | undefined;
  #flushedAt = Number.NEGATIVE_INFINITY;
  /** Until when somebody waits in order to flush, and until when somebody flushes, unless the platform has cut them. */
  #waitedUntil = Number.NEGATIVE_INFINITY;
  #sentUntil = Number.NEGATIVE_INFINITY;

  constructor(services: MetricsFlusherServices) {
    this.#services = services;
  }

  /**
   * Flushes once `afterMs` have passed since the last time, unless somebody else of the isolate is about to. Never throws.
   * @param afterMs 0: at once
   * @param store as the caller reaches it
   */
  async flush(afterMs: number, store: StoreOf): Promise<void> {
    const { now } = this.#services;
    const wait = this.#flushedAt + afterMs - now();
    if (this.#idle || (wait > 0 && now() < this.#waitedUntil)) return;
    if (wait > 0) {
      this.#waitedUntil = now() + wait + CUT_MS;
      await this.#pause(wait);
      this.#waitedUntil = Number.NEGATIVE_INFINITY;
    }
    if (this.#idle || now() < this.#sentUntil) return;
    this.#sentUntil = now() + CUT_MS;
    try {
      // What is left of the portion that was sent last comes first: it may have arrived.
      while (!this.#idle) await this.#send(this.#unanswered ?? this.#portion(), store);
    } catch {
      // Counted as a failed call, and sent again the next time.
    }
    this.#flushedAt = now();
    this.#sentUntil = Number.NEGATIVE_INFINITY;
  }

  /** The same, where `afterMs` have passed; where they have not, it is left to whoever comes next. */
  async flushIfDue(afterMs: number, store: StoreOf): Promise<void> {
    if (this.#services.now() - this.#flushedAt >= afterMs) await this.flush(0, store);
  }

  get #idle(): boolean {
    return this.#unanswered === undefined && this.#services.counters.empty;
  }

  #portion(): Portion {
    // No global scope may ask for chance.
    this.#source ??= this.#services.newId();
    return { source: this.#source, number: ++this.#number, counts: this.#services.counters.take() };
  }

  async #send(portion: Portion, store: StoreOf): Promise<void> {
    const { shell } = this.#services;
    this.#unanswered = portion;
    const add = async () => await store(portion.source).add(portion);
    await callPlatform('metrics add', add, patience, shell);
    this.#unanswered = undefined;
  }

  #pause(milliseconds: number): Promise<void> {
    const { shell = platformShell } = this.#services;
    return new Promise((resolve) => void shell.timer(milliseconds, resolve));
  }
}
