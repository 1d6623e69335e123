import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import type { Batch } from '../../src/batch/batch.ts';
import type { BatchServices } from '../../src/batch/compress-batch.ts';
import type { ReportedOutcome } from '../../src/batch/outcome.ts';
import { Staging } from '../../src/batch/staging.ts';
import { UploadGate } from '../../src/batch/upload-gate.ts';
import { AccountLedger } from '../../src/credits/ledger.ts';
import type { Usage } from '../../src/credits/usage.ts';
import { ResultStore } from '../../src/delivery/result-store.ts';
import { sweep } from '../../src/delivery/sweep.ts';
import { limits } from '../../src/limits.ts';
import { stageFile } from './stage-file.ts';

export interface SentFile {
  readonly name: string;
  readonly content: Uint8Array;
}

const DAY = 24 * 3600 * 1000;

/** A new account with a real ledger, real lanes and the real bucket, which is emptied. */
export class BatchBench {
  readonly accountId = crypto.randomUUID();
  readonly lines: Readonly<Record<string, unknown>>[] = [];
  readonly staging = new Staging(env.BUCKET, new UploadGate(limits.uploadBytesInFlight));
  readonly results = new ResultStore(env.BUCKET);
  /** Milliseconds that the batch's clock is ahead of the ledger's. */
  ahead = 0;

  static async open(): Promise<BatchBench> {
    const { objects } = await env.BUCKET.list();
    if (objects.length > 0) await env.BUCKET.delete(objects.map(({ key }) => key));
    return new BatchBench();
  }

  get ledger() {
    return env.LEDGER.get(env.LEDGER.idFromName(this.accountId));
  }

  /** Stages files as the form reader does. */
  async batch(files: readonly SentFile[], more: Partial<Batch> & { readonly mark?: SentFile } = {}): Promise<Batch> {
    const { mark, ...rest } = more;
    const requestId = crypto.randomUUID();
    const watermark = mark && { name: mark.name, staged: await this.#stage(requestId, 'watermark', mark.content) };
    return {
      requestId,
      accountId: this.accountId,
      plan: 'starter',
      sessionId: 'session',
      files: await Promise.all(
        files.map(async ({ name, content }, index) => ({
          index,
          name,
          staged: await this.#stage(requestId, index, content),
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

  services(): BatchServices {
    return {
      ledger: () => this.ledger,
      staging: this.staging,
      results: this.results,
      // One, because the test runner switches off what several lanes of one isolate rest on (see test/batch/lane.test.ts).
      lanes: { namespace: env.LANE, count: 1, colo: 'test' },
      downloads: { baseUrl: 'https://plume.test', secret: 'secret', ttlSeconds: 3600 },
      now: () => Date.now() + this.ahead,
      log: (line) => void this.lines.push(line),
      present: (outcomes) => ({ status: 200, headers: {}, body: JSON.stringify(outcomes) }),
    };
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

  /** What is under a prefix of the bucket. */
  async stored(prefix: 'results/' | 'staging/'): Promise<string[]> {
    return (await env.BUCKET.list({ prefix })).objects.map(({ key }) => key);
  }

  /** Sweeps as the cron trigger will do it tomorrow. */
  async sweepTomorrow(): Promise<void> {
    await sweep({ bucket: env.BUCKET, now: Date.now() + DAY, stagingTtlSeconds: 7200 });
  }

  #stage(requestId: string, part: number | 'watermark', content: Uint8Array) {
    return stageFile(this.staging, content, part, requestId);
  }
}

/** The outcomes in a response that `BatchBench.services().present` wrote. */
export function outcomesIn({ body }: { readonly body: string }): ReportedOutcome[] {
  return JSON.parse(body) as ReportedOutcome[];
}
