import type { FileErrorCode } from './error-codes.ts';

export type Plan = 'free' | 'starter' | 'agency';
export type Format = 'webp' | 'avif' | 'jpg' | 'png';
export type WatermarkPosition = 'TL' | 'TC' | 'TR' | 'ML' | 'MC' | 'MR' | 'BL' | 'BC' | 'BR';

/** One file that was processed. Sizes are bytes, sides are pixels. */
export interface ResultItem {
  readonly originalName: string;
  readonly newName: string;
  readonly originalSize: number;
  readonly optimizedSize: number;
  /** Signed, and works for an hour unless the operator set another time. */
  readonly downloadUrl: string;
  readonly altText?: string;
  readonly width?: number;
  readonly height?: number;
  readonly originalWidth?: number;
  readonly originalHeight?: number;
  readonly format?: string;
  readonly savedBytes?: number;
  readonly savedPercent?: number;
  readonly quality?: number | null;
  /** The original was as small as it gets and was kept. */
  readonly unchanged?: boolean;
  readonly warnings?: readonly { readonly code: string; readonly message: string }[];
}

/** One file that failed; it costs nothing. */
export interface FileFailure {
  /** Place among the files that were sent, from 0. */
  readonly index: number;
  readonly name: string;
  readonly error: FileErrorCode;
  readonly message: string;
}

export interface Usage {
  readonly plan: Plan;
  readonly period: { readonly start: string; readonly end: string };
  readonly compressions: { readonly used: number; readonly limit: number; readonly remaining: number };
  readonly aiCredits: {
    readonly used: number;
    readonly limit: number;
    readonly topUp: number;
    readonly remaining: number;
  };
}

/** What one key did on one day (UTC). */
export interface UsageDay {
  /** `2026-11-22`. */
  readonly day: string;
  /** The key; `console` for signed-in browsers, `unknown` where none was noted. */
  readonly keyId: string;
  readonly compressions: number;
  readonly aiCredits: number;
  readonly bytesIn: number;
  readonly bytesOut: number;
}

export interface BatchSummary {
  readonly id: string;
  readonly files: number;
  readonly state: 'running' | 'done';
  readonly createdAt: string;
}

export interface Batch {
  readonly id: string;
  readonly state: 'running' | 'done';
  readonly files: readonly {
    readonly index: number;
    readonly name: string;
    readonly state: 'queued' | 'running' | 'done' | 'failed';
  }[];
  readonly data: readonly ResultItem[];
  readonly errors?: readonly FileFailure[];
  readonly createdAt: string;
}

export interface Key {
  readonly id: string;
  readonly label: string;
  readonly kind: 'api' | 'app';
  readonly prefix: string;
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
  /** To the hour; absent on keys that an operator is shown. */
  readonly lastUsedAt?: string | null;
}

/** A key in the one answer that holds its secret. */
export interface IssuedKey extends Key {
  readonly key: string;
}

export interface Zip {
  readonly downloadUrl: string;
  readonly size: number;
  readonly expiresAt: string;
}

export interface Account {
  readonly id: string;
  readonly name: string;
  readonly plan: Plan;
  readonly suspended: boolean;
  readonly createdAt: string;
}

export interface AccountDetail extends Account {
  readonly usage: Usage;
  readonly keys: readonly Key[];
}

/** A page of a list; without `nextCursor` it is the last one. */
export interface Page {
  readonly nextCursor?: string;
}
