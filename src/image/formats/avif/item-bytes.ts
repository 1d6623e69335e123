import type { Extent } from './item-extents.ts';

/** The first `limit` bytes of an item at most, joined: a copy, made for small heads and grid descriptions. */
export function itemHead(file: Uint8Array, extents: readonly Extent[], limit: number): Uint8Array {
  const head = new Uint8Array(limit);
  let length = 0;
  for (const { start, end } of extents) {
    if (length === limit) break;
    const piece = file.subarray(start, Math.min(end, start + limit - length));
    head.set(piece, length);
    length += piece.length;
  }
  return head.subarray(0, length);
}
