import { type Band, bandRows } from '../../frame.ts';
import type { ImageHeader } from '../../header.ts';
import { aligned } from '../../kernels/aligned.ts';
import type { SourceFile } from '../../source-file.ts';
import type { Workspace } from '../../workspace.ts';
import type { DecodePlan } from '../format.ts';
import { pngDecodeSeconds, pngSecondsAhead } from './decode-cpu.ts';
import { expanderTo8, type RowExpander } from './expand-row.ts';
import type { PngDetail, PngHeader } from './header.ts';
import { type FilePlacing, placeFile, readRows, readRowsBytes } from './read-rows.ts';
import { hasRowsKernel, rowsKernel } from './rows-kernel.ts';

/**
 * Plans the decoding of a PNG: always in bands, in memory that grows with the width alone, interlaced pictures too.
 * @param place where the file is, if not where it would best be
 */
export function planPngDecode(
  header: ImageHeader,
  fileBytes: number,
  place: FilePlacing = placeFile(header as PngHeader, fileBytes),
): DecodePlan {
  const { width, height, alpha } = header;
  const band = Math.min(bandRows(width), height) * width * 4;
  return {
    ...place,
    frame: { width, height, alpha, model: 'rgb' },
    cost: { arena: aligned(band) + readRowsBytes(header as PngHeader, fileBytes, place.window), buffers: 0 },
    cpu: pngDecodeSeconds(header as PngHeader, fileBytes),
    cpuAhead: pngSecondsAhead(header as PngHeader, fileBytes),
    delivers: 'bands',
    scale: 1,
  };
}

/**
 * Decodes a PNG to bands of 8-bit RGBA with straight alpha, which lie in the arena. Gamma and profile are not applied here.
 * @throws FileError broken_image
 */
export async function* decodePng(
  file: SourceFile,
  header: ImageHeader,
  { window }: DecodePlan,
  workspace: Workspace,
): AsyncGenerator<Band> {
  const { width, height } = header;
  const expand = expanderInArena((header as PngHeader).detail, workspace);
  const perBand = Math.min(bandRows(width), height);
  const pixels = workspace.arena(perBand * width * 4);
  let top = 0;
  let rows = 0;
  for (const row of await readRows(file, header as PngHeader, window, workspace)) {
    if (row instanceof Promise) {
      await row;
      continue;
    }
    expand(row, pixels.subarray(rows * width * 4, (rows + 1) * width * 4), width);
    rows++;
    if (rows === perBand || top + rows === height) {
      yield { top, rows, pixels: pixels.subarray(0, rows * width * 4) };
      top += rows;
      rows = 0;
    }
  }
}

/** The expander to 8 bits for rows that lie in the arena: RGB and RGBA have kernels (`hasRowsKernel`). */
function expanderInArena(detail: PngDetail, workspace: Workspace): RowExpander {
  const { colourType, bitDepth } = detail.layout;
  if (!hasRowsKernel(detail) || (colourType === 6 && bitDepth === 8)) return expanderTo8(detail);
  const kernel = rowsKernel(workspace);
  if (colourType === 6) return (row, rgba, width) => kernel.upperBytes(row.byteOffset, rgba.byteOffset, width * 4);
  if (bitDepth === 16) return (row, rgba, width) => kernel.expandDeepRgb(row.byteOffset, rgba.byteOffset, width);
  return (row, rgba, width) => kernel.expandRgb(row.byteOffset, rgba.byteOffset, width);
}
