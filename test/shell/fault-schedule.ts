import { type Random, seededRandom } from '../../scripts/fuzz/random.ts';

/**
 * What can go wrong with a call. `fail`: an error, and nothing is done. `overloaded`: the same, and the error asks for no repetition.
 * `hang`: no answer ever, and nothing is done. `delay`: done, after `delayMs`. `lost`: done, and the answer is an error. `twice`: done
 * two times, one after the other. `reset`: the Durable Object that is called is aborted in the middle, or the one that calls (calls of objects,
 * and calls to R2 and D1 by objects). `broken`: the body
 * of an object that was found ends in an error half-way (`r2.body` only).
 */
export const faultNames = ['fail', 'overloaded', 'hang', 'delay', 'lost', 'twice', 'reset', 'broken'] as const;
export type FaultName = (typeof faultNames)[number];

/** The chance of each fault, 0 … 1. */
export type FaultRates = Partial<Record<FaultName, number>>;

/** Which calls go wrong, as data: the same settings and the same order of calls give the same faults. */
export interface FaultSettings {
  readonly seed: number;
  /**
   * By kind of call or the start of one, the longest that fits counts: `r2`, `r2.put`, `d1.first`, `LANE`, `LEDGER.settle` (a namespace
   * goes by the name of its binding).
   */
  readonly rates?: Readonly<Record<string, FaultRates>>;
  /** Single calls: the n-th of a kind, counted from 1. */
  readonly calls?: readonly { readonly kind: string; readonly call: number; readonly fault: FaultName }[];
  /** Milliseconds of a `delay`; 15,000 when absent. */
  readonly delayMs?: number;
  /** Milliseconds after which `reset` strikes, at the most; 200 when absent. */
  readonly resetWithinMs?: number;
  /** Milliseconds for which a request may go on once its client has left; absent: for ever. */
  readonly cutAfterMs?: number;
}

const FINE = 1_000_000;

/** Deals out faults and counts: every call, and every fault that was really done. */
export class FaultSchedule {
  readonly calls = new Map<string, number>();
  readonly faults = new Map<string, number>();
  /** By binding: rows that its objects have written to their storage, as the platform counts them. */
  readonly rows = new Map<string, number>();
  /** Keys of R2 that are being written, by whomever. */
  readonly writing = new Set<string>();
  /** Told of every fault, before it takes effect. */
  noticed: (fault: string) => void = () => {};
  /** By binding: how many calls to R2 or D1 its objects may still make before the one that makes the next is aborted. */
  readonly #doomed = new Map<string, number>();
  #settings: FaultSettings;
  #random: Random;

  constructor(settings: FaultSettings) {
    this.#settings = settings;
    this.#random = seededRandom(settings.seed);
  }

  get settings(): FaultSettings {
    return this.#settings;
  }

  /** Goes by other settings from now on; what was counted stays. */
  change(settings: FaultSettings): void {
    this.#settings = settings;
    this.#random = seededRandom(settings.seed);
  }

  /** Counts a call and says what goes wrong with it. */
  next(kind: string, possible: readonly FaultName[]): FaultName | undefined {
    const call = count(this.calls, kind);
    const set = this.#settings.calls?.find((one) => one.kind === kind && one.call === call)?.fault;
    const fault = set ?? this.#byChance(kind);
    if (fault === undefined || !possible.includes(fault)) return undefined;
    this.note(`${kind} ${fault}`);
    return fault;
  }

  /** Counts something that went wrong by the rules of the platform and not by chance. */
  note(fault: string): void {
    count(this.faults, fault);
    this.noticed(fault);
  }

  /** Counts rows that an object of a binding has written. */
  wrote(binding: string, rows: number): void {
    if (rows > 0) count(this.rows, binding, rows);
  }

  /** Has the object of a binding aborted that makes the call to R2 or D1 after the next `calls`: so it is in the middle of its work. */
  doom(binding: string, calls: number): void {
    this.#doomed.set(binding, calls);
  }

  /** Whether the object of this binding that makes a call now is the doomed one. */
  strikes(binding: string): boolean {
    const left = this.#doomed.get(binding);
    if (left === undefined) return false;
    if (left > 0) this.#doomed.set(binding, left - 1);
    else this.#doomed.delete(binding);
    return left === 0;
  }

  /** A whole number from 0 to below `limit`. */
  pick(limit: number): number {
    return this.#random(limit);
  }

  #byChance(kind: string): FaultName | undefined {
    const rates = this.#ratesOf(kind);
    if (rates === undefined) return undefined;
    let drawn = this.#random(FINE) / FINE;
    for (const name of faultNames) {
      drawn -= rates[name] ?? 0;
      if (drawn < 0) return name;
    }
    return undefined;
  }

  #ratesOf(kind: string): FaultRates | undefined {
    const { rates = {} } = this.#settings;
    for (let name = kind; name !== ''; name = name.slice(0, Math.max(0, name.lastIndexOf('.')))) {
      if (rates[name] !== undefined) return rates[name];
    }
    return undefined;
  }
}

function count(counters: Map<string, number>, name: string, by = 1): number {
  const counted = (counters.get(name) ?? 0) + by;
  counters.set(name, counted);
  return counted;
}
