import { type MatrixJob, matrix } from './matrix.ts';
import { keptSource } from './run-job.ts';

/** Jobs of a series. */
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
  return Array.from({ length: JOBS }, (_, n) => ({
    job: jobs[(n * stride) % jobs.length]!,
    damaged: n % DAMAGED_EVERY === DAMAGED_EVERY - 1,
  }));
}

/** A job's file with bytes changed all over it, but in its header. */
export async function damagedSource({ kind, megapixels }: MatrixJob): Promise<Uint8Array> {
  const damaged = (await keptSource(kind, Math.min(megapixels, LARGEST_DAMAGED), false)).slice();
  for (let at = damaged.length >> 2; at < damaged.length; at += 997) damaged[at]! ^= 0x55;
  return damaged;
}
