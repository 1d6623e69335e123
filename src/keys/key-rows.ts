import { type PlanId, planIds } from '../credits/plans.ts';
import type { Caller, KeyKind } from './caller.ts';

export interface Account {
  id: string;
  name: string;
  plan: PlanId;
  suspended: boolean;
  /** ISO 8601 in UTC to the second, as all times here. */
  createdAt: string;
}

/** A key as it may be shown at any time: without the key itself. */
export interface KeyRecord {
  id: string;
  label: string;
  kind: KeyKind;
  prefix: string;
  createdAt: string;
  expiresAt: string | null;
  revokedAt: string | null;
}

/** A row of `accounts`. Times in rows are ms since the epoch. */
export interface AccountRow {
  id: string;
  name: string;
  plan: string;
  suspended: number;
  created_at: number;
}

/** A row of `keys` without the hash. */
export interface KeyRow {
  id: string;
  label: string;
  kind: KeyKind;
  prefix: string;
  created_at: number;
  expires_at: number | null;
  revoked_at: number | null;
}

/** A row of `keys` joined with its account. */
export interface CallerRow {
  account_id: string;
  key_id: string;
  kind: KeyKind;
  plan: string;
  suspended: number;
  expires_at: number | null;
}

export function toAccount(row: AccountRow): Account {
  return {
    id: row.id,
    name: row.name,
    plan: toPlan(row.plan),
    suspended: row.suspended !== 0,
    createdAt: toTime(row.created_at),
  };
}

export function toKeyRecord(row: KeyRow): KeyRecord {
  return {
    id: row.id,
    label: row.label,
    kind: row.kind,
    prefix: row.prefix,
    createdAt: toTime(row.created_at),
    expiresAt: row.expires_at === null ? null : toTime(row.expires_at),
    revokedAt: row.revoked_at === null ? null : toTime(row.revoked_at),
  };
}

export function toCaller(row: CallerRow): Caller {
  return {
    accountId: row.account_id,
    keyId: row.key_id,
    kind: row.kind,
    plan: toPlan(row.plan),
    suspended: row.suspended !== 0,
  };
}

/** Guessing what an account on a plan that is gone may do would be wrong either way, so it is an error of the operator's. */
export function toPlan(plan: string): PlanId {
  const known = planIds.find((id) => id === plan);
  if (known === undefined) throw new Error(`An account is on the plan "${plan}", which the price table does not list`);
  return known;
}

/** ISO 8601 in UTC to the second. */
export function toTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace(/\.\d{3}Z$/, 'Z');
}
