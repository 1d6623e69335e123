import { AccountShares, type Owner } from './account-shares.ts';

/** What became of a task: `busy` means that it was not taken in, and nothing of it ran. */
export type QueueAnswer<T> =
  | { readonly kind: 'done'; readonly value: T }
  | {
      readonly kind: 'busy';
      /** Whole seconds after which it is worth trying again. */
      readonly retryAfterSeconds: number;
    };

export interface QueueLimits {
  /** Tasks that may wait; of one account at most half of them. */
  readonly length: number;
  /** Milliseconds for which an account's tasks wait while nothing of that account runs; past it they are refused. */
  readonly ageMs: number;
  /** Milliseconds without a sign of life after which a running task is suspected to be dead. */
  readonly silenceMs: number;
}

/** Milliseconds; and a pause of so many of them, which lets everything else of the isolate run. */
export interface QueueClock {
  now(): number;
  wait(milliseconds: number): Promise<void>;
  /** Runs `tick` every so many milliseconds until the function that it returns is called. */
  every(milliseconds: number, tick: () => void): () => void;
}

/** How often a waiting task looks whether it is its turn; it is told too, but by whom may be dead. */
const POLL_MS = 500;
/** How often a running task says that it is alive. */
const BEAT_MS = 1000;
/** A suspect that stays silent for so long, with the event loop running, is dead: its own timer would have run. */
const SUSPICION_MS = 2000;
/** A waiting task that did not look for so long is passed over: its request was ended by the platform. */
const UNSEEN_MS = 4 * POLL_MS;
/** Bounds of what a refused caller is told to wait. */
const [SHORTEST_RETRY, LONGEST_RETRY] = [1, 60];

interface Ticket {
  readonly owner: Owner;
  readonly arrivedAt: number;
  /** When its request was last known to be alive. */
  seenAt: number;
  /** Ends a pause between two looks early. */
  wake: () => void;
}

interface Running {
  readonly ticket: Ticket;
  readonly since: number;
  lastBeat: number;
  /** When another task first found it silent; cleared by a beat. */
  suspectSince: number | undefined;
}

/**
 * The queue in front of an engine: one task at a time, the accounts in turns. Tasks take the engine, they are never handed it: the platform
 * may end any request or object at any moment without running another line of it, so whoever waits looks for itself, with a timer
 * of its own, and no progress depends on one that may be dead. A running task that died is found by its silence, a waiting one is
 * passed over.
 */
export class EngineQueue {
  readonly #limits: QueueLimits;
  readonly #clock: QueueClock;
  readonly #shares: AccountShares;
  #waiting: Ticket[] = [];
  #running: Running | undefined;
  #typicalMs = 1000;

  constructor(limits: QueueLimits, clock: QueueClock) {
    this.#limits = limits;
    this.#clock = clock;
    this.#shares = new AccountShares(() => clock.now());
  }

  /** Whether a task runs or waits that is not known to be dead: who stands aside for a dead one does so for ever. */
  get inUse(): boolean {
    if (this.#running !== undefined && !this.#isDead(this.#running)) return true;
    return this.#next() !== undefined;
  }

  /** Runs a task when its turn comes. @throws what the task throws */
  async run<T>(owner: Owner, task: () => Promise<T>): Promise<QueueAnswer<T>> {
    const now = this.#clock.now();
    if (this.#isFull(owner, now)) return this.#busy(owner);
    const ticket: Ticket = { owner, arrivedAt: now, seenAt: now, wake: () => {} };
    this.#waiting.push(ticket);
    while (!this.#mayRun(ticket)) {
      if (this.#isTooOld(ticket)) {
        this.#waiting = this.#waiting.filter((other) => other !== ticket);
        return this.#busy(owner);
      }
      await this.#pause(ticket);
    }
    return { kind: 'done', value: await this.#carryOut(ticket, task) };
  }

  async #carryOut<T>(ticket: Ticket, task: () => Promise<T>): Promise<T> {
    const now = this.#clock.now();
    const running: Running = { ticket, since: now, lastBeat: now, suspectSince: undefined };
    this.#waiting = this.#waiting.filter((other) => other !== ticket);
    this.#running = running;
    this.#shares.served(ticket.owner, 0);
    const stop = this.#clock.every(BEAT_MS, () => {
      running.lastBeat = this.#clock.now();
      running.suspectSince = undefined;
      this.#shares.served(ticket.owner, 0);
    });
    try {
      return await task();
    } finally {
      stop();
      this.#leave(running);
    }
  }

  #leave(running: Running): void {
    // One that was taken for dead was counted then.
    if (this.#running !== running) return;
    const took = this.#clock.now() - running.since;
    this.#shares.served(running.ticket.owner, took);
    this.#typicalMs += (took - this.#typicalMs) / 8;
    this.#running = undefined;
    this.#next()?.wake();
  }

  /** Whether the engine is free and nobody else comes first. Whoever comes first is told. */
  #mayRun(ticket: Ticket): boolean {
    ticket.seenAt = this.#clock.now();
    if (this.#running !== undefined && !this.#isDead(this.#running)) return false;
    const next = this.#next();
    if (next !== ticket) next?.wake();
    return next === ticket;
  }

  /**
   * A long computation is silent too, but cannot be looked at: nobody else runs meanwhile. After it a look may come before the
   * task's own timer, hence the second look.
   */
  #isDead(running: Running): boolean {
    const now = this.#clock.now();
    if (now - running.lastBeat <= this.#limits.silenceMs) return false;
    running.suspectSince ??= now;
    if (now - running.suspectSince < SUSPICION_MS) return false;
    this.#shares.served(running.ticket.owner, running.lastBeat - running.since);
    this.#running = undefined;
    return true;
  }

  /** Of those that live, the one whose account has had least of the engine; of one account, the one that came first. */
  #next(): Ticket | undefined {
    const since = this.#clock.now() - UNSEEN_MS;
    let next: Ticket | undefined;
    for (const ticket of this.#waiting) {
      if (ticket.seenAt < since) continue;
      if (next === undefined || this.#shares.of(ticket.owner) < this.#shares.of(next.owner)) next = ticket;
    }
    return next;
  }

  /** An account's own tasks never make each other too old: they wait while others are served. */
  #isTooOld({ owner, arrivedAt }: Ticket): boolean {
    const from = Math.max(arrivedAt, this.#shares.lastServed(owner));
    return this.#clock.now() - from > this.#limits.ageMs;
  }

  #isFull({ accountId }: Owner, now: number): boolean {
    // Dead ones make room once they can no longer be taken for slow ones.
    this.#waiting = this.#waiting.filter(({ seenAt }) => now - seenAt <= this.#limits.ageMs);
    const own = this.#waiting.filter(({ owner }) => owner.accountId === accountId).length;
    return this.#waiting.length >= this.#limits.length || own >= this.#limits.length / 2;
  }

  /** About as long as one turn of all accounts that wait takes. */
  #busy(owner: Owner): { kind: 'busy'; retryAfterSeconds: number } {
    const accounts = new Set([owner.accountId, ...this.#waiting.map((ticket) => ticket.owner.accountId)]).size;
    const seconds = Math.ceil((accounts * this.#typicalMs) / 1000);
    return { kind: 'busy', retryAfterSeconds: Math.min(LONGEST_RETRY, Math.max(SHORTEST_RETRY, seconds)) };
  }

  async #pause(ticket: Ticket): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    ticket.wake = resolve;
    await Promise.race([promise, this.#clock.wait(POLL_MS)]);
  }
}
