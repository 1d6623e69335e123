import type { ByteRange } from '../delivery/result-store.ts';

/**
 * Reads a Range header for a representation of `size` bytes (RFC 9110, 14.1.2): `bytes=0-99`, `bytes=100-`, `bytes=-100`.
 * @returns undefined where the header is to be ignored: absent, not understood, another unit, more than one range
 */
export function byteRange(header: string | null, size: number): ByteRange | 'unsatisfiable' | undefined {
  const match = /^\s*bytes\s*=\s*(\d*)\s*-\s*(\d*)\s*$/i.exec(header ?? '');
  if (match === null) return undefined;
  const [, first = '', last = ''] = match;
  if (first === '') return last === '' ? undefined : suffix(Number(last), size);
  const from = Number(first);
  const to = last === '' ? Number.POSITIVE_INFINITY : Number(last);
  if (to < from) return undefined;
  if (from >= size) return 'unsatisfiable';
  return { offset: from, length: Math.min(to, size - 1) - from + 1 };
}

function suffix(count: number, size: number): ByteRange | 'unsatisfiable' {
  const length = Math.min(count, size);
  return length === 0 ? 'unsatisfiable' : { offset: size - length, length };
}
