import type { FileWindow } from '../../../file-window.ts';

/**
 * Loads what follows in a window behind the bytes that were not used yet.
 * @param unused where those begin, in the arena
 * @throws TypeError when nothing was used of a full window: it was planned smaller than what must be there at once
 */
export async function loadMore(window: FileWindow, unused: number): Promise<void> {
  const used = unused - window.bytes.byteOffset;
  if (used === 0) throw new TypeError('a window of a WebP is too small');
  await window.slide(used);
}
