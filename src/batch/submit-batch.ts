import { plans } from '../credits/plans.ts';
import type { Usage } from '../credits/usage.ts';
import { RequestError } from '../errors.ts';
import { callPlatform, type Patience, PlatformError, type PlatformShell } from '../platform/call-platform.ts';
import type { Batch } from './batch.ts';
import type { BatchRecord } from './batch-journal.ts';
import type { BatchRunner } from './batch-runner.ts';
import { checkWatermark } from './check-watermark.ts';
import { refusal } from './refusal.ts';
import type { Staging } from './staging.ts';

export interface SubmitServices {
  readonly staging: Staging;
  /** The object that owns a batch; each time anew, because a stub through which a call failed is of no more use. */
  runner(requestId: string): Pick<BatchRunner, 'start' | 'end' | 'hold' | 'discard'>;
  /** Milliseconds. */
  now(): number;
  /** Time and chance of pauses and time limits. */
  readonly shell?: PlatformShell;
}

/** A batch that was begun, or one that has ended before under the same Idempotency-Key. */
export interface SubmittedBatch {
  /** The batch's id: that of the request that made it. */
  readonly id: string;
  readonly replayed: boolean;
  /** Waits for its end; `usage` is where the account stands now. @throws RequestError service_busy, result_expired */
  end(): Promise<BatchRecord & { readonly usage: Usage }>;
}

/**
 * No call to begin the batch was answered, so it may run all the same: its object has the files then, or the sweep finds them. To be told as
 * every other failure of the platform.
 */
export class BatchMayRunError extends PlatformError {
  constructor(reason: unknown) {
    super('batch start', reason);
    this.name = 'BatchMayRunError';
  }
}

/** A batch may run for as long as its files need; its object says when it has ended, and is asked again where it was reset. */
const untilTheEnd: Patience = { tries: 5, limitMs: 30 * 60 * 1000, backOffMs: 1000 };

/**
 * Hands a batch to the object that owns it: plan features → watermark → reserved → begun. From then on it needs nobody any more.
 * @throws RequestError watermark_not_available, ia_not_available, no_credits, plan_limit_reached, rate_limited, idempotency_conflict,
 *   idempotency_mismatch, invalid_request (the watermark): it was not begun. BatchMayRunError
 */
export async function submitBatch(batch: Batch, services: SubmitServices): Promise<SubmittedBatch> {
  checkFeatures(batch);
  if (batch.watermark) await checkWatermark(batch.watermark.staged, services.staging);
  const start = async () => await services.runner(batch.requestId).start(batch);
  const started = await callPlatform('batch start', start, undefined, services.shell).catch((error: PlatformError) => {
    throw new BatchMayRunError(error.reason);
  });
  if (started.kind === 'refused') throw refusal(started, batch);
  const replayed = started.kind === 'replay';
  const id = replayed ? started.requestId : batch.requestId;
  const end = async () => {
    const record = await endOf(id, services);
    return started.kind === 'replay' ? { ...record, usage: started.usage } : record;
  };
  return { id, replayed, end };
}

async function endOf(id: string, services: SubmitServices): Promise<BatchRecord & { readonly usage: Usage }> {
  const call = async () => await services.runner(id).end();
  const record = await callPlatform('batch end', call, untilTheEnd, services.shell);
  if (record === undefined || hasExpired(record, services.now())) throw expired();
  if (record.usage === undefined) throw givenUp();
  const { usage } = record;
  const busy = record.files.map(({ outcome }) => (outcome?.kind === 'failed' ? outcome : undefined));
  if (busy.every((outcome) => outcome?.error === 'service_busy')) {
    throw allBusy(Math.max(...busy.map((outcome) => outcome?.retryAfterSeconds ?? 1)));
  }
  return { ...record, usage };
}

function hasExpired({ files }: BatchRecord, now: number): boolean {
  return files.some(({ outcome, result }) => outcome?.kind === 'done' && result.expires * 1000 <= now);
}

function checkFeatures({ plan, watermark, describe }: Batch): void {
  if (watermark && !plans[plan].watermark) {
    const message = `The ${plan} plan has no watermarks. Leave watermarkFile out, or change to a paid plan.`;
    throw new RequestError('watermark_not_available', message);
  }
  if (describe && !plans[plan].ai) {
    const message = `The ${plan} plan has no AI features. Leave autoAltText and autoRenameSEO out, or change to a paid plan.`;
    throw new RequestError('ia_not_available', message);
  }
}

function expired(): RequestError {
  const message =
    'The results of the first request with this Idempotency-Key have expired. Use a new key to have the files processed again.';
  return new RequestError('result_expired', message);
}

/** Its object was away for so long that its reservation lapsed, and what it needed was not left any more. */
function givenUp(): RequestError {
  const message = 'The batch was interrupted and could not be finished. Nothing was charged; send the request again.';
  return new RequestError('service_busy', message);
}

function allBusy(retryAfterSeconds: number): RequestError {
  const message = `All workers are busy. Nothing was processed or charged; try again in ${retryAfterSeconds} s.`;
  return new RequestError('service_busy', message, { retryAfterSeconds });
}
