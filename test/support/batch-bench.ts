import { abortAllDurableObjects, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import type { Batch } from '../../src/batch/batch.ts';
import type { BatchRecord } from '../../src/batch/batch-journal.ts';
import { BatchRunner, type RunnerEnv, type RunnerShell } from '../../src/batch/batch-runner.ts';
import { heldSource } from '../../src/batch/held-source.ts';
import { holdSmallFile } from '../../src/batch/hold-small-file.ts';
import type { LaneCall } from '../../src/batch/lane.ts';
import { type ReportedFile, reportFiles } from '../../src/batch/report-files.ts';
import { Staging } from '../../src/batch/staging.ts';
import { type SubmitServices, submitBatch } from '../../src/batch/submit-batch.ts';
import { UploadGate } from '../../src/batch/upload-gate.ts';
import { AccountLedger } from '../../src/credits/ledger.ts';
import type { Usage } from '../../src/credits/usage.ts';
import { ResultStore } from '../../src/delivery/result-store.ts';
import { sweep } from '../../src/delivery/sweep.ts';
import { limits } from '../../src/limits.ts';
import { platformShell } from '../../src/platform/call-platform.ts';
import { stageFile } from './stage-file.ts';

export interface SentFile {
  readonly name: string;
  readonly content: Uint8Array;
}

/** A batch that has ended, as its request sees it. */
export interface EndedBatch {
  readonly id: string;
  readonly replayed: boolean;
  readonly files: readonly ReportedFile[];
  readonly usage: Usage;
}

/** What a test puts in the place of what a batch's object and its request really have. */
export interface Changes {
  /** Bindings of the batch's object. */
  readonly env?: Partial<RunnerEnv>;
  readonly shell?: Partial<RunnerShell>;
  readonly staging?: SubmitServices['staging'];
}

type Ledger = Pick<AccountLedger, 'reserve' | 'extend' | 'settle' | 'release'>;
type Lane = { process(job: unknown, call: LaneCall): Promise<unknown> };

const DAY = 24 * 3600 * 1000;

/** A new account with a real ledger, real lanes, real objects for its batches, and the real bucket, which is emptied. */
export class BatchBench {
  readonly accountId = crypto.randomUUID();
  readonly lines: Readonly<Record<string, unknown>>[] = [];
  readonly staging = new Staging(
    env.BUCKET,
    new UploadGate(limits.uploadBytesInFlight),
    platformShell,
    heldSource(env.BATCH),
  );
  readonly results = new ResultStore(env.BUCKET);

  static async open(): Promise<BatchBench> {
    const { objects } = await env.BUCKET.list();
    if (objects.length > 0) await env.BUCKET.delete(objects.map(({ key }) => key));
    return new BatchBench();
  }

  get ledger() {
    return env.LEDGER.get(env.LEDGER.idFromName(this.accountId));
  }

  /** Stages files as the form reader does; with `held` it hands small ones to the batch's object. */
  async batch(
    files: readonly SentFile[],
    more: Partial<Batch> & { readonly mark?: SentFile; readonly held?: boolean } = {},
  ): Promise<Batch> {
    const { mark, held, ...rest } = more;
    const requestId = crypto.randomUUID();
    const hold = held ? holdSmallFile(() => this.#stub(requestId)) : undefined;
    const stage = (part: number | 'watermark', content: Uint8Array) =>
      stageFile(this.staging, content, part, requestId, hold);
    const watermark = mark && { name: mark.name, staged: await stage('watermark', mark.content) };
    return {
      requestId,
      accountId: this.accountId,
      plan: 'starter',
      sessionId: 'session',
      colo: 'test',
      files: await Promise.all(
        files.map(async ({ name, content }, index) => ({
          index,
          name,
          staged: await stage(index, content),
        })),
      ),
      image: {
        format: 'webp',
        quality: 82,
        ...(watermark && { watermark: { file: watermark.staged, scale: 20, opacity: 80, position: 'BR' } }),
      },
      asked: 'these options',
      ...(watermark && { watermark }),
      ...rest,
    };
  }

  /** Sends a batch through as its request does, and waits for its end. @throws what the request is refused with */
  async submit(batch: Batch, changes: Changes = {}): Promise<EndedBatch> {
    return await this.inObject(batch.requestId, (open) => this.follow(batch, open(changes), changes));
  }

  /** The part of `submit` in the batch's object. */
  async follow(batch: Batch, runner: BatchRunner, { staging = this.staging }: Changes = {}): Promise<EndedBatch> {
    const { id, replayed, end } = await submitBatch(batch, {
      staging,
      runner: (requestId) => (requestId === batch.requestId ? runner : this.#stub(requestId)),
      now: () => Date.now(),
      shell: { timer, random: () => 0.5 },
    });
    const record = await end();
    return { id, replayed, files: await this.report(record), usage: record.usage };
  }

  /** The files of a batch with their links. */
  report(record: Pick<BatchRecord, 'batch' | 'files'>): Promise<ReportedFile[]> {
    return reportFiles(record, {
      baseUrl: 'https://plume.test',
      secret: 'secret',
      ttlSeconds: 3600,
      now: Date.now(),
    });
  }

  /**
   * Works inside a batch's object. `open` makes it anew from what it has stored, as the platform does after a reset; one made before must
   * have ended or have died (see `DeathBed`).
   */
  async inObject<T>(requestId: string, work: (open: (changes?: Changes) => BatchRunner) => Promise<T>): Promise<T> {
    try {
      return await runInDurableObject(this.#stub(requestId), async (_instance, state) => {
        try {
          return await work((changes) => this.#runner(state, changes));
        } finally {
          await state.storage.sync();
        }
      });
    } finally {
      // The platform's own instance has read the storage before there was anything in it.
      await abortAllDurableObjects();
    }
  }

  /** When (ms since the epoch) a batch's object is woken by its alarm. */
  async alarm(requestId: string): Promise<number | null> {
    return await runInDurableObject(this.#stub(requestId), (_instance, state) => state.storage.getAlarm());
  }

  /** What is known of a batch by its object, as others ask it. */
  async record(requestId: string): Promise<BatchRecord | undefined> {
    return (await this.#stub(requestId).record()) as BatchRecord | undefined;
  }

  /** A ledger of the account that does other things in some calls. */
  ledgers(change: (real: Ledger) => Partial<Ledger>): RunnerEnv['LEDGER'] {
    return namespaceOf(() => {
      const real = this.ledger;
      const calls: Ledger = {
        reserve: async (request) => await real.reserve(request),
        extend: async (requestId) => await real.extend(requestId),
        settle: async (requestId, done) => await real.settle(requestId, done),
        release: async (requestId) => await real.release(requestId),
      };
      return { ...calls, ...change(calls) };
    }) as RunnerEnv['LEDGER'];
  }

  async usage(): Promise<Pick<Usage['compressions'], 'used' | 'remaining'>> {
    const { used, remaining } = (await this.ledger.usage('starter')).compressions;
    return { used, remaining };
  }

  /** The usage once every reservation has expired. */
  async usageTomorrow(): Promise<Pick<Usage['compressions'], 'used' | 'remaining'>> {
    return await runInDurableObject(this.ledger, async (_instance, state) => {
      const later = new AccountLedger(state, env, () => Date.now() + 7_200_000);
      const { used, remaining } = (await later.usage('starter')).compressions;
      return { used, remaining };
    });
  }

  /** Lets every reservation of the account lapse, as time does. */
  async lapse(): Promise<void> {
    await runInDurableObject(this.ledger, (_instance, state) => {
      state.storage.sql.exec('UPDATE reservations SET expires_at = 1 WHERE settled_at IS NULL');
    });
  }

  /** What is under a prefix of the bucket. */
  async stored(prefix: 'results/' | 'staging/'): Promise<string[]> {
    return (await env.BUCKET.list({ prefix })).objects.map(({ key }) => key);
  }

  /** Sweeps as the cron trigger will do it the day after tomorrow. */
  async sweepLater(): Promise<void> {
    await sweep({ bucket: env.BUCKET, now: Date.now() + 2 * DAY, stagingTtlSeconds: 7200 });
  }

  #runner(state: DurableObjectState, { env: bindings, shell }: Changes = {}): BatchRunner {
    return new BatchRunner(
      state,
      { ...env, ...bindings },
      { timer, random: () => 0.5, now: () => Date.now(), log: (line) => void this.lines.push(line), ...shell },
    );
  }

  #stub(requestId: string) {
    return env.BATCH.get(env.BATCH.idFromName(requestId));
  }
}

/** Lanes of which each answers as it is told. */
export function lanesOf(process: Lane['process']): RunnerEnv['LANE'] {
  return namespaceOf(() => ({ process })) as RunnerEnv['LANE'];
}

/** Milliseconds: what is shorter is a pause, which a test need not wait for. */
const SHORTEST_LIMIT = 5000;

function timer(milliseconds: number, late: () => void): () => void {
  const handle = setTimeout(late, milliseconds < SHORTEST_LIMIT ? 0 : milliseconds);
  return () => clearTimeout(handle);
}

function namespaceOf(get: () => unknown): unknown {
  return { idFromName: (name: string) => name, get };
}

/**
 * Where a batch's object dies: from then on none of its calls comes back and none of its timers runs. `died` resolves when what it began
 * elsewhere is over.
 */
export class DeathBed {
  readonly died: Promise<'died'>;
  readonly #running: Promise<unknown>[] = [];
  readonly #die: () => void;
  #dead = false;

  constructor() {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#die = resolve;
    this.died = promise.then(() => Promise.allSettled(this.#running)).then(() => 'died' as const);
  }

  readonly shell: Partial<RunnerShell> = {
    timer: (milliseconds, late) => (this.#dead ? () => {} : timer(milliseconds, () => this.#dead || late())),
  };

  /** A call of the object, which dies before it has been made or before its answer is there. */
  async call<T>(run: () => Promise<T>, dies?: 'before' | 'after'): Promise<T> {
    if (dies === 'before') this.kill();
    if (this.#dead) return await never();
    const running = run();
    this.#running.push(running);
    try {
      return await running;
    } finally {
      if (dies === 'after') this.kill();
      if (this.#dead) await never();
    }
  }

  kill(): void {
    this.#dead = true;
    this.#die();
  }
}

function never(): Promise<never> {
  return new Promise(() => {});
}
