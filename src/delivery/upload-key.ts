import { limits } from '../limits.ts';
import { expiryHour } from './result-key.ts';

/** Where uploads are in the bucket. */
export const UPLOADS_PREFIX = 'uploads/';

/** The key of an upload that begins to arrive now (ms since the epoch). Keys sort by the hour, so that the sweep reads from the front. */
export function uploadKey(id: string, now: number): string {
  return `${arrivalHour(now)}.${id}`;
}

/** How the keys of all uploads begin that begin to arrive within the hour of `now` (ms since the epoch). */
export function arrivalHour(now: number): string {
  return UPLOADS_PREFIX + expiryHour(now / 1000);
}

/**
 * Seconds for which a part of an upload is kept from the moment on at which it was stored: until the upload is there, as long as it can be
 * named, and, for a batch that names it in the last moment, as long as that batch's own files would be kept.
 */
export function uploadLifeSeconds(stagingTtlSeconds: number): number {
  return limits.uploadSeconds + limits.uploadKeepSeconds + stagingTtlSeconds;
}
