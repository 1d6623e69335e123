import { limits } from '../limits.ts';
import { callPlatform, type PlatformShell, platformShell } from '../platform/call-platform.ts';
import type { QueueAnswer } from './engine-queue.ts';
import type { FileJob } from './file-job.ts';
import type { CodecLane } from './lane.ts';
import { laneFailure } from './lane-failure.ts';
import type { FileOutcome } from './outcome.ts';

/** Where the codec lanes are. */
export interface Lanes {
  readonly namespace: DurableObjectNamespace<CodecLane>;
  /** Lanes of a data centre. */
  readonly count: number;
  /** The data centre's name. */
  readonly colo: string;
}

/** What goes on around a batch in lanes. */
export interface DispatchServices {
  readonly lanes: Lanes;
  /** Milliseconds. */
  now(): number;
  log(line: Readonly<Record<string, unknown>>): void;
  /** A file goes to a lane. */
  began(index: number): void;
  /** A file has its outcome. */
  ended(index: number, outcome: FileOutcome): void;
  /** Time and chance of pauses and time limits. */
  readonly shell?: PlatformShell;
}

/** Calls to lanes that may fail before the file fails. */
const MOST_FAILURES = 2;
/** Milliseconds that a job may take in a lane, waiting included: the platform ends it after 300 s of CPU time. */
const LANE_LIMIT_MS = 10 * 60 * 1000;
/** Milliseconds before a job is tried again that a lane lost, doubled by chance: a deployment resets many lanes at once. */
const BACK_OFF_MS = 500;

/**
 * Sends jobs to lanes, a few at a time, and returns their outcomes in the order of the jobs. A job that the platform lost is
 * tried once more on another lane, unless it may be what killed the lane; a busy lane is passed by until too long was waited in all. What
 * is not done then is an outcome too: the other files are delivered.
 */
export async function dispatch(jobs: readonly FileJob[], services: DispatchServices): Promise<FileOutcome[]> {
  const outcomes = new Array<FileOutcome>(jobs.length);
  let next = 0;
  async function work(): Promise<void> {
    while (next < jobs.length) {
      const place = next++;
      const job = jobs[place]!;
      services.began(job.index);
      outcomes[place] = await processOnLanes(job, services);
      services.ended(job.index, outcomes[place]);
    }
  }
  const most = jobs.some((job) => job.describe) ? limits.lanesPerDescribedBatch : limits.lanesPerBatch;
  const ended = await Promise.allSettled(Array.from({ length: Math.min(most, jobs.length) }, () => work()));
  for (const end of ended) if (end.status === 'rejected') throw end.reason;
  return outcomes;
}

async function processOnLanes(job: FileJob, services: DispatchServices): Promise<FileOutcome> {
  const { lanes, now, shell = platformShell } = services;
  const first = firstLane(job, lanes.count);
  const since = now();
  let failures = 0;
  let retryAfterSeconds = 1;
  for (let tried = 0; tried < lanes.count + MOST_FAILURES; tried++) {
    const answer = await askLane(job, `${lanes.colo}-${(first + tried) % lanes.count}`, services);
    if (answer.kind === 'done') return answer.value;
    if (answer.kind === 'lost') {
      if (answer.failure === 'deadly' || ++failures === MOST_FAILURES) return lostOutcome;
      await new Promise<void>((resolve) => void shell.timer(BACK_OFF_MS * (1 + shell.random()), resolve));
      continue;
    }
    retryAfterSeconds = answer.retryAfterSeconds;
    if (now() - since >= limits.queue.ageMs) break;
  }
  return busy(retryAfterSeconds);
}

type LaneAnswer =
  | QueueAnswer<FileOutcome>
  | { readonly kind: 'lost'; readonly failure: 'passing' | 'deadly' | 'defect' };

async function askLane(job: FileJob, name: string, services: DispatchServices): Promise<LaneAnswer> {
  const { namespace } = services.lanes;
  const call = async (): Promise<QueueAnswer<FileOutcome>> => {
    const answer = await namespace.get(namespace.idFromName(name)).process(job);
    return answer as QueueAnswer<FileOutcome>;
  };
  try {
    return await callPlatform('lane', call, { tries: 1, limitMs: LANE_LIMIT_MS, backOffMs: 0 }, services.shell);
  } catch (error) {
    const reason = (error as { reason?: unknown }).reason ?? error;
    const failure = laneFailure(reason);
    services.log({
      level: 'error',
      requestId: job.requestId,
      index: job.index,
      lane: name,
      failure,
      error: describe(reason),
    });
    return failure === 'overloaded' ? { kind: 'busy', retryAfterSeconds: 1 } : { kind: 'lost', failure };
  }
}

/** Of a file that was lost for a reason of ours. */
export const lostOutcome: FileOutcome = {
  kind: 'failed',
  error: 'processing_failed',
  message: 'This file could not be processed for a reason on our side. It was not charged; send it again.',
};

function busy(retryAfterSeconds: number): FileOutcome {
  const message = `All workers are busy. This file was not processed and not charged; send it again in ${retryAfterSeconds} s.`;
  return { kind: 'failed', error: 'service_busy', message, retryAfterSeconds };
}

/** Batches start at different lanes, the files of a batch at neighbouring ones. */
function firstLane({ requestId, index }: FileJob, count: number): number {
  let hash = 0;
  for (const character of requestId) hash = (hash * 31 + character.charCodeAt(0)) >>> 0;
  return (hash + index) % count;
}

/** For the log only. */
function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
