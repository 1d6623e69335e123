import type { PlanId } from '../credits/plans.ts';
import type { DescriptionOptions } from '../describe/description.ts';
import type { ImageRequest } from './file-job.ts';
import type { StagedFile } from './staging.ts';

/** One file of a batch, as it was sent. */
export interface BatchFile {
  readonly index: number;
  readonly name: string;
  readonly staged: StagedFile;
}

/** A batch, read and checked: every file is staged. Plain data: it crosses to the object that owns it. */
export interface Batch {
  readonly requestId: string;
  readonly accountId: string;
  readonly plan: PlanId;
  /** The key that sent it; absent in batches of a version that did not note it. */
  readonly keyId?: string;
  readonly sessionId: string;
  /** The data centre that received it: its lanes do the work. */
  readonly colo: string;
  readonly files: readonly BatchFile[];
  readonly watermark?: { readonly name: string; readonly staged: StagedFile };
  readonly image: ImageRequest;
  /** The AI results that are asked for: one credit an image, for one of them or both. */
  readonly describe?: DescriptionOptions;
  readonly idempotencyKey?: string;
  /** Whatever else makes this request another one: fields as sent, query. For the fingerprint only. */
  readonly asked: unknown;
}
