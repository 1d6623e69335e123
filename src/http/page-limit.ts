import { RequestError } from '../errors.ts';
import { limits } from '../limits.ts';

/** Entries of a page that `?limit=` asks for; the usual number without it. @throws RequestError invalid_request */
export function pageLimit(text: string | undefined): number {
  if (text === undefined) return limits.pageSize;
  const limit = Number(text);
  if (/^\d{1,3}$/.test(text) && limit >= 1 && limit <= limits.longestPage) return limit;
  const message = `limit must be a whole number from 1 to ${limits.longestPage}; received ${JSON.stringify(text.slice(0, 60))}.`;
  throw new RequestError('invalid_request', message);
}
