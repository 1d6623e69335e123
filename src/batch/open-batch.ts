import type { Amount } from '../credits/balance.ts';
import type { AccountLedger, ReserveRequest, ReserveResult } from '../credits/ledger.ts';
import type { Usage } from '../credits/usage.ts';
import type { ResultStore } from '../delivery/result-store.ts';
import { callPlatform, type PlatformShell } from '../platform/call-platform.ts';
import type { Batch } from './batch.ts';
import type { BatchRecord } from './batch-journal.ts';
import { queuedFiles } from './file-jobs.ts';
import { fingerprint } from './fingerprint.ts';
import { type FileRecord, failedByUs } from './outcome.ts';

export interface OpenServices {
  /** The account's ledger; each time anew, because a stub through which a call failed is of no more use. */
  ledger(): Pick<AccountLedger, 'reserve' | 'release'>;
  readonly results: Pick<ResultStore, 'keyFor'>;
  /** Another batch of the account; undefined when nothing is known of it any more. */
  earlier(requestId: string): Promise<BatchRecord | undefined>;
  /** Seconds for which results are kept. */
  readonly keepSeconds: number;
  /** Milliseconds. */
  now(): number;
  readonly shell?: PlatformShell;
}

export type Refused = Extract<ReserveResult, { kind: 'refused' }>;

export type Opened =
  | { readonly kind: 'opened'; readonly record: BatchRecord; readonly usage: Usage }
  /** An earlier request under the same Idempotency-Key has the answer. */
  | { readonly kind: 'replay'; readonly requestId: string; readonly usage: Usage }
  | Refused;

/**
 * Reserves all that a batch may cost, so that it can begin. Of a batch under an Idempotency-Key whose earlier request failed in part for a
 * reason of ours, only that part is reserved and done again; the rest is inherited.
 * @throws PlatformError when the ledger does not answer: nothing is held then
 */
export async function openBatch(batch: Batch, services: OpenServices): Promise<Opened> {
  const all = batch.files.map((_, place) => place);
  const first = await reserve(batch, all, undefined, services);
  if (first.kind === 'refused') return first;
  if (first.kind === 'replay') return { kind: 'replay', requestId: first.requestId, usage: first.usage };
  if (first.kind === 'reserved') return await opened(batch, { kept: [] }, first.usage, services);
  const { requestId: resumes } = first;
  const earlier = await callPlatform(
    'earlier batch',
    async () => await services.earlier(resumes),
    undefined,
    services.shell,
  );
  const kept = inheritable(earlier, services.now());
  const open = all.filter((place) => kept[place] === undefined);
  const second = await reserve(batch, open, resumes, services);
  if (second.kind === 'reserved') return await opened(batch, { kept, resumes }, second.usage, services);
  if (second.kind === 'refused') return second;
  // Another repetition was faster.
  return { kind: 'refused', code: 'idempotency_conflict', requestId: second.requestId, usage: second.usage };
}

/** The files of an earlier request that need not be done again, each at its place. */
function inheritable(earlier: BatchRecord | undefined, now: number): (FileRecord | undefined)[] {
  const files = earlier?.files ?? [];
  return files.map((file) => {
    const stays = file.outcome !== undefined && !failedByUs(file.outcome) && file.result.expires * 1000 > now;
    return stays ? file : undefined;
  });
}

async function opened(
  batch: Batch,
  { kept, ...origin }: { kept: readonly (FileRecord | undefined)[]; resumes?: string },
  usage: Usage,
  { results, now, keepSeconds }: OpenServices,
): Promise<Opened> {
  const queued = await queuedFiles(batch, results, Math.floor(now() / 1000) + keepSeconds);
  const files = queued.map((file, place) => kept[place] ?? file);
  const inherited = queued.filter((_, place) => kept[place] !== undefined).map(({ index }) => index);
  const record = { batch, state: 'running', createdAt: now(), starts: 0, files, inherited, ...origin } as const;
  return { kind: 'opened', usage, record };
}

async function reserve(
  batch: Batch,
  places: readonly number[],
  resumes: string | undefined,
  services: OpenServices,
): Promise<ReserveResult> {
  const { length } = places;
  const amount = { compressions: length, aiCredits: batch.describe ? length : 0 };
  const uploads = places.flatMap((place) => batch.files[place]?.uploadId ?? []);
  const ask = { ...(await reservation(batch, amount, resumes)), ...(uploads.length > 0 && { uploads }) };
  const { shell } = services;
  try {
    return await callPlatform('ledger reserve', async () => await services.ledger().reserve(ask), undefined, shell);
  } catch (error) {
    // A call may have arrived although its answer did not; what is not given back now expires by itself.
    const release = async () => await services.ledger().release(batch.requestId);
    await callPlatform('ledger release', release, undefined, shell).catch(() => {});
    throw error;
  }
}

/** What a batch asks of the ledger for some of its files. The same batch asks the same, however often. */
export async function reservation(batch: Batch, amount: Amount, resumes?: string): Promise<ReserveRequest> {
  const { requestId, plan, files, idempotencyKey: key } = batch;
  return {
    requestId,
    plan,
    files: files.length,
    compressions: amount.compressions,
    aiCredits: amount.aiCredits,
    ...(key !== undefined && {
      idempotency: { key, fingerprint: await fingerprint(batch), ...(resumes !== undefined && { resumes }) },
    }),
  };
}
