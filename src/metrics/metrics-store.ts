import { DurableObject } from 'cloudflare:workers';

/** What one isolate counted since it last told. The same portion may arrive twice: it has the same source and number. */
export interface Portion {
  /** Names the isolate. */
  readonly source: string;
  /** 1, 2, 3, … of that source. */
  readonly number: number;
  /** By series. */
  readonly counts: Readonly<Record<string, number>>;
}

interface Stored {
  /** By series. */
  readonly sums: Record<string, number>;
  /** Of every source that told something lately: the number of its last portion, and when (ms since the epoch) it came. */
  readonly sources: Record<string, readonly [number: number, at: number]>;
}

/** A portion is repeated within seconds; after so long nobody repeats one. */
const REMEMBERED_MS = 10 * 60 * 1000;
const ROW = 'metrics';

/**
 * Adds up what isolates count, so that the sums outlive them. All of it is one row, because rows are paid for: one is written for each portion.
 * The service has a fixed number of these objects (`limits.metricStores`), and an isolate always tells the same one.
 */
export class MetricsStore extends DurableObject {
  readonly #clock: () => number;
  #loaded = false;
  #stored: Stored = { sums: {}, sources: {} };

  /** `clock` returns ms since the epoch. */
  constructor(ctx: DurableObjectState, env: unknown, clock: () => number = () => Date.now()) {
    super(ctx, env as never);
    this.#clock = clock;
  }

  /** Adds a portion, once. */
  async add({ source, number, counts }: Portion): Promise<void> {
    await this.#load();
    // From here to the write nothing is waited for: portions that come at the same moment are added to each other's sums.
    const { sums, sources } = this.#stored;
    const now = this.#clock();
    if ((sources[source]?.[0] ?? 0) >= number) return;
    const added = { ...sums };
    for (const [series, amount] of Object.entries(counts)) added[series] = (added[series] ?? 0) + amount;
    const recent = Object.entries(sources).filter(([, [, at]]) => now - at < REMEMBERED_MS);
    this.#stored = { sums: added, sources: { ...Object.fromEntries(recent), [source]: [number, now] } };
    await this.ctx.storage.put(ROW, this.#stored);
  }

  /** The sums by series. */
  async read(): Promise<Readonly<Record<string, number>>> {
    await this.#load();
    return this.#stored.sums;
  }

  async #load(): Promise<void> {
    if (this.#loaded) return;
    const stored = await this.ctx.storage.get<Stored>(ROW);
    if (!this.#loaded && stored !== undefined) this.#stored = stored;
    this.#loaded = true;
  }
}
