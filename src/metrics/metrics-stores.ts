import { limits } from '../limits.ts';
import { callPlatform } from '../platform/call-platform.ts';
import { isolateCounters } from '../platform/counters.ts';
import { MetricsFlusher } from './metrics-flusher.ts';
import type { MetricsStore } from './metrics-store.ts';

/** The isolate's: module state on purpose, like the counters that it empties. */
const isolateFlusher = new MetricsFlusher({
  counters: isolateCounters,
  newId: () => crypto.randomUUID(),
  now: () => Date.now(),
});

/** The objects in which what all isolates count comes together. */
export class MetricsStores {
  readonly #namespace: DurableObjectNamespace<MetricsStore>;

  constructor(namespace: DurableObjectNamespace<MetricsStore>) {
    this.#namespace = namespace;
  }

  /** Carries there what this isolate counted, `afterMs` after the last time at the earliest. Never throws. */
  flush(afterMs: number): Promise<void> {
    return isolateFlusher.flush(afterMs, (source) => this.#store(placeOf(source)));
  }

  /** The same where `afterMs` have passed, and nothing where they have not. */
  flushIfDue(afterMs: number): Promise<void> {
    return isolateFlusher.flushIfDue(afterMs, (source) => this.#store(placeOf(source)));
  }

  /** What was counted since the service began, by series. @throws PlatformError when one store does not answer: a part would be a lie */
  async read(): Promise<Readonly<Record<string, number>>> {
    const places = Array.from({ length: limits.metricStores }, (_, place) => place);
    const read = async (place: number) => await this.#store(place).read();
    const parts = await Promise.all(places.map((place) => callPlatform('metrics read', () => read(place))));
    const sums: Record<string, number> = {};
    for (const part of parts) {
      for (const [series, amount] of Object.entries(part)) sums[series] = (sums[series] ?? 0) + amount;
    }
    return sums;
  }

  #store(place: number): DurableObjectStub<MetricsStore> {
    return this.#namespace.get(this.#namespace.idFromName(`metrics-${place}`));
  }
}

/** Which store a source tells: always the same. */
function placeOf(source: string): number {
  let hash = 0;
  for (const character of source) hash = (hash * 31 + character.charCodeAt(0)) >>> 0;
  return hash % limits.metricStores;
}
