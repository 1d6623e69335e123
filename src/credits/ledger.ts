import { DurableObject } from 'cloudflare:workers';
import { limits } from '../limits.ts';
import { extend, release, reserve, settle, topUp, usageOf } from './balance.ts';
import { admitWork, drainFailedWork } from './failed-work.ts';
import { earlierOf, judgeIdempotency, type KeyedRequest, standingRecord } from './idempotency.ts';
import { heldFiles, isHeld, loadBalance, saveBalance } from './ledger-balance.ts';
import { type BatchCursor, dropBatch, type ListedBatch, listBatches, noteBatch } from './ledger-batches.ts';
import { chargedOn, type DayNote, listDays, noteDay, type UsageDay } from './ledger-days.ts';
import { findRecord, finishRecord, forgetRunning, startRecord } from './ledger-idempotency.ts';
import { migrateLedger } from './ledger-schema.ts';
import { nextUpkeep, removeOutdated } from './ledger-upkeep.ts';
import { type PlanId, plans } from './plans.ts';
import { RateBuckets } from './rate-buckets.ts';
import { perMinute } from './token-bucket.ts';
import type { Usage } from './usage.ts';

/** The one setting the ledger reads: how long (seconds, 1 … 86,400; 90 when absent) a lost request's reservation holds. */
export interface LedgerEnv {
  readonly RESERVATION_TTL_SECONDS?: string;
}

export interface ReserveRequest {
  /** Names the request in every later call; reserving it twice holds once. */
  requestId: string;
  plan: PlanId;
  /** Files of the batch, those included that an earlier request has done; absent: as many as `compressions`. */
  files?: number;
  compressions: number;
  aiCredits: number;
  /** `fingerprint` tells whether a repetition under the same `key` is the same request. `resumes`: see `KeyedRequest`. */
  idempotency?: { key: string; fingerprint: string; resumes?: string };
  /** The files are done: they are not among those that are under way at once. */
  late?: boolean;
}

/** What a batch came to. */
export interface Settlement extends DayNote {
  compressions: number;
  aiCredits: number;
  /** Whether no file failed for a reason of ours: a repetition under its Idempotency-Key then gets the same answer. */
  complete: boolean;
  /** CPU-seconds that went into files that failed, 0 or more; absent: none. */
  failedCpuSeconds?: number;
}

export type ReserveResult =
  /** `expiresAt`: ms since the epoch; until then it is held, or longer where it is extended. */
  | { kind: 'reserved'; usage: Usage; expiresAt: number }
  /** An earlier request under the same Idempotency-Key has the answer, or that part of it that was not our fault. */
  | { kind: 'replay' | 'resume'; requestId: string; usage: Usage }
  | { kind: 'refused'; code: 'no_credits' | 'plan_limit_reached' | 'idempotency_mismatch'; usage: Usage }
  | { kind: 'refused'; code: 'idempotency_conflict'; requestId: string; usage: Usage }
  /** As many files of the account are under way as its plan has at once. */
  | { kind: 'refused'; code: 'too_many_at_once'; filesAtOnce: number; usage: Usage };

/** `rate`: the key called too often; `failed_work`: too much work went into files of the account that failed. */
export type Admission =
  | { allowed: true }
  | { allowed: false; reason: 'rate' | 'failed_work'; retryAfterSeconds: number };

/** `expiresAt`: ms since the epoch. */
export type ExtendResult = { held: true; expiresAt: number } | { held: false };

export type SettleResult = { settled: true; usage: Usage } | { settled: false };

const memory = limits.idempotencySeconds * 1000;
/** A batch that lives renews its reservation three times in so long (`limits.renewSeconds`). */
const RESERVATION_SECONDS = 90;

/**
 * The counters of one account (`idFromName(accountId)`): a thin shell that reads the rows, applies `balance`, and writes the
 * difference in one transaction, so that a crash at any moment leaves a call either done or not done. Every call may be repeated.
 * The plan comes with each call; the ledger knows nothing of accounts. What is past its time never counts, whether or not
 * the alarm has removed it yet. The third argument is the clock (ms since the epoch).
 */
export class AccountLedger extends DurableObject<LedgerEnv> {
  readonly #clock: () => number;
  #rates: RateBuckets;

  constructor(ctx: DurableObjectState, env: LedgerEnv, clock: () => number = () => Date.now()) {
    super(ctx, env);
    this.#clock = clock;
    migrateLedger(ctx.storage);
    this.#rates = new RateBuckets(ctx.storage.sql);
  }

  /**
   * Takes one of the key's `rate` calls a minute. `workOn` is the account's plan where the call asks for work, and absent where it only
   * asks how things stand: only work is refused for what went into failed files. A refusal writes nothing.
   * Throws RangeError unless `rate` is 1 or more.
   */
  async admit(keyId: string, rate: number, workOn?: PlanId): Promise<Admission> {
    const now = this.#clock();
    const work = workOn === undefined ? undefined : admitWork(this.ctx.storage.sql, workOn, now);
    if (work?.allowed === false) return { ...work, reason: 'failed_work' };
    const { taken, stored } = this.#rates.take(keyId, perMinute(rate), now);
    if (stored) await this.#scheduleUpkeep();
    return taken.allowed ? taken : { ...taken, reason: 'rate' };
  }

  /**
   * Holds all that the request may cost, or answers why not. Checks run in this order: Idempotency-Key, files at once, AI credits,
   * monthly compressions; a refusal records nothing. Throws RangeError for amounts that are not whole numbers of 0 or more.
   */
  async reserve(request: ReserveRequest): Promise<ReserveResult> {
    const now = this.#clock();
    const result = this.ctx.storage.transactionSync(() => this.#reserve(request, now));
    await this.#scheduleUpkeep();
    return result;
  }

  /** Lets a request that still runs hold its reservation for another whole time; `held` is false when it holds nothing. */
  async extend(requestId: string): Promise<ExtendResult> {
    const { sql } = this.ctx.storage;
    const now = this.#clock();
    return this.ctx.storage.transactionSync(() => {
      const stored = loadBalance(sql, { requestId }, now);
      const { expiresAt, balance } = extend(stored, requestId, now + this.#reservationTtl(), now);
      saveBalance(sql, stored, balance);
      return expiresAt === undefined ? { held: false } : { held: true, expiresAt };
    });
  }

  /**
   * Charges what was done (never more than was reserved) to the month in which it was reserved. `settled`
   * is false when the reservation expired or never was: nothing is charged. The usage is on the plan of the reservation.
   * `failedCpuSeconds` (0 or more) went into files that failed; they come out of the plan's allowance for that.
   */
  async settle(requestId: string, done: Settlement): Promise<SettleResult> {
    const now = this.#clock();
    const result = this.ctx.storage.transactionSync(() => this.#settle(requestId, done, now));
    await this.#scheduleUpkeep();
    return result;
  }

  /** Gives back what the request holds and forgets that it is there, so that its Idempotency-Key may be tried again. */
  async release(requestId: string): Promise<void> {
    const { sql } = this.ctx.storage;
    this.ctx.storage.transactionSync(() => {
      const stored = loadBalance(sql, { requestId }, this.#clock());
      const after = release(stored, requestId);
      saveBalance(sql, stored, after);
      forgetRunning(sql, requestId);
      if (after !== stored) dropBatch(sql, requestId);
    });
  }

  /** The account's batches of the last 24 hours, newest first. */
  async batches(limit: number, after?: BatchCursor): Promise<ListedBatch[]> {
    const now = this.#clock();
    return listBatches(this.ctx.storage.sql, { limit, now, since: now - memory, ...(after && { after }) });
  }

  /** Adds AI credits that do not lapse; `added` is false when the reference was added before, whatever the amount. */
  async topUp(reference: string, aiCredits: number): Promise<{ added: boolean }> {
    const { sql } = this.ctx.storage;
    const now = this.#clock();
    return this.ctx.storage.transactionSync(() => {
      const stored = loadBalance(sql, { reference }, now);
      const after = topUp(stored, reference, aiCredits);
      if (after === stored) return { added: false };
      saveBalance(sql, stored, after);
      sql.exec('INSERT INTO top_ups VALUES (?, ?, ?)', reference, aiCredits, now);
      return { added: true };
    });
  }

  /** What was charged on days from `from` to `to` (`YYYY-MM-DD` in UTC, both included), by key. */
  async days(from: string, to: string): Promise<UsageDay[]> {
    return listDays(this.ctx.storage.sql, from, to);
  }

  /** Where the account stands on `plan`. Writes nothing. */
  async usage(plan: PlanId): Promise<Usage> {
    const now = this.#clock();
    return usageOf(loadBalance(this.ctx.storage.sql, {}, now), plan, now);
  }

  /**
   * Deletes all that the account has here, for good: what was used, bought, reserved and answered. A request that is under way may still leave
   * its end behind, which a second call removes.
   */
  async erase(): Promise<void> {
    await this.ctx.storage.deleteAlarm();
    await this.ctx.storage.deleteAll();
    // The object goes on without being made anew, so it needs its tables as its constructor left them.
    migrateLedger(this.ctx.storage);
    this.#rates = new RateBuckets(this.ctx.storage.sql);
  }

  /** Removes what is past its time. Nothing depends on when it runs. */
  override async alarm(): Promise<void> {
    const now = this.#clock();
    this.ctx.storage.transactionSync(() => removeOutdated(this.ctx.storage.sql, now, memory));
    await this.#scheduleUpkeep();
  }

  #reserve(request: ReserveRequest, now: number): ReserveResult {
    const { sql } = this.ctx.storage;
    const { requestId, plan, compressions, aiCredits, idempotency } = request;
    const stored = loadBalance(sql, { requestId }, now);
    const verdict = idempotency && this.#judge(requestId, idempotency, now);
    const usage = usageOf(stored, plan, now);
    if (verdict?.kind === 'replay' || verdict?.kind === 'resume') return { ...verdict, usage };
    if (verdict?.kind === 'conflict') {
      return { kind: 'refused', code: 'idempotency_conflict', requestId: verdict.requestId, usage };
    }
    if (verdict?.kind === 'mismatch') return { kind: 'refused', code: 'idempotency_mismatch', usage };
    const filesAtOnce = plans[plan].requestsAtOnce * limits.files;
    if (!request.late && heldFiles(sql, requestId, now) + compressions > filesAtOnce) {
      return { kind: 'refused', code: 'too_many_at_once', filesAtOnce, usage };
    }

    const ask = { requestId, plan, compressions, aiCredits, expiresAt: now + this.#reservationTtl() };
    const result = reserve(stored, ask, now);
    if (result.kind === 'refused') return { kind: 'refused', code: result.code, usage };
    saveBalance(sql, stored, result.balance);
    const reserved = result.balance.reservations.get(requestId);
    // A late repetition of the call for a batch that was settled meanwhile must not take its answer away.
    if (idempotency && reserved?.settledAt === null) this.#startRecord(requestId, idempotency, now);
    noteBatch(sql, { id: requestId, files: request.files ?? compressions, createdAt: now });
    const { expiresAt } = reserved ?? ask;
    return { kind: 'reserved', usage: usageOf(result.balance, plan, now), expiresAt };
  }

  #judge(requestId: string, { key, ...request }: Omit<KeyedRequest, 'requestId'> & { key: string }, now: number) {
    const { sql } = this.ctx.storage;
    const record = findRecord(sql, key);
    const holds = record !== undefined && isHeld(sql, record.requestId, now);
    return judgeIdempotency(record, { requestId, ...request }, holds, { now, memory });
  }

  #startRecord(requestId: string, { key, ...request }: NonNullable<ReserveRequest['idempotency']>, now: number): void {
    const { sql } = this.ctx.storage;
    const record = findRecord(sql, key);
    const standing = record && standingRecord(record, isHeld(sql, record.requestId, now));
    const earlier = earlierOf(standing, { requestId, ...request });
    startRecord(sql, key, { requestId, fingerprint: request.fingerprint, ...(earlier && { earlier }) });
  }

  #settle(requestId: string, done: Settlement, now: number): SettleResult {
    const { sql } = this.ctx.storage;
    const stored = loadBalance(sql, { requestId }, now);
    const { reservation, balance } = settle(stored, requestId, done, now);
    if (reservation === undefined) return { settled: false };
    saveBalance(sql, stored, balance);
    if (stored.reservations.get(requestId)?.settledAt === null) {
      finishRecord(sql, requestId, done.complete, now);
      noteDay(sql, chargedOn(reservation, done, now));
      drainFailedWork(sql, reservation.plan, done.failedCpuSeconds ?? 0, now);
    }
    return { settled: true, usage: usageOf(balance, reservation.plan, now) };
  }

  #reservationTtl(): number {
    const seconds = Number(this.env.RESERVATION_TTL_SECONDS?.trim() || RESERVATION_SECONDS);
    if (Number.isInteger(seconds) && seconds >= 1 && seconds <= 86_400) return seconds * 1000;
    throw new Error('RESERVATION_TTL_SECONDS must be a whole number from 1 to 86400');
  }

  /** An alarm that is set and earlier stays: it finds nothing to do and sets the next one. */
  async #scheduleUpkeep(): Promise<void> {
    const due = nextUpkeep(this.ctx.storage.sql, memory);
    if (due === null) return;
    const set = await this.ctx.storage.getAlarm();
    if (set === null || due < set) await this.ctx.storage.setAlarm(due);
  }
}
