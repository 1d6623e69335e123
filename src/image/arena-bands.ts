import { type Band, bandRows, type Frame } from './frame.ts';
import { aligned } from './kernels/aligned.ts';
import type { Workspace } from './workspace.ts';

/** Bytes of the region that `arenaBands` takes where bands come from the heap. */
export function arenaBandBytes({ width, height }: Frame): number {
  return aligned(Math.min(bandRows(width), height) * width * 4);
}

/** The same bands where kernels can work on them: those on the heap are copied, in parts of the customary size. */
export async function* arenaBands(bands: AsyncIterable<Band>, frame: Frame, workspace: Workspace): AsyncIterable<Band> {
  const rowBytes = frame.width * 4;
  const most = Math.min(bandRows(frame.width), frame.height);
  let region: Uint8Array | undefined;
  for await (const band of bands) {
    if (workspace.inArena(band.pixels)) {
      yield band;
      continue;
    }
    region ??= workspace.arena(most * rowBytes);
    for (let row = 0; row < band.rows; row += most) {
      const rows = Math.min(most, band.rows - row);
      region.set(band.pixels.subarray(row * rowBytes, (row + rows) * rowBytes));
      yield { top: band.top + row, rows, pixels: region.subarray(0, rows * rowBytes) };
    }
  }
}
