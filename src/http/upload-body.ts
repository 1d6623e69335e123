import type { StagedFile, Staging } from '../batch/staging.ts';
import { RequestError } from '../errors.ts';
import { limits } from '../limits.ts';
import { type Clock, platformClock } from '../platform/clock.ts';
import { announcedLength, type BodyRules, checkHeaders } from './body-rules.ts';
import { passOver } from './bounded-part.ts';
import { fileIsEmpty, fileSentAsText, fileTooLarge } from './file-refusal.ts';
import { headerParameters } from './header-parameters.ts';
import { type FormPart, readMultipart } from './multipart.ts';
import { fileNameOf } from './part-header.ts';
import { readRawBody } from './raw-body.ts';
import { sentFileName } from './sent-file-name.ts';
import { uploadPace } from './upload-pace.ts';

/** A file that was sent by itself. */
export interface UploadedFile {
  /** As sent, cut where it is very long. */
  readonly name: string;
  readonly staged: StagedFile;
}

/** Of a file that comes without a name. */
const UNNAMED = 'image';

type UploadRequest = Pick<Request, 'url' | 'headers' | 'body'>;

/**
 * Reads the body of POST /api/uploads while it arrives: a form with one part `file`, or the file itself. A form names the file in that part; else
 * its name is the query's `name`, or that of Content-Disposition. Nothing stays stored when it fails.
 * @throws RequestError file_too_large (details.name), invalid_request, payload_too_large, unsupported_media_type, request_timeout,
 *   service_busy; PlatformError
 */
export async function readUploadBody(
  request: UploadRequest,
  p: {
    readonly staging: Staging;
    readonly key: string;
    readonly clock?: Clock;
    readonly maxBytes?: number | undefined;
  },
): Promise<UploadedFile> {
  const pace = uploadPace(() => p.staging.crowded);
  const rules = { pace, clock: p.clock ?? platformClock, maxBytes: p.maxBytes };
  checkHeaders(request.headers, rules.maxBytes);
  const share = await p.staging.enter();
  let stored: StagedFile | undefined;
  const store = async (name: string, body: AsyncIterable<Uint8Array>): Promise<UploadedFile> => {
    const tooLarge = () => fileTooLarge(name);
    const staged = await p.staging.store(p.key, body, { share, maxBytes: limits.fileBytes, tooLarge });
    stored = staged;
    if (staged.size === 0) throw fileIsEmpty(name);
    return { name, staged };
  };
  try {
    return isForm(request) ? await storePart(request, rules, store) : await storeBody(request, rules, store);
  } catch (error) {
    // What cannot be removed now is swept.
    if (stored !== undefined) await p.staging.remove([stored]).catch(() => {});
    throw error;
  } finally {
    share.leave();
  }
}

/** Bytes that the file may have, as far as the request tells. */
export function mostBytes({ headers }: UploadRequest): number {
  return Math.min(limits.fileBytes, announcedLength(headers) ?? limits.fileBytes);
}

type Store = (name: string, body: AsyncIterable<Uint8Array>) => Promise<UploadedFile>;

function isForm({ headers }: UploadRequest): boolean {
  return headerParameters(headers.get('content-type') ?? '').value === 'multipart/form-data';
}

async function storePart(request: UploadRequest, rules: BodyRules, store: Store): Promise<UploadedFile> {
  let file: UploadedFile | undefined;
  for await (const part of readMultipart(request, { ...rules, parts: limits.parts })) {
    if (part.name !== 'file') await passOver(part);
    else if (file !== undefined)
      throw invalid('The form has more than one part named file. Send one file in a request.');
    else file = await store(nameOfPart(part), part.body);
  }
  if (file === undefined) throw invalid('The form has no part named file. Send one image in it.');
  return file;
}

function nameOfPart({ name, fileName }: FormPart): string {
  if (fileName === undefined) throw fileSentAsText(name);
  return sentFileName(fileName);
}

async function storeBody(request: UploadRequest, rules: BodyRules, store: Store): Promise<UploadedFile> {
  const name = sentFileName(nameBeside(request) || UNNAMED);
  // Refused before it is read: who sent a video by mistake need not send all of it.
  if ((announcedLength(request.headers) ?? 0) > limits.fileBytes) throw fileTooLarge(name);
  return await store(name, readRawBody(request, rules));
}

function nameBeside({ url, headers }: UploadRequest): string | undefined {
  const asked = new URL(url).searchParams.get('name');
  return asked || fileNameOf(headerParameters(headers.get('content-disposition') ?? '').parameters);
}

function invalid(message: string): RequestError {
  return new RequestError('invalid_request', message);
}
