import { BoxReader } from './box-reader.ts';
import { type Box, children } from './boxes.ts';

/** What `iinf` says of one item (ISO/IEC 14496-12 §8.11.6). */
export interface ItemEntry {
  /** `av01`, `grid`, `Exif`, `mime`, … */
  readonly type: string;
  readonly hidden: boolean;
}

/** The entries of the wanted items; of a repeated id the first counts. @throws FileError broken_image */
export function readItemEntries(file: Uint8Array, iinf: Box, wanted: ReadonlySet<number>): Map<number, ItemEntry> {
  const entries = new Map<number, ItemEntry>();
  const countBytes = new BoxReader(file, iinf).fullBox().version === 0 ? 2 : 4;
  for (const box of children(file, iinf, 4 + countBytes)) {
    if (box.type !== 'infe') continue;
    const reader = new BoxReader(file, box);
    const { version, flags } = reader.fullBox();
    // Versions 0 and 1 have no item type: such items cannot be pictures.
    if (version < 2) continue;
    const id = version === 2 ? reader.u16() : reader.u32();
    reader.skip(2);
    if (wanted.has(id) && !entries.has(id)) entries.set(id, { type: reader.fourCc(), hidden: (flags & 1) === 1 });
  }
  return entries;
}
