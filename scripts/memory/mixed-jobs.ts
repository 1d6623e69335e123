import { jobsOf, type MatrixJob, matrix } from './matrix.ts';
import { keptSource } from './run-job.ts';
import { sourceKinds } from './sources.ts';

/** Jobs of a series that the matrix alone makes up. */
const JOBS = 100;
/** Every so many jobs the file is damaged. */
const DAMAGED_EVERY = 10;
/** Megapixels of the largest file that is damaged: larger ones only take longer. */
const LARGEST_DAMAGED = 24;

/** A job of a series and its file. */
export interface MixedJob {
  readonly job: MatrixJob;
  readonly damaged: boolean;
}

/** The matrix in an order that mixes all of it and is the same every time, some of the files damaged. */
export function mixedJobs(): MixedJob[] {
  const jobs = matrix();
  // Coprime to the matrix' length, so that no job comes twice.
  const stride = 131;
  return Array.from({ length: JOBS }, (_, n) => ({ job: jobs[(n * stride) % jobs.length]!, damaged: isDamaged(n) }));
}

/** How often pictures of a size come in a long series: at every `every`th job, from the `first` on. */
const shares = [
  { megapixels: 100, every: 125, first: 16, kinds: sourceKinds },
  { megapixels: 48, every: 100, first: 40, kinds: sourceKinds },
  { megapixels: 24, every: 100, first: 90, kinds: sourceKinds },
  { megapixels: 12, every: 20, first: 8, kinds: sourceKinds },
  { megapixels: 1, every: 5, first: 2, kinds: [...sourceKinds, 'avif'] },
  { megapixels: 0.1, every: 1, first: 0, kinds: [...sourceKinds, 'avif'] },
] as const;

/**
 * Jobs as an isolate meets them in a day: most pictures small, a few as large as is accepted, of every kind, some damaged. Every run
 * of 500 has four of the largest, one of each kind of input and of output.
 */
export function longSeries(length: number): MixedJob[] {
  const next = shares.map(({ megapixels, kinds }) => inTurn(jobsOf(megapixels, kinds)));
  return Array.from({ length }, (_, n) => {
    const share = shares.findIndex(({ every, first }) => n % every === first % every);
    return { job: next[share]!(), damaged: isDamaged(n) };
  });
}

/** Jobs one by one, again and again: neighbours differ in kind, format and treatment. */
function inTurn(jobs: readonly MatrixJob[]): () => MatrixJob {
  // Coprime to 64 and 80 jobs: one kind, one format and one treatment further each time.
  const stride = 21;
  let at = 0;
  return () => jobs[(at++ * stride) % jobs.length]!;
}

function isDamaged(n: number): boolean {
  return n % DAMAGED_EVERY === DAMAGED_EVERY - 1;
}

/** A job's file with bytes changed all over it, but in its header. */
export async function damagedSource({ kind, megapixels }: MatrixJob): Promise<Uint8Array> {
  const damaged = (await keptSource(kind, Math.min(megapixels, LARGEST_DAMAGED), false)).slice();
  for (let at = damaged.length >> 2; at < damaged.length; at += 997) damaged[at]! ^= 0x55;
  return damaged;
}
