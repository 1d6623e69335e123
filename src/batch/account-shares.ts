/** On whose behalf a task runs, and the weight of their share of the engine. */
export interface Owner {
  readonly accountId: string;
  /** Relative to the weights of others; more than 0. */
  readonly weight: number;
}

/** Milliseconds after which half of what an account had of the engine is forgotten. */
const HALF_LIFE_MS = 30_000;
/** Accounts that are remembered; beyond it those that were not served for longest are forgotten. */
const REMEMBERED = 1000;

interface Share {
  /** Milliseconds of the engine by the weight of the account, as of `at`. */
  readonly had: number;
  readonly at: number;
}

/** What each account has had of an engine lately. */
export class AccountShares {
  readonly #now: () => number;
  /** In the order in which they were last served. */
  readonly #shares = new Map<string, Share>();

  /** @param now milliseconds */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Milliseconds by weight: the account with the least comes next. */
  of({ accountId }: Owner): number {
    const share = this.#shares.get(accountId);
    return share === undefined ? 0 : share.had * 0.5 ** ((this.#now() - share.at) / HALF_LIFE_MS);
  }

  /** When (milliseconds) the account was last served; long ago where it is not remembered. */
  lastServed({ accountId }: Owner): number {
    return this.#shares.get(accountId)?.at ?? Number.NEGATIVE_INFINITY;
  }

  /** Notes that an account is being served, and for how many milliseconds it was. */
  served(owner: Owner, milliseconds: number): void {
    const had = this.of(owner) + milliseconds / owner.weight;
    this.#shares.delete(owner.accountId);
    this.#shares.set(owner.accountId, { had, at: this.#now() });
    if (this.#shares.size <= REMEMBERED) return;
    const [oldest] = this.#shares.keys();
    if (oldest !== undefined) this.#shares.delete(oldest);
  }
}
