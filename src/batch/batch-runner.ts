import { DurableObject } from 'cloudflare:workers';
import type { AccountLedger } from '../credits/ledger.ts';
import { type ReservationVars, renewalInterval } from '../credits/reservation-ttl.ts';
import { ResultStore } from '../delivery/result-store.ts';
import { limits } from '../limits.ts';
import type { MetricsStore } from '../metrics/metrics-store.ts';
import { MetricsStores } from '../metrics/metrics-stores.ts';
import { callPlatform, type PlatformShell, platformShell } from '../platform/call-platform.ts';
import { isolateCounters } from '../platform/counters.ts';
import { objectsWithin } from '../platform/objects-within.ts';
import { readSettings, type SettingVars } from '../settings.ts';
import type { Batch } from './batch.ts';
import { BatchJournal, type BatchRecord } from './batch-journal.ts';
import { ChangeWatch } from './change-watch.ts';
import { batchOutcome, countBatch, countLaneEvent } from './count-batch.ts';
import { dispatch, lostOutcome } from './dispatch.ts';
import { openJobs } from './file-jobs.ts';
import { forgottenAt, UNBEGUN_MS } from './forgotten-at.ts';
import { HeldFiles } from './held-files.ts';
import type { CodecLane } from './lane.ts';
import { type Opened, openBatch } from './open-batch.ts';
import { aiFailed, type FileOutcome } from './outcome.ts';
import { settleBatch } from './settle-batch.ts';
import { Staging } from './staging.ts';
import { isolateTraffic } from './traffic.ts';
import { UploadGate } from './upload-gate.ts';

/** What a batch's object works with. */
export interface RunnerEnv extends SettingVars, ReservationVars {
  readonly BUCKET: R2Bucket;
  readonly LEDGER: DurableObjectNamespace<AccountLedger>;
  readonly LANE: DurableObjectNamespace<CodecLane>;
  readonly BATCH: DurableObjectNamespace<BatchRunner>;
  readonly METRICS: DurableObjectNamespace<MetricsStore>;
  /** Which version of the code the object runs. */
  readonly VERSION?: WorkerVersionMetadata;
}

/** Time, chance and the log, as the platform has them or as a test does. */
export interface RunnerShell extends PlatformShell {
  /** Milliseconds since the epoch. */
  now(): number;
  log(line: Readonly<Record<string, unknown>>): void;
}

function runnerShell({ VERSION }: RunnerEnv): RunnerShell {
  return {
    ...platformShell,
    now: () => Date.now(),
    log: (line) => console.log(JSON.stringify({ ...line, versionId: VERSION?.id })),
  };
}

/** A batch that goes on without its request; or what else `openBatch` says. */
export type Started = { readonly kind: 'running' } | Exclude<Opened, { kind: 'opened' }>;

/** Times that a batch's object may be reset before what is not done fails. */
const MOST_STARTS = 3;

/**
 * A batch's own object, named by the id of the request that brought it. It owns the batch from its reservation to its settlement: the client's
 * connection may end, the object may be reset, an alarm brings it back and it goes on with what is not done. Every step may happen twice.
 */
export class BatchRunner extends DurableObject<RunnerEnv> {
  readonly #shell: RunnerShell;
  readonly #journal: BatchJournal;
  readonly #held: HeldFiles;
  readonly #watch: ChangeWatch;
  #starting: Promise<Started> | undefined;
  #working: Promise<void> | undefined;

  constructor(ctx: DurableObjectState, env: RunnerEnv, shell: RunnerShell = runnerShell(env)) {
    super(ctx, env);
    this.#shell = shell;
    this.#journal = new BatchJournal(ctx.storage);
    this.#held = new HeldFiles(ctx.storage.sql);
    this.#watch = new ChangeWatch(shell);
  }

  /**
   * Takes a small file of the batch before it begins.
   * @returns the object's id, for those who read the file; undefined where there is no room at the moment
   */
  async hold(part: number, size: number, body: ReadableStream): Promise<string | undefined> {
    if (this.#journal.record !== undefined) throw new Error('the batch has begun');
    if ((await this.ctx.storage.getAlarm()) === null) await this.ctx.storage.setAlarm(this.#shell.now() + UNBEGUN_MS);
    return (await this.#held.take(part, size, body)) ? this.ctx.id.toString() : undefined;
  }

  /** A range of a file that is held, as a stream; undefined where it is not there (any more). */
  async heldFile(part: number, offset: number, length: number): Promise<ReadableStream | undefined> {
    const opened = await this.#held.open(part, offset, length);
    if (opened !== undefined) this.ctx.waitUntil(opened.sent);
    return opened?.stream;
  }

  /** Forgets what is held for a batch that will not begin. @returns false when it has begun, or is about to */
  async discard(): Promise<boolean> {
    if (this.#starting !== undefined || this.#journal.record !== undefined) return false;
    if (this.#held.any) await this.#journal.forget();
    return true;
  }

  /**
   * Reserves and begins; the work goes on after this has returned. A second call begins nothing.
   * @throws PlatformError when the ledger does not answer: nothing is held then
   */
  async start(batch: Batch): Promise<Started> {
    if (this.#journal.record !== undefined) return { kind: 'running' };
    this.#starting ??= isolateTraffic
      .during(() => this.#start(batch))
      .finally(() => {
        this.#starting = undefined;
      });
    return await this.#starting;
  }

  /**
   * The batch once it has ended; undefined when nothing is known of it (any more).
   * @throws when it could not be settled now: it will be
   */
  async end(): Promise<BatchRecord | undefined> {
    if (this.#isUnderWay()) {
      this.#work();
      await this.#working;
      if (this.#isUnderWay()) throw new Error('the batch is not settled yet');
    }
    return this.#journal.record;
  }

  /** The batch as it is now; undefined when nothing is known of it (any more). */
  async record(): Promise<BatchRecord | undefined> {
    if (this.#isUnderWay()) this.#work();
    return this.#journal.record;
  }

  /** Waits until something has changed since `seen` (at most `limits.watchSeconds`), and tells what is the case then. */
  async watch(seen?: number): Promise<{ readonly version: number; readonly record: BatchRecord | undefined }> {
    if (this.#isUnderWay()) this.#work();
    if (seen === this.#watch.version && this.#isUnderWay()) await this.#watch.changed(limits.watchSeconds);
    return { version: this.#watch.version, record: this.#journal.record };
  }

  /** Keeps the reservation while the batch is under way, brings it back after a reset, and forgets it in the end. */
  override async alarm(): Promise<void> {
    const { record } = this.#journal;
    if (record === undefined) {
      if (!(await this.discard())) await this.#renewLater();
      return;
    }
    if (!this.#isUnderWay()) {
      if (forgottenAt(record) <= this.#shell.now()) await this.#journal.forget();
      else await this.ctx.storage.setAlarm(forgottenAt(record));
      return;
    }
    await this.#renewLater();
    this.#work();
    const { requestId } = record.batch;
    const extend = async () => await this.#ledger(record.batch).extend(requestId);
    await callPlatform('ledger extend', extend, undefined, this.#shell).catch((error) =>
      this.#shell.log({ level: 'error', requestId, error: String(error) }),
    );
  }

  async #start(batch: Batch): Promise<Started> {
    const settings = readSettings(this.env);
    const opened = await openBatch(batch, {
      ledger: () => this.#ledger(batch),
      results: new ResultStore(this.env.BUCKET),
      earlier: async (requestId) => await this.#runner(requestId).record(),
      keepSeconds: settings.resultTtlSeconds + settings.downloadTtlSeconds,
      now: () => this.#shell.now(),
      shell: this.#shell,
    });
    if (opened.kind !== 'opened') {
      if (this.#held.any) await this.#journal.forget();
      return opened;
    }
    this.#journal.begin(opened.record);
    await this.#renewLater();
    this.#work();
    return { kind: 'running' };
  }

  async #renewLater(): Promise<void> {
    await this.ctx.storage.setAlarm(this.#shell.now() + renewalInterval(this.env));
  }

  #isUnderWay(): boolean {
    const state = this.#journal.record?.state;
    return state === 'running' || state === 'settling';
  }

  /** Begins or goes on, unless that is going on or nothing is left to do. */
  #work(): void {
    if (this.#working !== undefined || !this.#isUnderWay()) return;
    this.#working = this.#carryOn(this.#journal.record!)
      .catch((error: unknown) => this.#shell.log({ level: 'error', error: describe(error) }))
      .finally(() => {
        this.#working = undefined;
        this.#watch.tell();
      });
    this.ctx.waitUntil(this.#working);
  }

  async #carryOn(record: BatchRecord): Promise<void> {
    if (record.state === 'running') await this.#process(record);
    const usage = await isolateTraffic.during(() => this.#settle(record));
    this.#journal.change(usage === undefined ? { state: 'void' } : { state: 'done', usage });
    const ended = this.#journal.record!;
    const soonest = this.#shell.now() + limits.renewSeconds * 1000;
    await this.ctx.storage.setAlarm(Math.max(forgottenAt(ended), soonest));
    this.#report(ended);
    // Nobody waits for it.
    this.ctx.waitUntil(this.#removeStaged(ended));
  }

  /** One line for a batch, and its numbers. */
  #report(record: BatchRecord): void {
    const { batch, files, starts } = record;
    const { requestId, ray, accountId, colo } = batch;
    const now = this.#shell.now();
    const outcome = batchOutcome(record);
    const level = outcome === 'done' ? 'info' : 'error';
    const failed = files.filter(({ state }) => state === 'failed').length;
    const durationMs = now - record.createdAt;
    const facts = { requestId, ray, accountId, colo, outcome, files: files.length, failed, starts, durationMs };
    this.#shell.log({ level, event: 'batch', ...facts });
    countBatch(isolateCounters, record, now);
    const metrics = new MetricsStores(objectsWithin(readSettings(this.env).jurisdiction, this.env.METRICS));
    this.ctx.waitUntil(metrics.flush(0));
  }

  #settle({ batch }: BatchRecord) {
    const results = new ResultStore(this.env.BUCKET);
    return settleBatch(this.#journal.record!, { ledger: () => this.#ledger(batch), results, shell: this.#shell });
  }

  async #process({ batch, files, starts }: BatchRecord): Promise<void> {
    this.#journal.change({ starts: starts + 1 });
    const jobs = openJobs(batch, files);
    if (starts >= MOST_STARTS) for (const { index } of jobs) this.#ended(batch, index, lostOutcome);
    else {
      const { lanes: count, jurisdiction } = readSettings(this.env);
      await dispatch(jobs, {
        lanes: { namespace: objectsWithin(jurisdiction, this.env.LANE), count, colo: batch.colo },
        now: () => this.#shell.now(),
        log: (line) => this.#shell.log(line),
        shell: this.#shell,
        called: (event) => countLaneEvent(isolateCounters, event),
        began: (index) => {
          this.#journal.running(index);
          this.#watch.tell();
        },
        ended: (index, outcome) => this.#ended(batch, index, outcome),
      });
    }
    this.#journal.change({ state: 'settling' });
  }

  #ended({ requestId }: Batch, index: number, outcome: FileOutcome): void {
    this.#journal.ended(index, outcome);
    this.#held.remove(index);
    this.#watch.tell();
    if (outcome.kind === 'failed' || !aiFailed(outcome)) return;
    // Why an image got no description, for the operator; texts never get there.
    const { failure, code } = outcome.description ?? {};
    this.#shell.log({ level: 'warn', requestId, index, aiFailure: failure, code });
  }

  /** What cannot be removed now is swept. */
  async #removeStaged({ batch }: BatchRecord): Promise<void> {
    this.#held.clear();
    const { files, watermark } = batch;
    const own = files.filter(({ uploadId }) => uploadId === undefined);
    const staged = [...own, ...(watermark ? [watermark] : [])].map((file) => file.staged);
    await new Staging(this.env.BUCKET, new UploadGate(0)).remove(staged).catch(() => {});
  }

  #ledger({ accountId }: Batch) {
    const ledgers = objectsWithin(readSettings(this.env).jurisdiction, this.env.LEDGER);
    return ledgers.get(ledgers.idFromName(accountId));
  }

  #runner(requestId: string) {
    const runners = objectsWithin(readSettings(this.env).jurisdiction, this.env.BATCH);
    return runners.get(runners.idFromName(requestId));
  }
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
