import { callPlatform } from '../platform/call-platform.ts';
import { expiryHour, RESULT_PREFIX } from './result-key.ts';
import { arrivalHour, UPLOADS_PREFIX, uploadLifeSeconds } from './upload-key.ts';

const STAGING_PREFIX = 'staging/';
/** Pages of up to 1,000 objects that one run reads of each prefix: with their deletions well under 1,000 subrequests. */
const PAGES_PER_RUN = 200;

/**
 * Deletes what nobody can ask for any more: results past their expiry, staged files that outlived their request, and uploads that no batch can
 * be using any more.
 * Bounded; what a run leaves, the next finds: results and uploads are read from the oldest on, and deleted ones make room.
 * Multipart uploads that a crash left open are no objects yet; R2 drops them by itself after seven days.
 * @param now Unix time in milliseconds
 * @returns how many objects were deleted
 * @throws PlatformError when R2 fails however often it is asked: what is left, the next run finds
 */
export async function sweep(p: {
  readonly bucket: R2Bucket;
  readonly now: number;
  readonly stagingTtlSeconds: number;
}): Promise<{ results: number; staging: number; uploads: number }> {
  const results = await sweepExpired(p.bucket, RESULT_PREFIX, p.now);
  const oldest = p.now - p.stagingTtlSeconds * 1000;
  const staging = await deleteWhere(p.bucket, {
    prefix: STAGING_PREFIX,
    dead: ({ uploaded }) => uploaded.getTime() < oldest,
    last: () => false,
  });
  const oldestUpload = p.now - uploadLifeSeconds(p.stagingTtlSeconds) * 1000;
  const lastHour = arrivalHour(oldestUpload);
  const uploads = await deleteWhere(p.bucket, {
    prefix: UPLOADS_PREFIX,
    dead: ({ uploaded }) => uploaded.getTime() < oldestUpload,
    last: ({ key }) => key.slice(0, lastHour.length) > lastHour,
  });
  return { results, staging, uploads };
}

/**
 * Deletes what is past its expiry under a prefix behind which keys begin with the hour of it (`expiryHour`). See `sweep`.
 * @param now Unix time in milliseconds
 */
export function sweepExpired(bucket: R2Bucket, prefix: string, now: number): Promise<number> {
  const thisHour = prefix + expiryHour(now / 1000);
  const hourOf = (key: string) => key.slice(0, thisHour.length);
  return deleteWhere(bucket, {
    prefix,
    dead: ({ key, customMetadata }) => {
      const hour = hourOf(key);
      return hour < thisHour || (hour === thisHour && Number(customMetadata?.expires) * 1000 <= now);
    },
    // Keys sort by the hour of expiry: behind the present one nothing has expired.
    last: ({ key }) => hourOf(key) > thisHour,
  });
}

async function deleteWhere(
  bucket: R2Bucket,
  p: { prefix: string; dead: (object: R2Object) => boolean; last: (object: R2Object) => boolean },
): Promise<number> {
  let deleted = 0;
  let cursor: string | undefined;
  for (let page = 0; page < PAGES_PER_RUN; page++) {
    const from = cursor === undefined ? {} : { cursor };
    const list = await callPlatform('R2 list', () =>
      bucket.list({ prefix: p.prefix, include: ['customMetadata'], ...from }),
    );
    const dead = list.objects.filter(p.dead).map(({ key }) => key);
    if (dead.length > 0) await callPlatform('R2 delete', () => bucket.delete(dead));
    deleted += dead.length;
    if (!list.truncated || list.objects.some(p.last)) break;
    cursor = list.cursor;
  }
  return deleted;
}
