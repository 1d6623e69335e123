import type { Description } from '../describe/description.ts';
import type { FileErrorCode } from '../errors.ts';

/** What became of one file. */
export type FileOutcome =
  | {
      readonly kind: 'done';
      /** Bytes of the stored result. */
      readonly size: number;
      /** Only where AI results were asked for, whether they came or not. */
      readonly description?: Description;
    }
  | {
      readonly kind: 'failed';
      readonly error: FileErrorCode;
      readonly message: string;
      /** CPU seconds that were spent on it in vain, estimated; absent where it was refused before any pixel was computed. */
      readonly cpuSeconds?: number;
    };

/** The file's place and name in the request, with what became of it. */
export interface ReportedOutcome {
  readonly index: number;
  readonly originalName: string;
  readonly originalSize: number;
  readonly outcome: FileOutcome;
  /** Only of processed files. */
  readonly result?: { readonly newName: string; readonly downloadUrl: string };
}

/** Whether AI results were asked for and none came back: such an image costs no credit. */
export function aiFailed(outcome: FileOutcome): boolean {
  return outcome.kind === 'done' && outcome.description?.failure !== undefined;
}

/** Whether an AI result came back: such an image costs one credit, with one result or both. */
export function aiSucceeded(outcome: FileOutcome): boolean {
  return outcome.kind === 'done' && outcome.description !== undefined && outcome.description.failure === undefined;
}
