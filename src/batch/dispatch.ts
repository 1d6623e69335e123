import { limits } from '../limits.ts';
import { callPlatform, type PlatformShell, platformShell } from '../platform/call-platform.ts';
import type { FileJob } from './file-job.ts';
import type { EngineName, JobReport } from './job-notes.ts';
import type { CodecLane, LaneAnswer } from './lane.ts';
import { type Blame, blameOf, type LaneFailure, laneFailure } from './lane-failure.ts';
import type { FileOutcome } from './outcome.ts';

/** Where the codec lanes are. */
export interface Lanes {
  readonly namespace: DurableObjectNamespace<CodecLane>;
  /** Lanes of a data centre. */
  readonly count: number;
  /** The data centre's name. */
  readonly colo: string;
}

/** What a call to a lane came to, for counters. */
export type LaneEvent =
  | { readonly kind: 'answered'; readonly report?: JobReport }
  /** The lane answered that it has too much to do, or that it cannot read the job. */
  | { readonly kind: 'turned_away'; readonly reason: 'busy' | 'unreadable' }
  | { readonly kind: 'failed'; readonly failure: LaneFailure };

/** What goes on around a batch in lanes. */
export interface DispatchServices {
  readonly lanes: Lanes;
  /** Milliseconds. */
  now(): number;
  log(line: Readonly<Record<string, unknown>>): void;
  /** A lane was called. */
  called?(event: LaneEvent): void;
  /** A file goes to a lane. */
  began(index: number): void;
  /** A file has its outcome. */
  ended(index: number, outcome: FileOutcome): void;
  /** Time and chance of pauses and time limits. */
  readonly shell?: PlatformShell;
}

/** Failures that may be the job's own doing before the file fails. */
const MOST_DEFECTS = 2;
/** Failures that have nothing to do with the job before the file fails: a deployment resets one lane after another. */
const MOST_LOSSES = 5;
/** Milliseconds that a job may take in a lane, waiting included: the platform ends it after 300 s of CPU time. */
const LANE_LIMIT_MS = 10 * 60 * 1000;
/** Milliseconds before a job is tried again that a lane lost; up to twice as long by chance, and twice as long each time. */
const BACK_OFF_MS = 500;
/**
 * Milliseconds for which a job waits for a lane that can read it. A deployment is everywhere within seconds; while it is rolled out by
 * shares, other lanes may have the other version for longer.
 */
const VERSION_PATIENCE_MS = 60_000;

/**
 * Sends jobs to lanes, a few at a time, and returns their outcomes in the order of the jobs. A job that the platform lost is
 * tried again on another lane, unless it was being computed when its lane died; a busy lane is passed by until too long was waited in all,
 * one of another version of the code after a pause. What is not done then is an outcome too: the other files are delivered.
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
  const { lanes, now } = services;
  const first = firstLane(job, lanes.count);
  const since = now();
  const setbacks = new Setbacks(lanes.count);
  for (let tried = 0; ; tried++) {
    const answer = await askLane(job, `${lanes.colo}-${(first + tried) % lanes.count}`, services);
    if (answer.kind === 'done') return answer.value;
    const end = setbacks.count(answer, now() - since);
    if (end !== undefined) return end;
    if (answer.kind === 'lost' || answer.unreadable) await pause(setbacks.pauses++, services);
  }
}

/** What stood between a job and its outcome so far. */
class Setbacks {
  readonly #lanes: number;
  #busy = 0;
  #losses = 0;
  #defects = 0;
  pauses = 0;

  constructor(lanes: number) {
    this.#lanes = lanes;
  }

  /** @returns the job's outcome, where this was one too many @param waitedMs since the job was begun */
  count(answer: Exclude<Asked, { kind: 'done' }>, waitedMs: number): FileOutcome | undefined {
    if (answer.kind === 'lost') {
      if (answer.blame === 'perhaps') this.#defects++;
      else this.#losses++;
      const over = answer.blame === 'certain' || this.#defects === MOST_DEFECTS || this.#losses === MOST_LOSSES;
      return over ? lostOutcome : undefined;
    }
    if (!answer.unreadable) this.#busy++;
    const mostMs = answer.unreadable ? VERSION_PATIENCE_MS : limits.queue.ageMs;
    const over = waitedMs >= mostMs || this.#busy > this.#lanes;
    return over ? busy(answer.retryAfterSeconds) : undefined;
  }
}

/** Longer each time, up to sixteen times. */
function pause(times: number, { shell = platformShell }: DispatchServices): Promise<void> {
  const milliseconds = BACK_OFF_MS * 2 ** Math.min(times, 4) * (1 + shell.random());
  return new Promise((resolve) => void shell.timer(milliseconds, resolve));
}

type Asked = LaneAnswer | { readonly kind: 'lost'; readonly blame: Blame };

async function askLane(job: FileJob, lane: string, services: DispatchServices): Promise<Asked> {
  const { namespace } = services.lanes;
  let engine: EngineName | undefined;
  const on = (now: EngineName | undefined) => {
    engine = now;
  };
  const call = async (): Promise<LaneAnswer> => {
    const answer = await namespace.get(namespace.idFromName(lane)).process(job, { lane, on });
    return answer as LaneAnswer;
  };
  try {
    const answer = await callPlatform('lane', call, { tries: 1, limitMs: LANE_LIMIT_MS, backOffMs: 0 }, services.shell);
    services.called?.(eventOf(answer));
    return answer;
  } catch (error) {
    const reason = (error as { reason?: unknown }).reason ?? error;
    const failure = laneFailure(reason);
    services.called?.({ kind: 'failed', failure });
    const { requestId, ray, index, accountId } = job;
    const facts = { requestId, ray, index, accountId, lane, failure, engine };
    services.log({ level: 'error', event: 'lane_failure', ...facts, error: describe(reason) });
    if (failure === 'overloaded') return { kind: 'busy', retryAfterSeconds: 1 };
    return { kind: 'lost', blame: blameOf(failure, engine) };
  }
}

function eventOf(answer: LaneAnswer): LaneEvent {
  const { report } = answer;
  if (answer.kind === 'done') return { kind: 'answered', ...(report && { report }) };
  return { kind: 'turned_away', reason: answer.unreadable ? 'unreadable' : 'busy' };
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
