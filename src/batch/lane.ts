import { DurableObject } from 'cloudflare:workers';
import { plans } from '../credits/plans.ts';
import { ResultStore } from '../delivery/result-store.ts';
import { createProvider } from '../describe/providers/create-provider.ts';
import type { AiBinding } from '../describe/providers/workers-ai.ts';
import { limits } from '../limits.ts';
import type { MetricsStore } from '../metrics/metrics-store.ts';
import { MetricsStores } from '../metrics/metrics-stores.ts';
import { platformShell } from '../platform/call-platform.ts';
import { objectsWithin } from '../platform/objects-within.ts';
import { readAiSettings, readSettings, type SettingVars } from '../settings.ts';
import { compressWithin } from './compress-file.ts';
import { mayBeSmall } from './engine-limits.ts';
import type { QueueAnswer } from './engine-queue.ts';
import { type Engine, isolateEngines, smallEngine } from './engines.ts';
import { type FileJob, isReadable } from './file-job.ts';
import { type HolderNamespace, heldSource } from './held-source.ts';
import { type EngineName, JobNotes, type JobReport } from './job-notes.ts';
import { jobPoint } from './job-point.ts';
import { checkEngine } from './lane-check.ts';
import type { FileOutcome } from './outcome.ts';
import { type ProcessFileServices, processFile } from './process-file.ts';
import { Staging } from './staging.ts';
import { UploadGate } from './upload-gate.ts';

/** What a lane needs: where files are, and who describes them. */
export interface LaneEnv extends SettingVars {
  readonly BUCKET: R2Bucket;
  /** The objects of batches, which hold small files. */
  readonly BATCH: HolderNamespace;
  readonly METRICS: DurableObjectNamespace<MetricsStore>;
  /** Workers AI; absent where the platform has none. */
  readonly AI?: AiBinding;
  /** Which version of the code the lane runs. */
  readonly VERSION?: WorkerVersionMetadata;
  /** Analytics Engine; absent where the operator has bound none. */
  readonly ANALYTICS?: AnalyticsEngineDataset;
}

/** What a lane is told beside the job. */
export interface LaneCall {
  /** The lane's own name. */
  readonly lane: string;
  /** Told which engine the job has now; none once it has given it back. What is lost on one may be the job's own fault. */
  readonly on?: (engine: EngineName | undefined) => unknown;
}

/** A lane's answer, and how the job went. `unreadable`: the job is of a form that this lane's code does not know. */
export type LaneAnswer = QueueAnswer<FileOutcome> & { readonly report?: JobReport; readonly unreadable?: true };

/** Says what went on: one line of the log. */
type Log = (line: Readonly<Record<string, unknown>>) => void;

/**
 * A codec lane: a Durable Object named by data centre and number, so that the files of a batch spread over isolates and
 * machines, each with a CPU limit of its own. It keeps no state.
 */
export class CodecLane extends DurableObject<LaneEnv> {
  readonly #log: Log;
  #checked: { readonly at: number; readonly answer: Promise<void> } | undefined;

  constructor(ctx: DurableObjectState, env: LaneEnv, log: Log = (line) => console.log(JSON.stringify(line))) {
    super(ctx, env);
    this.#log = log;
  }

  /**
   * Processes one file when an engine of the isolate is free. Its description may take longer: the engine does not wait for it. A job of a
   * form that is not known is answered as by a busy lane, which code of any age takes as a reason to go on to another one.
   * @throws when the platform fails: the job may be repeated
   */
  async process(job: FileJob, call?: LaneCall): Promise<LaneAnswer> {
    if (!isReadable(job)) return { kind: 'busy', retryAfterSeconds: 1, unreadable: true };
    const work = this.#reported(job, call);
    // The object must not be dropped for idleness while it computes, even when its caller has gone.
    this.ctx.waitUntil(work.catch(() => undefined));
    return await work;
  }

  /**
   * Has the isolate's engine compress a picture of one pixel, at most once in `limits.readinessSeconds`: in between the last answer
   * counts. An engine that is busy works.
   * @throws when it does not come out as it should
   */
  async check(): Promise<void> {
    const now = Date.now();
    if (this.#checked === undefined || now - this.#checked.at >= limits.readinessSeconds * 1000) {
      this.#checked = { at: now, answer: checkEngine(isolateEngines.small) };
    }
    await this.#checked.answer;
  }

  async #reported(job: FileJob, call: LaneCall | undefined): Promise<LaneAnswer> {
    const notes = new JobNotes(job, () => Date.now());
    try {
      const answer = await this.#process(job, notes, call);
      const report = notes.report(answer);
      this.#record(job, call, report);
      return { ...answer, report };
    } catch (error) {
      this.#record(job, call, notes.report(undefined), error);
      throw error;
    }
  }

  async #process(job: FileJob, notes: JobNotes, call: LaneCall | undefined): Promise<QueueAnswer<FileOutcome>> {
    const owner = { accountId: job.accountId, weight: plans[job.plan].weight };
    if (isCandidate(job)) {
      const { small } = isolateEngines;
      const compress = () => compressWithin(job, this.#services(small, notes), smallEngine);
      const answer = await small.queue.run(owner, () => told('small', call, () => notes.on('small', compress)));
      if (answer.kind === 'busy') return answer;
      if (answer.value !== undefined) return { kind: 'done', value: answer.value };
    }
    const { main } = isolateEngines;
    const process = async () => {
      // Lets the isolate's other requests in between two files: one after the other would shut them out for the whole batch.
      await scheduler.wait(1);
      return await processFile(job, this.#services(main, notes));
    };
    const answer = await main.queue.run(owner, () => told('main', call, () => notes.on('main', process)));
    return answer.kind === 'busy' ? answer : { kind: 'done', value: await answer.value.outcome };
  }

  #record(job: FileJob, call: LaneCall | undefined, report: JobReport, error?: unknown): void {
    const { requestId, ray, index, accountId } = job;
    const place = { lane: call?.lane, colo: call && coloOf(call.lane), versionId: this.env.VERSION?.id };
    const level = error === undefined ? 'info' : 'error';
    const failure = error === undefined ? {} : { error: describe(error) };
    this.#log({ level, event: 'job', requestId, ray, index, accountId, ...place, ...report, ...failure });
    this.env.ANALYTICS?.writeDataPoint(jobPoint({ accountId, ...place }, report));
    // The job itself is counted by its batch; here are only calls to R2 that failed, if any.
    const metrics = new MetricsStores(objectsWithin(readSettings(this.env).jurisdiction, this.env.METRICS));
    this.ctx.waitUntil(metrics.flushIfDue(limits.metricsSeconds.jobs * 1000));
  }

  #services({ arena, pause }: Engine, notes: JobNotes): ProcessFileServices {
    const settings = readAiSettings(this.env);
    const provider = createProvider(settings, { ai: this.env.AI, fetch: (url, init) => fetch(url, init) });
    return {
      // A lane only reads and removes: it stages nothing, so its gate has no bytes to share.
      staging: new Staging(this.env.BUCKET, new UploadGate(0), platformShell, heldSource(this.env.BATCH)),
      results: new ResultStore(this.env.BUCKET),
      arena,
      pause,
      describer: { provider, timeoutMs: settings.timeoutMs },
      notes,
    };
  }
}

/** Whether the small engine is tried first. A picture that is described needs the main one for its preview. */
function isCandidate({ file, image, describe }: FileJob): boolean {
  return describe === undefined && mayBeSmall(file.size, image.format);
}

/**
 * Tells the caller which engine the job has while it has it. Nobody waits for that: it leaves while the job waits for its file, before it
 * computes. A caller that is gone need not know.
 */
async function told<Result>(
  engine: EngineName,
  call: LaneCall | undefined,
  work: () => Promise<Result>,
): Promise<Result> {
  const tell = async (now: EngineName | undefined) => call?.on?.(now);
  void tell(engine).catch(() => {});
  try {
    return await work();
  } finally {
    void tell(undefined).catch(() => {});
  }
}

/** Lanes are named by data centre and number. */
function coloOf(lane: string): string {
  return lane.slice(0, lane.lastIndexOf('-'));
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
