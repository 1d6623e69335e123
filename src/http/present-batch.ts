import type { BatchRecord } from '../batch/batch-journal.ts';
import { aiFailed, failedByUs } from '../batch/outcome.ts';
import type { ReportedFile } from '../batch/report-files.ts';
import type { BatchBody, CompressBody, FileFailure } from './contract.ts';
import { failedFilesHeader } from './failed-files-header.ts';
import type { Work } from './http-env.ts';

/** The answer to a request that waited for its batch. @param withErrors whether the body names the failed files too */
export function compressAnswer(files: readonly ReportedFile[], withErrors: boolean): Response {
  const failures = files.flatMap(failureOf);
  const body: CompressBody = { data: files.flatMap(itemOf), ...(withErrors && { errors: failures }) };
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
export function batchBody({ batch, state, createdAt }: BatchRecord, files: readonly ReportedFile[]): BatchBody {
  const given = state === 'void' ? files.map(givenUp) : files;
  const failures = given.flatMap(failureOf);
  return {
    id: batch.requestId,
    state: state === 'running' || state === 'settling' ? 'running' : 'done',
    files: given.map(({ index, name, state }) => ({ index, name, state })),
    data: given.flatMap(itemOf),
    ...(failures.length > 0 && { errors: failures }),
    createdAt: wireTime(createdAt),
  };
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
    lost: outcomes.filter(failedByUs).length,
    bytesIn: files.reduce((sum, { size }) => sum + size, 0),
    bytesOut: outcomes.reduce((sum, outcome) => sum + (outcome?.kind === 'done' ? outcome.size : 0), 0),
    aiCalls: outcomes.reduce(
      (sum, outcome) => sum + (outcome?.kind === 'done' ? (outcome.description?.calls ?? 0) : 0),
      0,
    ),
    aiFailed: outcomes.filter(aiFailed).length,
  };
}

function itemOf({ name, size, outcome, link }: ReportedFile): CompressBody['data'] {
  if (outcome?.kind !== 'done' || link === undefined) return [];
  const altText = outcome.description?.altText;
  const item = { originalName: name, newName: link.newName, originalSize: size, optimizedSize: outcome.size };
  return [{ ...item, downloadUrl: link.downloadUrl, ...(altText !== undefined && { altText }) }];
}

function failureOf({ index, name, outcome }: ReportedFile): FileFailure[] {
  if (outcome?.kind !== 'failed') return [];
  return [{ index, name, error: outcome.error, message: outcome.message }];
}

/** Nothing of a batch that was given up is delivered. */
function givenUp({ link: _, ...file }: ReportedFile): ReportedFile {
  const message = 'The batch was interrupted and could not be finished. It was not charged; send it again.';
  return { ...file, state: 'failed', outcome: { kind: 'failed', error: 'processing_failed', message } };
}
