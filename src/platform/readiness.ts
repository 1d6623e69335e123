import { callPlatform, type Patience, type PlatformShell, platformShell } from './call-platform.ts';

/** One part that the service cannot work without. */
export interface Check {
  readonly name: string;
  /** Does something small with it. May be called again. @param colo the data centre that asks @throws when it fails */
  run(colo: string): Promise<unknown>;
  /** Where it may take longer than others. */
  readonly patience?: Patience;
}

/** How the parts were found: milliseconds of those that answered, the names of those that did not. */
export interface Readiness {
  readonly checks: Readonly<Record<string, number>>;
  readonly failing: readonly string[];
}

/** Short: who asks wants to know now. The second try is for the one call in ten thousand that R2 fails. */
const usual: Patience = { tries: 2, limitMs: 1500, backOffMs: 50 };
/** How often a request looks whether the probe of another one has ended. */
const LOOK_MS = 25;

/**
 * Probes the parts of the service, at most once in `keepMs` however many ask: requests that come in between get the last answer. A request
 * never waits for the promise of another one, which ends when that one's client leaves; it looks again until it may probe itself.
 */
export class ReadinessProbe {
  readonly #checks: readonly Check[];
  readonly #keepMs: number;
  readonly #clock: () => number;
  readonly #shell: PlatformShell;
  readonly #failed: (name: string, error: unknown) => void;
  #last: { readonly at: number; readonly readiness: Readiness } | undefined;
  #probingUntil = 0;

  /** @param failed told of each failure, for the log: the answer only names the part */
  constructor(p: {
    readonly checks: readonly Check[];
    readonly keepMs: number;
    /** Milliseconds. */
    readonly clock: () => number;
    readonly failed: (name: string, error: unknown) => void;
    readonly shell?: PlatformShell;
  }) {
    this.#checks = p.checks;
    this.#keepMs = p.keepMs;
    this.#clock = p.clock;
    this.#failed = p.failed;
    this.#shell = p.shell ?? platformShell;
  }

  async readiness(colo: string): Promise<Readiness> {
    for (;;) {
      const now = this.#clock();
      if (this.#last !== undefined && now < this.#last.at + this.#keepMs) return this.#last.readiness;
      if (now >= this.#probingUntil) return await this.#probe(now, colo);
      await new Promise<void>((resolve) => void this.#shell.timer(LOOK_MS, resolve));
    }
  }

  async #probe(now: number, colo: string): Promise<Readiness> {
    // A probe whose request was cut never ends: after this time the next request takes its place.
    this.#probingUntil = now + Math.max(0, ...this.#checks.map(longest));
    const found = await Promise.all(this.#checks.map((check) => this.#time(check, colo)));
    const answered = found.filter(([, ms]) => ms !== undefined) as [string, number][];
    const failing = found.filter(([, ms]) => ms === undefined).map(([name]) => name);
    const readiness = { checks: Object.fromEntries(answered), failing };
    this.#last = { at: this.#clock(), readiness };
    this.#probingUntil = 0;
    return readiness;
  }

  async #time({ name, run, patience = usual }: Check, colo: string): Promise<[name: string, ms: number | undefined]> {
    const start = this.#clock();
    try {
      await callPlatform(`readiness of ${name}`, () => run(colo), patience, this.#shell);
      return [name, this.#clock() - start];
    } catch (error) {
      this.#failed(name, error);
      return [name, undefined];
    }
  }
}

/** Milliseconds that a check may take. */
function longest({ patience = usual }: Check): number {
  return (patience.limitMs + patience.backOffMs) * patience.tries;
}
