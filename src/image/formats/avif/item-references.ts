import { BoxReader } from './box-reader.ts';
import { type Box, children } from './boxes.ts';

/** One entry of `iref` (ISO/IEC 14496-12 §8.11.12): `from` is related to each of `to`, in order. */
export interface ItemReference {
  readonly from: number;
  readonly to: readonly number[];
}

/**
 * Walks the references of one type, those of one item alone when `of` is given.
 * @throws FileError broken_image
 */
export function* itemReferences(
  file: Uint8Array,
  iref: Box | undefined,
  type: string,
  of?: number,
): Generator<ItemReference, void, undefined> {
  if (iref === undefined) return;
  const wide = new BoxReader(file, iref).fullBox().version > 0;
  for (const box of children(file, iref, 4)) {
    if (box.type !== type) continue;
    const reader = new BoxReader(file, box);
    const id = () => (wide ? reader.u32() : reader.u16());
    const from = id();
    if (of === undefined || from === of) yield { from, to: Array.from({ length: reader.u16() }, id) };
  }
}
