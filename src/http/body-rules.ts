import { RequestError } from '../errors.ts';
import type { Clock } from '../platform/clock.ts';
import type { PaceRules } from './upload-pace.ts';

/** What a body is held to while it is read. */
export interface BodyRules {
  readonly pace: PaceRules;
  readonly clock: Clock;
  /** Bytes that it may have; absent: no limit. */
  readonly maxBytes?: number | undefined;
}

/** Characters of a Content-Encoding that the refusal repeats. */
const ENCODING_CHARACTERS = 40;

/**
 * Refuses a body for what its headers announce, before any of it is read.
 * @throws RequestError payload_too_large, unsupported_media_type
 */
export function checkHeaders(headers: Headers, maxBytes: number | undefined): void {
  const length = announcedLength(headers);
  if (length !== undefined && maxBytes !== undefined && length > maxBytes) throw tooLarge(maxBytes);
  const encoding = headers.get('content-encoding');
  if (encoding === null || /^\s*(identity)?\s*$/i.test(encoding)) return;
  const given = encoding.slice(0, ENCODING_CHARACTERS);
  const message = `The body has the Content-Encoding ${given}. Send it as it is, without that header: images hardly shrink by it.`;
  throw new RequestError('unsupported_media_type', message);
}

/** Bytes of the body, where its headers say so. */
export function announcedLength(headers: Headers): number | undefined {
  const length = headers.get('content-length');
  return length !== null && /^\d{1,15}$/.test(length) ? Number(length) : undefined;
}

export function tooLarge(maxBytes: number): RequestError {
  const message =
    `The request has more than ${Math.floor(maxBytes / 1e6)} MB, which is the most that one may have here. Split its files over several ` +
    'requests, or send each file by itself to POST /api/uploads and name them with uploadId fields in one POST /api/compress.';
  return new RequestError('payload_too_large', message);
}
