import type { ResultStore } from '../delivery/result-store.ts';
import type { Batch } from './batch.ts';
import { type FileJob, JOB_VERSION } from './file-job.ts';
import type { FileRecord } from './outcome.ts';

/** The records with which a batch begins: every file is queued, and its result has a place. @param expires Unix time in seconds */
export function queuedFiles(
  batch: Batch,
  results: Pick<ResultStore, 'keyFor'>,
  expires: number,
): Promise<FileRecord[]> {
  const { accountId, sessionId, requestId } = batch;
  return Promise.all(
    batch.files.map(async ({ index, name, staged }) => {
      const key = await results.keyFor({ accountId, sessionId, requestId, index, expires });
      return { index, name, size: staged.size, state: 'queued', result: { key, expires } } as const;
    }),
  );
}

/** The jobs of those files of a batch that have no outcome yet. */
export function openJobs(batch: Batch, records: readonly FileRecord[]): FileJob[] {
  const { requestId, ray, accountId, plan, image, describe } = batch;
  const origin = { version: JOB_VERSION, requestId, ...(ray !== undefined && { ray }), accountId, plan };
  return batch.files.flatMap(({ index, name, staged }, place) => {
    const record = records[place];
    if (record === undefined || record.outcome !== undefined) return [];
    const description = describe && { describe: { ...describe, originalName: name } };
    return [{ ...origin, index, file: staged, image, ...description, result: record.result }];
  });
}
