import { limits } from '../../src/limits.ts';
import { Chance } from './chance.ts';
import { EventLoop } from './event-loop.ts';
import { mean } from './quantile.ts';
import { Station } from './station.ts';

/** How long the parts of the service take for one thing, in seconds. */
export interface ServiceTimes {
  /** Kinds of images: the share of all, and for how long one has an engine. */
  readonly kinds: readonly { readonly share: number; readonly engineSeconds: number }[];
  /** That the engine waits for R2 in addition, around one image. */
  readonly storage: number;
  readonly upload: number;
  readonly ledgerCall: number;
  readonly query: number;
  readonly portion: number;
  /** An isolate that was idle for longer is gone, and another one takes so long to start. */
  readonly cold: { readonly afterSeconds: number; readonly seconds: number };
}

/** Who asks for how much, and what there is for it. */
export interface Situation {
  readonly imagesPerSecond: number;
  /** Images of one request. */
  readonly batch: number;
  /** Data centres, which share the load evenly. */
  readonly colos: number;
  /** Accounts, which share the load evenly; each has one ledger, and calls from one data centre. */
  readonly accounts: number;
  /** Lanes of a data centre. */
  readonly lanes: number;
  /** Lanes that one isolate has: they share its thread. Neighbours, to which the files of a batch go, are in different ones. */
  readonly lanesPerIsolate: number;
  /** Isolates of a data centre that take requests. */
  readonly frontIsolates: number;
  /** Seconds that are simulated. */
  readonly seconds: number;
}

export const parts = ['uploads', 'D1', 'ledger', 'lanes', 'metrics'] as const;
export type Part = (typeof parts)[number];

export interface Found {
  /** Seconds that each image waited for others and for an isolate to start; refused ones are not among them. */
  readonly waits: readonly number[];
  /** Seconds from the last byte of a request to the end of its batch. */
  readonly answers: readonly number[];
  readonly images: number;
  /** Images that no lane took. */
  readonly refused: number;
  /** Images for which an isolate had to be started. */
  readonly cold: number;
  /** The share of its time that each part works. */
  readonly load: Readonly<Record<Part, number>>;
}

/** Calls of the ledger before the work and after it. */
const LEDGER_BEFORE = 2;
const AGE_SECONDS = limits.queue.ageMs / 1000;

/**
 * Simulates the service: requests arrive by chance, take a place among the uploads, ask D1 for a key that is not remembered, reserve in
 * their account's ledger, send their images to lanes as `batch/dispatch` does, and settle. Lanes serve in the order of arrival, which is harsher
 * on small images than the engine's two queues are.
 */
export function simulate(situation: Situation, times: ServiceTimes, seed = 1): Found {
  return new Simulation(situation, times, seed).run();
}

class Simulation {
  readonly #situation: Situation;
  readonly #times: ServiceTimes;
  readonly #loop = new EventLoop();
  readonly #chance: Chance;
  readonly #uploads: readonly Station[];
  readonly #lanes: readonly (readonly Station[])[];
  readonly #ledgers: readonly Station[];
  readonly #database: Station;
  readonly #metrics: readonly Station[];
  /** By data centre and isolate: when an image last came to its lanes. */
  readonly #usedAt: readonly number[][];
  readonly #known = new Map<number, number>();
  readonly #waits: number[] = [];
  readonly #answers: number[] = [];
  #images = 0;
  #cold = 0;
  #refused = 0;

  constructor(situation: Situation, times: ServiceTimes, seed: number) {
    this.#situation = situation;
    this.#times = times;
    this.#chance = new Chance(seed);
    const { colos, lanes, lanesPerIsolate, frontIsolates, accounts } = situation;
    const stations = (count: number, servers = 1) =>
      Array.from({ length: count }, () => new Station(this.#loop, servers));
    this.#uploads = stations(colos, frontIsolates * limits.uploadsAtOnce);
    this.#lanes = Array.from({ length: colos }, () => stations(Math.ceil(lanes / lanesPerIsolate)));
    this.#usedAt = this.#lanes.map(() => []);
    this.#ledgers = stations(accounts);
    this.#database = new Station(this.#loop, 1);
    this.#metrics = stations(limits.metricStores);
  }

  run(): Found {
    const { imagesPerSecond, batch, seconds } = this.#situation;
    const between = batch / imagesPerSecond;
    const arrive = () => {
      if (this.#loop.now > seconds) return;
      this.#request();
      this.#loop.after(this.#chance.exponential(between), arrive);
    };
    this.#loop.after(this.#chance.exponential(between), arrive);
    this.#tellOfRequests();
    this.#loop.run();
    return {
      waits: this.#waits,
      answers: this.#answers,
      images: this.#images,
      refused: this.#refused,
      cold: this.#cold,
      load: {
        uploads: this.#load(this.#uploads),
        D1: this.#load([this.#database]),
        ledger: this.#load(this.#ledgers),
        lanes: this.#load(this.#lanes.flat()),
        metrics: this.#load(this.#metrics),
      },
    };
  }

  #load(stations: readonly Station[]): number {
    const { seconds } = this.#situation;
    return mean(stations.map(({ busy, servers }) => busy / servers / seconds));
  }

  /** One request, with all that happens to its images. */
  #request(): void {
    const { colos, accounts, batch } = this.#situation;
    const { upload, ledgerCall } = this.#times;
    const account = this.#chance.below(accounts);
    const colo = account % colos;
    this.#images += batch;
    const ledger = this.#ledgers[account]!;
    this.#uploads[colo]!.enter({
      seconds: upload * batch,
      served: (forPlace) =>
        this.#lookUp(account, colo, (forKey) =>
          ledger.enter({
            seconds: ledgerCall * LEDGER_BEFORE,
            served: (forLedger) => this.#dispatch(colo, ledger, forPlace + forKey + forLedger),
          }),
        ),
    });
  }

  /** An isolate remembers a key for a while; which isolate a request meets is chance. */
  #lookUp(account: number, colo: number, found: (waited: number) => void): void {
    const { frontIsolates, colos } = this.#situation;
    const isolate = colo + colos * this.#chance.below(frontIsolates);
    const id = account * colos * frontIsolates + isolate;
    const { now } = this.#loop;
    if (now - (this.#known.get(id) ?? Number.NEGATIVE_INFINITY) < limits.keyCacheSeconds) {
      found(0);
      return;
    }
    this.#known.set(id, now);
    this.#database.enter({ seconds: this.#times.query, served: found });
  }

  #dispatch(colo: number, ledger: Station, waitedBefore: number): void {
    const { batch } = this.#situation;
    const begun = this.#loop.now;
    const first = this.#chance.below(this.#situation.lanes);
    let next = 0;
    let open = batch;
    const work = () => {
      if (next === batch) return;
      const index = next++;
      this.#process({ colo, lane: first + index }, (waited) => {
        if (waited === undefined) this.#refused++;
        else this.#waits.push(waitedBefore + waited);
        if (--open === 0) this.#settle(ledger, begun);
        else work();
      });
    };
    for (let lane = 0; lane < Math.min(limits.lanesPerBatch, batch); lane++) work();
  }

  /** One image. Where it has waited for too long in a lane, it has waited for too long in all. */
  #process({ colo, lane }: { colo: number; lane: number }, done: (waited: number | undefined) => void): void {
    const { lanes } = this.#situation;
    const { kinds, storage, cold } = this.#times;
    const isolate = (lane % lanes) % this.#lanes[colo]!.length;
    const usedAt = this.#usedAt[colo]!;
    const idle = this.#loop.now - (usedAt[isolate] ?? Number.NEGATIVE_INFINITY);
    const start = idle > cold.afterSeconds ? cold.seconds : 0;
    if (start > 0) this.#cold++;
    usedAt[isolate] = this.#loop.now;
    this.#lanes[colo]![isolate]!.enter({
      seconds: start + this.#chance.weighted(kinds).engineSeconds + storage,
      patience: AGE_SECONDS,
      served: (waited) => done(waited + start),
      left: () => done(undefined),
    });
  }

  #settle(ledger: Station, begun: number): void {
    const settled = () => {
      this.#answers.push(this.#loop.now - begun);
      this.#tell();
    };
    ledger.enter({ seconds: this.#times.ledgerCall, served: settled });
  }

  /** A batch that has ended is told to a store at once, and so is what the requests of an isolate came to, now and then. */
  #tell(): void {
    const store = this.#metrics[this.#chance.below(this.#metrics.length)]!;
    store.enter({ seconds: this.#times.portion, served: () => {} });
  }

  #tellOfRequests(): void {
    const { colos, frontIsolates, seconds } = this.#situation;
    for (let isolate = 0; isolate < colos * frontIsolates; isolate++) {
      const tell = () => {
        if (this.#loop.now > seconds) return;
        this.#tell();
        this.#loop.after(limits.metricsSeconds.requests, tell);
      };
      this.#loop.after(this.#chance.uniform() * limits.metricsSeconds.requests, tell);
    }
  }
}
