import type { JobReport } from './job-notes.ts';

/** Where a job ran, and for whom. */
interface JobOrigin {
  readonly accountId: string;
  readonly lane: string | undefined;
  readonly colo: string | undefined;
  readonly versionId: string | undefined;
}

/**
 * A job as a data point of Analytics Engine; docs/operations.md has the columns. Order and meaning stay as they are: the points of three months
 * are read together.
 */
export function jobPoint(origin: JobOrigin, report: JobReport): AnalyticsEngineDataPoint {
  const { outcome, engine, input, output, megapixels, bytesIn, bytesOut, peakBytes } = report;
  const { queueMs, engineMs, durationMs } = report;
  const { accountId, lane, colo, versionId } = origin;
  return {
    indexes: [accountId],
    blobs: ['job', outcome, input ?? '', output, engine ?? '', lane ?? '', colo ?? '', versionId ?? ''],
    doubles: [durationMs, bytesIn, bytesOut ?? 0, queueMs, engineMs, megapixels ?? 0, peakBytes ?? 0],
  };
}
