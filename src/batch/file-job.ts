import type { PlanId } from '../credits/plans.ts';
import type { DescriptionRequest } from '../describe/description.ts';
import type { FormatId } from '../image/formats/format-id.ts';
import type { WatermarkPosition } from '../image/options.ts';
import type { StagedPlace } from './staged-place.ts';

/** What is asked of every file of a batch. */
export interface ImageRequest {
  readonly format: FormatId;
  /** 40–100 */
  readonly quality: number;
  /** Pixels. */
  readonly maxWidth?: number;
  readonly maxHeight?: number;
  readonly watermark?: {
    /** The staged PNG. */
    readonly file: StagedPlace;
    /** Width in percent of the output's width. */
    readonly scale: number;
    /** 0–100 */
    readonly opacity: number;
    readonly position: WatermarkPosition;
  };
}

/**
 * The form of `FileJob`. To be raised by every change that a lane of the version before would misread: while a deployment runs, old and new
 * objects talk to each other.
 */
export const JOB_VERSION = 1;
/** The oldest form that lanes still read; 0 is that of jobs without a version. */
const OLDEST_READABLE = 0;

/** Whether a lane of this code can read a job of that form. */
export function isReadable({ version = 0 }: { readonly version?: number }): boolean {
  return version >= OLDEST_READABLE && version <= JOB_VERSION;
}

/** One file for a lane. Plain data: it crosses to another isolate. Repeating it gives the same result at the same place. */
export interface FileJob {
  /** `JOB_VERSION` of the code that made it; absent in jobs from before there were versions. */
  readonly version?: number;
  readonly requestId: string;
  /** The platform's name of the request that brought it (`CF-Ray`), where it has one. For the log. */
  readonly ray?: string;
  /** Whose it is, and on which plan: engines are shared out among accounts. */
  readonly accountId: string;
  readonly plan: PlanId;
  readonly index: number;
  readonly file: StagedPlace;
  readonly image: ImageRequest;
  /** Only where AI results are asked for. */
  readonly describe?: DescriptionRequest;
  readonly result: {
    readonly key: string;
    /** Unix time in seconds. */
    readonly expires: number;
  };
}
