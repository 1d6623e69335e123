import { RequestError } from '../errors.ts';
import { limits } from '../limits.ts';
import type { FileJob } from './file-job.ts';
import type { CodecLane } from './lane.ts';
import type { FileOutcome } from './outcome.ts';
import type { QueueAnswer } from './queue.ts';

/** Where the codec lanes are. */
export interface Lanes {
  readonly namespace: DurableObjectNamespace<CodecLane>;
  /** Lanes of a data centre. */
  readonly count: number;
  /** The data centre's name. */
  readonly colo: string;
}

/** Times that the platform may fail a file before the file fails. */
const PLATFORM_FAILURES = 2;

/**
 * Sends jobs to lanes, a few at a time, and returns their outcomes in the order of the jobs. A job that the platform fails is
 * tried once more on another lane, a busy lane is passed by.
 * @param progressed called after each file
 * @throws RequestError service_busy when every lane is full
 */
export async function dispatch(
  jobs: readonly FileJob[],
  lanes: Lanes,
  log: (line: Readonly<Record<string, unknown>>) => void,
  progressed: () => Promise<void>,
): Promise<FileOutcome[]> {
  const outcomes = new Array<FileOutcome>(jobs.length);
  let next = 0;
  let stopped = false;
  async function work(): Promise<void> {
    while (next < jobs.length && !stopped) {
      const place = next++;
      outcomes[place] = await processOnLanes(jobs[place]!, lanes, log);
      await progressed();
    }
  }
  const most = jobs.some((job) => job.describe) ? limits.lanesPerDescribedBatch : limits.lanesPerBatch;
  const workers = Array.from({ length: Math.min(most, jobs.length) }, () =>
    work().catch((error: unknown) => {
      stopped = true;
      throw error;
    }),
  );
  const ended = await Promise.allSettled(workers);
  for (const end of ended) if (end.status === 'rejected') throw end.reason;
  return outcomes;
}

async function processOnLanes(
  job: FileJob,
  lanes: Lanes,
  log: (line: Readonly<Record<string, unknown>>) => void,
): Promise<FileOutcome> {
  const first = firstLane(job, lanes.count);
  let failures = 0;
  for (let tried = 0; tried < lanes.count + PLATFORM_FAILURES; tried++) {
    const answer = await askLane(job, `${lanes.colo}-${(first + tried) % lanes.count}`, lanes.namespace).catch(
      (error: unknown) => {
        log({ level: 'error', requestId: job.requestId, index: job.index, error: describe(error) });
        return { kind: 'lost' } as const;
      },
    );
    if (answer.kind === 'done') return answer.value;
    if (answer.kind === 'lost' && ++failures === PLATFORM_FAILURES) return lost;
  }
  throw new RequestError(
    'service_busy',
    'All workers are busy. Nothing was processed or charged; try again in a few seconds.',
  );
}

const lost: FileOutcome = {
  kind: 'failed',
  error: 'processing_failed',
  message: 'This file could not be processed for a reason on our side. It was not charged; send it again.',
};

/** Batches start at different lanes, the files of a batch at neighbouring ones. */
function firstLane({ requestId, index }: FileJob, count: number): number {
  let hash = 0;
  for (const character of requestId) hash = (hash * 31 + character.charCodeAt(0)) >>> 0;
  return (hash + index) % count;
}

async function askLane(
  job: FileJob,
  name: string,
  namespace: DurableObjectNamespace<CodecLane>,
): Promise<QueueAnswer<FileOutcome>> {
  return await namespace.get(namespace.idFromName(name)).process(job);
}

/** For the log only. */
function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
