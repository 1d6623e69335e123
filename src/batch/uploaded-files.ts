import type { AccountLedger } from '../credits/ledger.ts';
import { callPlatform, type PlatformShell } from '../platform/call-platform.ts';
import type { BatchFile } from './batch.ts';
import { uploadNotFound } from './refusal.ts';
import type { StagedFile } from './staging.ts';

/** A file of a request: one that came with it, or the id of one that was sent before. */
export type SentFile = BatchFile | { readonly index: number; readonly uploadId: string };

/** What we give as an id. */
const UPLOAD_ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/** An upload's place for the ledger, which keeps it as text. */
export function placeText(staged: StagedFile): string {
  return JSON.stringify(staged);
}

/**
 * Puts the files that were sent before in the places of their ids.
 * @param p.repeats the request has an Idempotency-Key, so that it may be the repetition of one from before an upload expired: whether it may have
 *   the upload is decided when the batch is reserved
 * @throws RequestError upload_not_found; PlatformError
 */
export async function uploadedFiles(
  files: readonly SentFile[],
  p: {
    ledger(): Pick<AccountLedger, 'findUploads'>;
    readonly repeats: boolean;
    readonly shell?: PlatformShell;
  },
): Promise<BatchFile[]> {
  const named = files.flatMap((file) => ('staged' in file ? [] : [file.uploadId]));
  const ids = [...new Set(named)].filter((id) => UPLOAD_ID.test(id));
  const call = async () => await p.ledger().findUploads(ids);
  const found = ids.length === 0 ? [] : await callPlatform('ledger uploads', call, undefined, p.shell);
  const usable = new Map(found.filter(({ expired }) => p.repeats || !expired).map((upload) => [upload.id, upload]));
  const missing = [...new Set(named)].filter((id) => !usable.has(id));
  if (missing.length > 0) throw uploadNotFound(missing);
  return files.map((file) => {
    if ('staged' in file) return file;
    const { id, name, place } = usable.get(file.uploadId)!;
    return { index: file.index, name, staged: JSON.parse(place) as StagedFile, uploadId: id };
  });
}
