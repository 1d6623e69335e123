import { type CompressFileServices, compressFile } from './compress-file.ts';
import { beginDescription, type DescribeFileServices, type PendingDescription } from './describe-file.ts';
import type { FileJob } from './file-job.ts';
import type { FileOutcome } from './outcome.ts';

export type ProcessFileServices = CompressFileServices & DescribeFileServices;

/** A file whose picture is done; only its description may still be on its way. */
export interface ProcessedFile {
  readonly outcome: Promise<FileOutcome>;
}

/**
 * All that a lane does with a file: its preview, then the picture itself while the provider works on the description. When this
 * returns, the arena is free for the next file.
 * @throws when the platform fails or the engine has a defect: the job may be repeated elsewhere
 */
export async function processFile(job: FileJob, services: ProcessFileServices): Promise<ProcessedFile> {
  const pending = job.describe && (await beginDescription(job.file, job.describe, services));
  try {
    const outcome = await compressFile(job, services);
    return { outcome: withDescription(outcome, pending) };
  } catch (error) {
    pending?.abandon();
    throw error;
  }
}

async function withDescription(outcome: FileOutcome, pending: PendingDescription | undefined): Promise<FileOutcome> {
  if (pending === undefined) return outcome;
  if (outcome.kind === 'done') return { ...outcome, description: await pending.description };
  pending.abandon();
  return outcome;
}
