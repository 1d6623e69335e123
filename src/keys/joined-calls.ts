interface UnderWay<Result> {
  /** Callers that ask under another stamp do not share it: something has changed in between. */
  readonly stamp: number;
  /** ms; from then on nobody waits for it any more. */
  readonly until: number;
  readonly result: Promise<Result>;
}

/**
 * Lets callers that ask the same at the same time share one call. The request that made a call may be cut off, and the call with
 * it, so nobody may wait for a shared one without a time limit: after `limitMs` it is shared no more, and whoever comes next calls anew.
 */
export class JoinedCalls<Result> {
  readonly #underWay = new Map<string, UnderWay<Result>>();
  readonly #limitMs: number;

  constructor(limitMs: number) {
    this.#limitMs = limitMs;
  }

  /** Whether `join` would share a call. */
  has(id: string, stamp: number, now: number): boolean {
    const call = this.#underWay.get(id);
    return call !== undefined && call.stamp === stamp && call.until > now;
  }

  /** The call under way for `id`, or a new one. `now` is in ms. */
  join(id: string, stamp: number, now: number, call: () => Promise<Result>): Promise<Result> {
    if (this.has(id, stamp, now)) return this.#underWay.get(id)!.result;
    this.#forgetOverdue(now);
    const result = call();
    const made: UnderWay<Result> = { stamp, until: now + this.#limitMs, result };
    this.#underWay.delete(id);
    this.#underWay.set(id, made);
    const done = () => {
      if (this.#underWay.get(id) === made) this.#underWay.delete(id);
    };
    result.then(done, done);
    return result;
  }

  /** The oldest come first, and each is given the same time. */
  #forgetOverdue(now: number): void {
    for (const [id, { until }] of this.#underWay) {
      if (until > now) return;
      this.#underWay.delete(id);
    }
  }
}
