import type { AccountLedger, Settlement } from '../credits/ledger.ts';
import type { Usage } from '../credits/usage.ts';
import type { ResultStore } from '../delivery/result-store.ts';
import { callPlatform, type PlatformShell } from '../platform/call-platform.ts';
import type { BatchRecord } from './batch-journal.ts';
import { reservation } from './open-batch.ts';
import { aiSucceeded, type FileRecord, failedByUs, wastedCpuSeconds } from './outcome.ts';

export interface SettleServices {
  /** See `OpenServices`. */
  ledger(): Pick<AccountLedger, 'reserve' | 'settle' | 'release'>;
  readonly results: Pick<ResultStore, 'remove'>;
  readonly shell?: PlatformShell;
}

/**
 * Charges a batch, every file of which has its outcome, for what was done. Where its reservation expired because its object was away for
 * long, it is made again; where that is refused, or somebody else has its Idempotency-Key meanwhile, nothing is charged and nothing delivered.
 * @returns the account's usage; undefined where the batch is void
 * @throws PlatformError when the ledger does not answer: to be tried again, which charges once
 */
export async function settleBatch(record: BatchRecord, services: SettleServices): Promise<Usage | undefined> {
  const charge = settlement(record);
  const usage = (await settle(record, charge, services)) ?? (await settleLate(record, charge, services));
  if (usage === undefined) await giveUp(record, services);
  return usage;
}

async function settle(record: BatchRecord, charge: Settlement, services: SettleServices): Promise<Usage | undefined> {
  const { requestId } = record.batch;
  const call = async () => await services.ledger().settle(requestId, charge);
  const settled = await callPlatform('ledger settle', call, undefined, services.shell);
  return settled.settled ? settled.usage : undefined;
}

async function settleLate(
  record: BatchRecord,
  charge: Settlement,
  services: SettleServices,
): Promise<Usage | undefined> {
  const ask = { ...(await reservation(record.batch, charge, record.resumes)), late: true };
  const call = async () => await services.ledger().reserve(ask);
  const reserved = await callPlatform('ledger reserve', call, undefined, services.shell);
  return reserved.kind === 'reserved' ? await settle(record, charge, services) : undefined;
}

/** Gives back what is held and removes results that nobody will be told of. What fails here expires or is swept. */
async function giveUp({ batch, files, inherited }: BatchRecord, services: SettleServices): Promise<void> {
  const own = files.filter(({ index }) => !inherited.includes(index)).map(({ result }) => result.key);
  const release = async () => await services.ledger().release(batch.requestId);
  await Promise.allSettled([
    callPlatform('ledger release', release, undefined, services.shell),
    callPlatform('R2 delete', () => services.results.remove(own), undefined, services.shell),
  ]);
}

/** What was done now. What an earlier request did was charged to it. */
function settlement({ batch, files, inherited }: BatchRecord): Settlement {
  const ownFiles = files.filter(({ index }) => !inherited.includes(index));
  const own = ownFiles.map(outcomeOf);
  return {
    ...(batch.keyId !== undefined && { keyId: batch.keyId }),
    bytesIn: ownFiles.reduce((sum, { size, outcome }) => sum + (outcome?.kind === 'done' ? size : 0), 0),
    bytesOut: own.reduce((sum, outcome) => sum + (outcome.kind === 'done' ? outcome.size : 0), 0),
    compressions: own.filter(({ kind }) => kind === 'done').length,
    aiCredits: own.filter(aiSucceeded).length,
    complete: !own.some(failedByUs),
    failedCpuSeconds: own.reduce((sum, outcome) => sum + wastedCpuSeconds(outcome), 0),
  };
}

function outcomeOf({ index, outcome }: FileRecord) {
  if (outcome === undefined) throw new TypeError(`file ${index} has no outcome yet`);
  return outcome;
}
