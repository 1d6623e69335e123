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

/** One file for a lane. Plain data: it crosses to another isolate. Repeating it gives the same result at the same place. */
export interface FileJob {
  readonly requestId: string;
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
