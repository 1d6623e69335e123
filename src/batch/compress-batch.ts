import type { StoredResponse } from '../credits/idempotency.ts';
import type { AccountLedger, ReserveResult, SettleResult } from '../credits/ledger.ts';
import { plans } from '../credits/plans.ts';
import type { Usage } from '../credits/usage.ts';
import type { ResultStore } from '../delivery/result-store.ts';
import { RequestError } from '../errors.ts';
import type { Batch } from './batch.ts';
import { checkWatermark } from './check-watermark.ts';
import { dispatch, type Lanes } from './dispatch.ts';
import type { FileJob } from './file-job.ts';
import { fingerprint } from './fingerprint.ts';
import { aiFailed, aiSucceeded, type FileOutcome, type ReportedOutcome } from './outcome.ts';
import { refusal } from './refusal.ts';
import { reportOutcomes } from './report-outcomes.ts';
import { ReservationKeeper } from './reservation-keeper.ts';
import type { Staging } from './staging.ts';

export interface BatchServices {
  /** The account's ledger; each time anew, because a stub through which a call failed is of no more use. */
  ledger(): Pick<AccountLedger, 'reserve' | 'extend' | 'settle' | 'release'>;
  readonly staging: Staging;
  readonly results: ResultStore;
  readonly lanes: Lanes;
  readonly downloads: { readonly baseUrl: string; readonly secret: string; readonly ttlSeconds: number };
  /** Milliseconds. */
  now(): number;
  log(line: Readonly<Record<string, unknown>>): void;
  /** Writes the answer that is sent now and to repetitions under the same Idempotency-Key. */
  present(outcomes: readonly ReportedOutcome[]): StoredResponse;
}

/** What the caller gets, and what was done for it now (nothing where an earlier response is repeated). */
export interface BatchResult {
  readonly response: StoredResponse;
  readonly usage: Usage;
  readonly outcomes: readonly ReportedOutcome[];
}

/**
 * The use case: plan features → reserve → lanes → settle. Nothing is processed before the whole batch is reserved, and
 * nothing is charged that was not delivered: whatever goes wrong in between gives the reservation back.
 * @throws RequestError watermark_not_available, ia_not_available, no_credits, plan_limit_reached, idempotency_conflict,
 *   idempotency_mismatch, invalid_request (the watermark), service_busy
 */
export async function compressBatch(batch: Batch, services: BatchServices): Promise<BatchResult> {
  if (batch.watermark) await checkWatermark(batch.watermark.staged, services.staging);
  checkFeatures(batch);
  const jobs = await fileJobs(batch, services);
  const reserved = await reserve(batch, services);
  if (reserved.kind === 'refused') throw refusal(reserved, batch);
  if (reserved.kind === 'replay') return { response: reserved.response, usage: reserved.usage, outcomes: [] };
  const { response, outcomes } = await processReserved(batch, jobs, reserved.expiresAt, services);
  return { response, outcomes, usage: await settle(batch, jobs, response, outcomes, services) };
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

async function reserve(batch: Batch, services: BatchServices): Promise<ReserveResult> {
  const { requestId, plan, files, describe, idempotencyKey: key } = batch;
  const idempotency = key !== undefined && { idempotency: { key, fingerprint: await fingerprint(batch) } };
  const ask = { requestId, plan, compressions: files.length, aiCredits: describe ? files.length : 0, ...idempotency };
  try {
    return await services.ledger().reserve(ask);
  } catch (error) {
    // The call may have arrived although its answer did not.
    await giveUp(batch, [], services);
    throw error;
  }
}

async function processReserved(
  batch: Batch,
  jobs: readonly FileJob[],
  expiresAt: number,
  services: BatchServices,
): Promise<Pick<BatchResult, 'response' | 'outcomes'>> {
  try {
    const keeper = reservationKeeper(batch, expiresAt, services);
    const results = await dispatch(jobs, services.lanes, services.log, () => keeper.progressed());
    logFailedDescriptions(batch, results, services);
    const outcomes = await reportOutcomes(batch, jobs, results, services.downloads);
    return { response: services.present(outcomes), outcomes };
  } catch (error) {
    await giveUp(batch, jobs, services);
    throw error;
  }
}

function reservationKeeper({ requestId }: Batch, expiresAt: number, { ledger, now, log }: BatchServices) {
  return new ReservationKeeper({
    expiresAt,
    extend: () => ledger().extend(requestId),
    now,
    failed: (error) => log({ level: 'error', requestId, error: String(error) }),
  });
}

async function settle(
  batch: Batch,
  jobs: readonly FileJob[],
  response: StoredResponse,
  outcomes: readonly ReportedOutcome[],
  services: BatchServices,
): Promise<Usage> {
  const compressions = outcomes.filter(({ outcome }) => outcome.kind === 'done').length;
  const aiCredits = outcomes.filter(({ outcome }) => aiSucceeded(outcome)).length;
  const charge = () => services.ledger().settle(batch.requestId, { compressions, aiCredits, response });
  let settled: SettleResult;
  try {
    // A lost answer is asked for again: settling twice charges once.
    settled = await charge().catch(charge);
  } catch (error) {
    // Whether it was charged is unknown. If it was, a repetition under the Idempotency-Key gets the response: keep the results.
    await giveUp(batch, [], services);
    throw error;
  }
  if (settled.settled) return settled.usage;
  await giveUp(batch, jobs, services);
  throw new Error('the reservation expired before the batch was done');
}

/** Gives the reservation back and removes results that nobody will be told of. What fails here expires or is swept. */
async function giveUp(batch: Batch, jobs: readonly FileJob[], services: BatchServices): Promise<void> {
  await Promise.allSettled([
    services.ledger().release(batch.requestId),
    services.results.remove(jobs.map(({ result }) => result.key)),
  ]);
}

function fileJobs(batch: Batch, { results, downloads, now }: BatchServices): Promise<FileJob[]> {
  const { requestId, accountId, sessionId, image, describe } = batch;
  const expires = Math.floor(now() / 1000) + downloads.ttlSeconds;
  return Promise.all(
    batch.files.map(async ({ index, name, staged }) => {
      const key = await results.keyFor({ accountId, sessionId, requestId, index, expires });
      const description = describe && { describe: { ...describe, originalName: name } };
      return { requestId, index, file: staged, image, ...description, result: { key, expires } };
    }),
  );
}

/** Why pictures got no description, for the operator; texts never get there. */
function logFailedDescriptions({ requestId }: Batch, outcomes: readonly FileOutcome[], { log }: BatchServices): void {
  for (const [index, outcome] of outcomes.entries()) {
    if (outcome.kind === 'failed' || !aiFailed(outcome)) continue;
    const { failure, code } = outcome.description ?? {};
    log({ level: 'warn', requestId, index, aiFailure: failure, code });
  }
}
