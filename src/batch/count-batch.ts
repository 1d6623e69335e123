import { count, observe } from '../metrics/definitions.ts';
import type { Counters } from '../platform/counters.ts';
import type { BatchRecord } from './batch-journal.ts';
import type { LaneEvent } from './dispatch.ts';
import type { JobReport } from './job-notes.ts';
import { aiFailed, type FileOutcome, failedByUs } from './outcome.ts';

/** What became of a batch: `lost` and `partly_lost`: all or some of its files failed for a reason of ours. */
export type BatchOutcome = 'done' | 'partly_lost' | 'lost' | 'void';

export function batchOutcome({ state, files }: Pick<BatchRecord, 'state' | 'files'>): BatchOutcome {
  if (state === 'void') return 'void';
  const lost = files.filter(({ outcome }) => failedByUs(outcome)).length;
  if (lost === 0) return 'done';
  return lost === files.length ? 'lost' : 'partly_lost';
}

/** Counts a batch that has ended. @param now ms since the epoch */
export function countBatch(counters: Counters, record: BatchRecord, now: number): void {
  count(counters, 'plume_batches_total', { outcome: batchOutcome(record) });
  observe(counters, 'plume_batch_seconds', {}, (now - record.createdAt) / 1000);
  const output = record.batch.image.format;
  const own = record.files.filter(({ index }) => !record.inherited.includes(index));
  for (const { outcome } of own) countFile(counters, output, outcome);
}

/** Counts a call to a lane. */
export function countLaneEvent(counters: Counters, event: LaneEvent): void {
  if (event.kind === 'failed') count(counters, 'plume_lane_failures_total', { failure: event.failure });
  if (event.kind === 'turned_away') count(counters, 'plume_lane_refusals_total', { reason: event.reason });
  if (event.kind === 'answered' && event.report !== undefined) countJob(counters, event.report);
}

function countFile(counters: Counters, output: string, outcome: FileOutcome | undefined): void {
  if (outcome === undefined) return;
  count(counters, 'plume_files_total', { output, outcome: outcome.kind === 'done' ? 'done' : outcome.error });
  if (outcome.kind !== 'done') return;
  count(counters, 'plume_ai_calls_total', {}, outcome.description?.calls ?? 0);
  if (aiFailed(outcome)) count(counters, 'plume_ai_failures_total');
}

function countJob(counters: Counters, report: JobReport): void {
  const { input = 'unknown', output, outcome, engine = 'none', megapixels = 0, bytesIn, bytesOut = 0 } = report;
  count(counters, 'plume_jobs_total', { input, output, outcome });
  observe(counters, 'plume_job_queue_seconds', { engine }, report.queueMs / 1000);
  observe(counters, 'plume_job_engine_seconds', { output }, report.engineMs / 1000);
  count(counters, 'plume_job_megapixels_total', {}, megapixels);
  count(counters, 'plume_job_bytes_in_total', {}, bytesIn);
  count(counters, 'plume_job_bytes_out_total', {}, bytesOut);
}
