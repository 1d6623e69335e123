/** What is stored: a strong entity tag, quoted, and when it was last changed. */
export interface Validators {
  readonly etag: string;
  readonly modified: Date;
}

/**
 * Evaluates a request's preconditions in the order of RFC 9110, 13.2.2 (all but If-Range, see `rangeStillMeant`).
 * @returns how to answer a GET or HEAD
 */
export function preconditions(headers: Headers, stored: Validators): 'serve' | 'not_modified' | 'failed' {
  const ifMatch = headers.get('if-match');
  const ifNoneMatch = headers.get('if-none-match');
  if (ifMatch !== null) {
    if (!listsTag(ifMatch, stored.etag, strongTag)) return 'failed';
  } else if (changedSince(headers.get('if-unmodified-since'), stored.modified) === true) return 'failed';
  if (ifNoneMatch !== null) return listsTag(ifNoneMatch, stored.etag, opaqueTag) ? 'not_modified' : 'serve';
  return changedSince(headers.get('if-modified-since'), stored.modified) === false ? 'not_modified' : 'serve';
}

/** Whether a Range header counts: If-Range must name exactly what is stored (RFC 9110, 13.1.5). */
export function rangeStillMeant(ifRange: string | null, stored: Validators): boolean {
  if (ifRange === null) return true;
  if (ifRange.startsWith('"')) return ifRange.trim() === stored.etag;
  return Date.parse(ifRange) === wholeSeconds(stored.modified);
}

/** Undefined where there is no date to compare with: such a field is ignored. */
function changedSince(date: string | null, modified: Date): boolean | undefined {
  const since = date === null ? Number.NaN : Date.parse(date);
  return Number.isNaN(since) ? undefined : wholeSeconds(modified) > since;
}

/** HTTP dates have no fractions. */
function wholeSeconds(date: Date): number {
  return Math.floor(date.getTime() / 1000) * 1000;
}

function listsTag(list: string, etag: string, normal: (tag: string) => string | undefined): boolean {
  if (list.trim() === '*') return true;
  const tags = list.match(/(?:W\/)?"[^"]*"/g) ?? [];
  return tags.some((tag) => normal(tag) === etag);
}

/** Strong comparison: a weak tag equals nothing. */
function strongTag(tag: string): string | undefined {
  return tag.startsWith('W/') ? undefined : tag;
}

/** Weak comparison: only what is between the quotes counts. */
function opaqueTag(tag: string): string {
  return tag.replace(/^W\//, '');
}
