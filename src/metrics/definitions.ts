import { PLATFORM_FAILURES } from '../platform/call-platform.ts';
import type { Counters, Labels } from '../platform/counters.ts';

interface Definition {
  readonly help: string;
  /** Of a histogram: upper bounds of its buckets, ascending; above the last there is one more. */
  readonly buckets?: readonly number[];
}

const SECONDS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 30, 60, 120, 300];

/** Every number that is exported. Each is a counter or a histogram: what only one isolate knows at a moment is not told of all. */
export const definitions = {
  plume_requests_total: { help: 'HTTP requests by method, route, status and outcome (ok or the error code).' },
  plume_request_seconds: { help: 'Seconds until a request was answered, by route.', buckets: SECONDS },
  plume_batches_total: {
    help: 'Batches that ended, by outcome: done, partly_lost or lost (files failed for a reason of ours), void (given up, not charged).',
  },
  plume_batch_seconds: { help: 'Seconds from the reservation of a batch to its settlement.', buckets: SECONDS },
  plume_files_total: { help: 'Files of batches that ended, by output format and outcome (done or the error code).' },
  plume_jobs_total: { help: 'Jobs that lanes answered, by input and output format and outcome.' },
  plume_job_queue_seconds: { help: 'Seconds that a job waited for an engine, by engine.', buckets: SECONDS },
  plume_job_engine_seconds: { help: 'Seconds for which a job had an engine, by output format.', buckets: SECONDS },
  plume_job_megapixels_total: { help: 'Megapixels of the sources of jobs.' },
  plume_job_bytes_in_total: { help: 'Bytes of the sources of jobs.' },
  plume_job_bytes_out_total: { help: 'Bytes of results.' },
  plume_lane_failures_total: { help: 'Calls to lanes that failed: passing, overloaded, deadly (reset) or defect.' },
  plume_lane_refusals_total: {
    help: 'Jobs that a lane turned away: busy, or unreadable (another version of the code).',
  },
  plume_ai_calls_total: { help: 'Calls of the AI provider.' },
  plume_ai_failures_total: { help: 'Images for which no AI text came back.' },
  [PLATFORM_FAILURES]: {
    help: 'Calls to R2, D1 and Durable Objects that failed or hung, by call; last="true" where it was given up.',
  },
  plume_sweeps_total: { help: 'Runs of the sweep that came to their end.' },
  plume_swept_objects_total: { help: 'Objects that the sweep deleted, by prefix.' },
  plume_readiness_failures_total: { help: 'Parts that did not answer GET /health/ready.' },
} as const satisfies Readonly<Record<string, Definition>>;

export type MetricName = keyof typeof definitions;
type Histogram = {
  [Name in MetricName]: (typeof definitions)[Name] extends { buckets: unknown } ? Name : never;
}[MetricName];

/** Adds to a counter. */
export function count(
  counters: Counters,
  name: Exclude<MetricName, Histogram>,
  labels: Labels = {},
  amount: number = 1,
): void {
  if (amount > 0) counters.add(name, labels, amount);
}

/** Adds a value to a histogram: to the one bucket that it falls into, and to the sum. */
export function observe(counters: Counters, name: Histogram, labels: Labels, value: number): void {
  const bound = definitions[name].buckets.find((upper) => value <= upper);
  counters.add(`${name}_bucket`, { ...labels, le: bound === undefined ? '+Inf' : String(bound) });
  counters.add(`${name}_sum`, labels, value);
}
