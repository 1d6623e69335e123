import type { FileErrorCode } from '../errors.ts';

/** What became of one file. */
export type FileOutcome =
  | {
      readonly kind: 'done';
      /** Bytes of the stored result. */
      readonly size: number;
    }
  | { readonly kind: 'failed'; readonly error: FileErrorCode; readonly message: string };

/** The file's place and name in the request, with what became of it. */
export interface ReportedOutcome {
  readonly index: number;
  readonly originalName: string;
  readonly originalSize: number;
  readonly newName: string;
  readonly outcome: FileOutcome;
  /** Only of processed files. */
  readonly downloadUrl?: string;
}
