import type { BatchRecord } from '../batch/batch-journal.ts';
import type { ImageRequest } from '../batch/file-job.ts';
import { aiFailed } from '../batch/outcome.ts';
import type { ReportedFile } from '../batch/report-files.ts';
import type { BatchBody, CompressBody, FileFailure } from './contract.ts';
import { failedFilesHeader } from './failed-files-header.ts';
import type { Work } from './http-env.ts';
import type { Include } from './include.ts';
import { detailsOf } from './result-details.ts';

/** The answer to a request that waited for its batch. */
export function compressAnswer(
  { batch: { image } }: Pick<BatchRecord, 'batch'>,
  files: readonly ReportedFile[],
  include: Include,
): Response {
  const failures = files.flatMap(failureOf);
  const data = files.flatMap((file) => itemOf(file, image, include));
  const body: CompressBody = { data, ...(include.errors && { errors: failures }) };
  const failed = failedFilesHeader(failures);
  const withoutAi = files.filter(({ outcome }) => aiFailed(outcome)).length;
  return new Response(JSON.stringify(body), {
    headers: {
      'Content-Type': 'application/json',
      ...(failed !== undefined && { 'X-Failed-Files': failed }),
      ...(withoutAi > 0 && { 'X-AI-Failed': String(withoutAi) }),
    },
  });
}

/** A batch as it is now. */
export function batchBody(record: BatchRecord, files: readonly ReportedFile[], include: Include): BatchBody {
  const { batch, state, createdAt } = record;
  const given = deliveredFiles(record, files);
  const failures = given.flatMap(failureOf);
  return {
    id: batch.requestId,
    state: state === 'running' || state === 'settling' ? 'running' : 'done',
    files: given.map(({ index, name, state }) => ({ index, name, state })),
    data: given.flatMap((file) => itemOf(file, batch.image, include)),
    ...(failures.length > 0 && { errors: failures }),
    createdAt: wireTime(createdAt),
  };
}

/** The files as they may be shown: of a batch that was given up none is delivered. */
export function deliveredFiles({ state }: Pick<BatchRecord, 'state'>, files: readonly ReportedFile[]) {
  return state === 'void' ? files.map(givenUp) : files;
}

/** ISO 8601 in UTC to the second. @param milliseconds since the epoch */
export function wireTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace(/\.\d{3}Z$/, 'Z');
}

/** What a batch did, for the request's line in the log. */
export function workOf({ files }: Pick<BatchRecord, 'files'>): Work {
  const outcomes = files.map(({ outcome }) => outcome);
  return {
    files: files.length,
    failed: outcomes.filter((outcome) => outcome?.kind === 'failed').length,
    bytesIn: files.reduce((sum, { size }) => sum + size, 0),
    bytesOut: outcomes.reduce((sum, outcome) => sum + (outcome?.kind === 'done' ? outcome.size : 0), 0),
    aiCalls: outcomes.reduce(
      (sum, outcome) => sum + (outcome?.kind === 'done' ? (outcome.description?.calls ?? 0) : 0),
      0,
    ),
    aiFailed: outcomes.filter(aiFailed).length,
  };
}

/** The item of a file that was processed; of others none. */
export function itemOf(
  file: ReportedFile,
  image: ImageRequest,
  include: Pick<Include, 'details'>,
): CompressBody['data'] {
  const { name, size, outcome, link } = file;
  if (outcome?.kind !== 'done' || link === undefined) return [];
  const altText = outcome.description?.altText;
  const item = { originalName: name, newName: link.newName, originalSize: size, optimizedSize: outcome.size };
  const details = include.details ? detailsOf(file, image) : {};
  return [{ ...item, downloadUrl: link.downloadUrl, ...(altText !== undefined && { altText }), ...details }];
}

/** The failure of a file that failed; of others none. */
export function failureOf({ index, name, outcome }: ReportedFile): FileFailure[] {
  if (outcome?.kind !== 'failed') return [];
  return [{ index, name, error: outcome.error, message: outcome.message }];
}

/** Nothing of a batch that was given up is delivered. */
function givenUp({ link: _, ...file }: ReportedFile): ReportedFile {
  const message = 'The batch was interrupted and could not be finished. It was not charged; send it again.';
  return { ...file, state: 'failed', outcome: { kind: 'failed', error: 'processing_failed', message } };
}
