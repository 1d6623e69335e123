import { fileName } from '../batch/file-name.ts';
import type { ResultStore, StoredResult } from '../delivery/result-store.ts';
import { verifyDownload } from '../delivery/signed-url.ts';
import type { ZipEntry } from '../delivery/zip-store.ts';
import { RequestError } from '../errors.ts';
import { limits } from '../limits.ts';
import { resultExtension } from './result-extension.ts';

export interface ZipEntriesServices {
  readonly results: Pick<ResultStore, 'head'>;
  readonly secrets: readonly string[];
  readonly accountId: string;
  /** Unix time in milliseconds. */
  readonly now: number;
}

/** Results that may go into a ZIP, and until when (Unix seconds) all of them are there. */
export interface ZipEntries {
  readonly entries: readonly ZipEntry[];
  readonly expires: number;
}

interface Wanted {
  readonly place: number;
  readonly key: string;
  readonly name: string;
}

/**
 * Checks addresses of results: each genuine, not expired, still there, and the account's own.
 * @throws RequestError invalid_request, which names the address; PlatformError
 */
export async function zipEntries(urls: readonly string[], services: ZipEntriesServices): Promise<ZipEntries> {
  const wanted: Wanted[] = [];
  const seen = new Set<string>();
  for (const [place, url] of urls.entries()) {
    const address = await genuine(place, url, services);
    if (!seen.has(address.key)) wanted.push(address);
    seen.add(address.key);
  }
  const found = await inTurns(wanted, (address) => ownResult(address, services));
  const taken = new Set<string>();
  const entries = found.map((result, at): ZipEntry => {
    const { key, name } = wanted[at]!;
    const { size, etag, uploaded, mediaType } = result;
    return { key, name: fileName(name, resultExtension(mediaType), taken), size, etag, modified: uploaded.getTime() };
  });
  return { entries, expires: Math.min(...found.map(({ expires }) => expires ?? 0)) };
}

async function genuine(place: number, url: string, { secrets, now }: ZipEntriesServices): Promise<Wanted> {
  const parsed = URL.parse(url);
  const [route, key, name] = (parsed?.pathname ?? '').split('/').slice(-3).map(decoded);
  if (parsed === null || route !== 'd' || key === undefined || name === undefined) throw notOurs(place);
  const query = (name: string) => parsed.searchParams.get(name) ?? undefined;
  const signed = { key, expires: query('expires'), kid: query('kid'), signature: query('signature') };
  const verdict = await verifyDownload({ ...signed, secrets, now });
  if (verdict === 'invalid') throw notOurs(place);
  if (verdict === 'expired') throw wrong(place, 'has expired. Ask for its batch again: links are signed anew');
  return { place, key, name };
}

function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}

async function ownResult({ place, key }: Wanted, { results, accountId }: ZipEntriesServices): Promise<StoredResult> {
  const result = await results.head(key);
  if (result === undefined) throw wrong(place, 'is no longer stored. Compress the image again');
  if (result.account !== accountId) throw wrong(place, 'is not a result of this account. Leave it out');
  return result;
}

/** A few at a time: the platform lets six connections wait for an answer at once. */
async function inTurns<Item, Result>(items: readonly Item[], ask: (item: Item) => Promise<Result>): Promise<Result[]> {
  const results = new Array<Result>(items.length);
  let next = 0;
  const work = async () => {
    while (next < items.length) {
      const at = next++;
      results[at] = await ask(items[at]!);
    }
  };
  await Promise.all(Array.from({ length: Math.min(limits.zipLookUpsAtOnce, items.length) }, work));
  return results;
}

function notOurs(place: number): RequestError {
  return wrong(place, 'is not a downloadUrl of this service. Send it exactly as it was received');
}

function wrong(place: number, what: string): RequestError {
  return new RequestError('invalid_request', `urls[${place}] ${what}.`);
}
