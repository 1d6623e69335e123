import { brokenAvif } from './boxes.ts';
import { itemHead } from './item-bytes.ts';
import type { PictureItem } from './picture-items.ts';

/** How tiles of one size cover a picture; the last column and row may stick out. Sides are in pixels. */
export interface Grid {
  readonly rows: number;
  readonly columns: number;
  readonly width: number;
  readonly height: number;
}

/** Reads a grid's description (ISO/IEC 23008-12 §6.6.2.3.2) and checks it against its tiles. @throws FileError broken_image */
export function readGrid(file: Uint8Array, item: PictureItem): Grid {
  const bytes = itemHead(file, item.extents, 12);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 8) throw brokenAvif('its grid cannot be read');
  const wide = (bytes[1]! & 1) === 1;
  if (bytes[0] !== 0 || (wide && bytes.length < 12)) throw brokenAvif('its grid cannot be read');
  const rows = bytes[2]! + 1;
  const columns = bytes[3]! + 1;
  if (item.tiles.length !== rows * columns) {
    throw brokenAvif(`its grid of ${columns} × ${rows} has ${item.tiles.length} tiles`);
  }
  return wide
    ? { rows, columns, width: view.getUint32(4), height: view.getUint32(8) }
    : { rows, columns, width: view.getUint16(4), height: view.getUint16(6) };
}
