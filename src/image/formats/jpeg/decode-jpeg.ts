import { type Band, bandRows } from '../../frame.ts';
import type { ImageHeader } from '../../header.ts';
import { heldBytes, type SourceFile } from '../../source-file.ts';
import type { Workspace } from '../../workspace.ts';
import type { DecodePlan } from '../format.ts';
import { brokenJpeg } from './broken-jpeg.ts';
import { type DecodeKernel, decodeKernel } from './decode-kernel.ts';
import { type DecoderMemory, decoderBytes, prepareDecoder } from './decoder-memory.ts';
import type { JpegDetail } from './header.ts';
import { type DecodeLayout, layoutDecode } from './layout.ts';
import { bandBytes } from './plan-jpeg-decode.ts';
import type { Scans } from './scan.ts';
import { ScanWindows } from './scan-windows.ts';
import { readScans } from './scans.ts';

/** Blocks that all scans together may visit: a few seconds of work, and 57 scans of all of 100 megapixels of 4:4:4. */
const MAX_BLOCK_VISITS = 2 ** 28;

/**
 * Decodes a baseline, extended sequential or progressive JPEG (ITU-T T.81) to RGBA or CMYK bands in the arena, equal bit for
 * bit to libjpeg-turbo with its default settings. A file that was cut off gives what is there, the rest grey, if that is more
 * than half (`leastRows`).
 * @throws FileError broken_image when tables or data are damaged or missing
 */
export async function* decodeJpeg(
  file: SourceFile,
  header: ImageHeader,
  plan: DecodePlan,
  workspace: Workspace,
): AsyncGenerator<Band, void, undefined> {
  const detail = header.detail as JpegDetail;
  const layout = layoutDecode(header.width, header.height, detail, plan.scale);
  const kernel = decodeKernel(workspace);
  const found = detail.scans ?? scansOf(heldBytes(file), detail, kernel, workspace);
  checkWork(found, layout);
  const windows = await ScanWindows.open(file, found, detail, plan.window ?? file.size, kernel, workspace);
  const decoder = prepareDecoder(workspace.arena(decoderBytes(layout, detail)), detail, layout, found);
  for (const scan of found.scans.keys()) decoder.feed(scan, windows.loaded(scan));
  const pixels = workspace.arena(bandBytes(layout));
  const rows = bandRows(layout.width);
  const writeBand = bandWriter(kernel, decoder, windows, layout);
  for (let top = 0; top < layout.height; top += rows) {
    const count = Math.min(rows, layout.height - top);
    await writeBand(top, count, pixels.byteOffset);
    yield { top, rows: count, pixels: pixels.subarray(0, count * layout.width * 4) };
  }
}

/** The scans of a file in memory; the kernel finds their ends where it can see them. */
function scansOf(file: Uint8Array, detail: JpegDetail, kernel: DecodeKernel, workspace: Workspace): Scans {
  if (!workspace.inArena(file)) return readScans(file, detail);
  return readScans(file, detail, ({ byteOffset, length }, from) => {
    return kernel.findDataEnd(byteOffset + from, byteOffset + length) - byteOffset;
  });
}

function checkWork({ scans }: Scans, layout: DecodeLayout): void {
  let visits = 0;
  for (const { components } of scans) {
    for (const { index } of components) {
      const { blocksAcross, blocksDown } = layout.components[index]!;
      visits += blocksAcross * blocksDown;
    }
  }
  if (visits > MAX_BLOCK_VISITS) throw brokenJpeg('it has far more scans than a picture of its size needs');
}

/** Decodes as many rows of MCUs as it takes to write the rows asked for, which come from top to bottom. */
function bandWriter(kernel: DecodeKernel, decoder: DecoderMemory, windows: ScanWindows, layout: DecodeLayout) {
  let mcuRows = 0;
  return async (top: number, count: number, pixels: number): Promise<void> => {
    for (let y = top; y < top + count; ) {
      const ready = Math.min(readyRows(layout, mcuRows), top + count) - y;
      if (ready > 0) {
        kernel.writeRows(decoder.address, y, ready, pixels + (y - top) * layout.width * 4);
        y += ready;
        continue;
      }
      while (starved(kernel.decodeRow(decoder.address))) {
        const { scan } = decoder;
        decoder.feed(scan, await windows.slide(scan, decoder.position(scan)));
      }
      mcuRows++;
    }
  };
}

/** Rows of pixels that can be made: the last of a row of MCUs may need the samples below it. */
function readyRows({ height, mcusDown, rowsPerMcu, context }: DecodeLayout, mcuRows: number): number {
  return mcuRows === mcusDown ? height : mcuRows * rowsPerMcu - (context ? 1 : 0);
}

/** Whether a row of MCUs stopped where a window ends. @throws FileError broken_image when it cannot be decoded */
function starved(result: number): boolean {
  if (result === -1) throw brokenJpeg('its data ends too early');
  if (result < 0) throw brokenJpeg('its data is corrupt');
  return result > 0;
}
