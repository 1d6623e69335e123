import type { Description } from '../describe/description.ts';
import { type FileErrorCode, isOwnFailure } from '../errors.ts';
import type { PictureFacts } from './picture-facts.ts';

/** What became of one file. */
export type FileOutcome =
  | {
      readonly kind: 'done';
      /** Bytes of the stored result. */
      readonly size: number;
      /** Absent in the answers of lanes that are older than these facts. */
      readonly picture?: PictureFacts;
      /** Only where AI results were asked for, whether they came or not. */
      readonly description?: Description;
    }
  | {
      readonly kind: 'failed';
      readonly error: FileErrorCode;
      readonly message: string;
      /** CPU-seconds that went into it; absent where hardly any did. */
      readonly cpuSeconds?: number;
      /** Only of `service_busy`. */
      readonly retryAfterSeconds?: number;
    };

/** Where a result is: its key in the store, and the Unix time in seconds until which it is there. */
export interface ResultPlace {
  readonly key: string;
  readonly expires: number;
}

/** One file of a batch, and how far it is. */
export interface FileRecord {
  readonly index: number;
  /** As sent. */
  readonly name: string;
  /** Bytes as sent. */
  readonly size: number;
  readonly state: 'queued' | 'running' | 'done' | 'failed';
  /** Once it is done or failed. */
  readonly outcome?: FileOutcome;
  /** Where its result is or will be. */
  readonly result: ResultPlace;
}

/** Whether AI results were asked for and none came back: such an image costs no credit. */
export function aiFailed(outcome: FileOutcome | undefined): boolean {
  return outcome?.kind === 'done' && outcome.description?.failure !== undefined;
}

/** Whether an AI result came back: such an image costs one credit, with one result or both. */
export function aiSucceeded(outcome: FileOutcome): boolean {
  return outcome.kind === 'done' && outcome.description !== undefined && outcome.description.failure === undefined;
}

/** Whether a file failed for a reason of ours: it is worth doing again. */
export function failedByUs(outcome: FileOutcome | undefined): boolean {
  return outcome?.kind === 'failed' && isOwnFailure(outcome.error);
}

/** CPU-seconds that went into a file that failed for a reason of its own. */
export function wastedCpuSeconds(outcome: FileOutcome): number {
  return outcome.kind === 'failed' && !failedByUs(outcome) ? (outcome.cpuSeconds ?? 0) : 0;
}
