import { readSettings } from '../../src/settings.ts';
import type { Measured } from './measure.ts';
import type { ServiceTimes, Situation } from './service-model.ts';
import { kinds } from './workload.ts';

/**
 * What cannot be measured on one machine, in seconds: times of the deployed platform. Assumptions, on the careful side; PLATFORM's documentation
 * gives the order of magnitude (a ledger does 200 to 500 calls with writes a second, D1 about 1,000 queries of 1 ms).
 */
export const platformSeconds = {
  /** Around one image: its file is read from R2 and its result written. */
  storage: 0.15,
  /** The upload of one image of 2 MB at 20 Mbit/s. */
  upload: 0.8,
  ledgerCall: 0.003,
  query: 0.001,
  /** A portion of metrics is added. */
  portion: 0.005,
  /** An isolate without traffic is kept for 70 to 140 s; another one compiles the script and the kernels. */
  cold: { afterSeconds: 100, seconds: 0.5 },
} as const;

/** How much is asked, and over what it spreads. */
type Rate = Pick<Situation, 'imagesPerSecond' | 'colos' | 'accounts' | 'frontIsolates'>;

/** Images a second, and over what they spread. A data centre has as many isolates for requests as its uploads need. */
export const rates: readonly [Rate, Rate, Rate] = [
  { imagesPerSecond: 1, colos: 1, accounts: 1, frontIsolates: 1 },
  { imagesPerSecond: 100, colos: 1, accounts: 20, frontIsolates: 4 },
  { imagesPerSecond: 10_000, colos: 50, accounts: 2000, frontIsolates: 6 },
];

/** So many that the 99th percentile is one of some hundred. */
const SIMULATED_IMAGES = 60_000;
/** Fewer would be over before the queues of many data centres are as long as they get. */
const SHORTEST_SECONDS = 20;

/** `LANES` where the operator sets nothing. */
export const DEFAULT_LANES = readSettings({}).lanes;

/** Images of one request, in all of them. */
export const BATCH = 5;

export function situation(rate: Rate, lanes: number, more: Partial<Situation> = {}): Situation {
  const seconds = Math.max(SHORTEST_SECONDS, SIMULATED_IMAGES / rate.imagesPerSecond);
  return { ...rate, batch: BATCH, lanes, lanesPerIsolate: 1, seconds, ...more };
}

export function serviceTimes({ kinds: measured }: Measured): ServiceTimes {
  const timed = kinds.map(({ name, share }) => {
    const found = measured.find((kind) => kind.name === name);
    if (found === undefined) throw new Error(`"${name}" was not measured: npm run capacity -- --measure`);
    return { share, engineSeconds: found.engineSeconds };
  });
  return { kinds: timed, ...platformSeconds };
}
