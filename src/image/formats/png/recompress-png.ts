import type { ImageHeader } from '../../header.ts';
import { aligned } from '../../kernels/aligned.ts';
import { effort, Pacer } from '../../pacer.ts';
import { PartWorkspace } from '../../part-workspace.ts';
import type { SourceFile } from '../../source-file.ts';
import type { Workspace } from '../../workspace.ts';
import type { RecompressPlan } from '../format.ts';
import { type Compression, chooseCompression } from './choose-compression.ts';
import { pngDecodeSeconds, pngSecondsAhead } from './decode-cpu.ts';
import { pngCensusSeconds, pngEncodeSeconds } from './encode-cpu.ts';
import { expanderTo8, expanderTo16, transparentKey } from './expand-row.ts';
import type { PngHeader } from './header.ts';
import { CENSUS_BYTES, PixelCensus } from './pixel-census.ts';
import { losslessEncodings } from './pixel-encoding.ts';
import { type PixelSize, rgbaRowBytes } from './pixel-size.ts';
import { type FilePlacing, placeFile, readRows, readRowsBytes } from './read-rows.ts';
import { RowSample, sampleBytes } from './row-sample.ts';
import { PNG_PIECE_BYTES, PngWriter, pngWriterBytes } from './write-png.ts';

/** Plans `recompressPng`. @param place where the file is, if not where it would best be */
export function planPngRecompress(
  header: ImageHeader,
  fileBytes: number,
  place: FilePlacing = placeFile(header as PngHeader, fileBytes),
): RecompressPlan {
  const png = header as PngHeader;
  const size = pixelSize(png);
  const arena =
    pngWriterBytes(size) +
    CENSUS_BYTES +
    aligned(sampleBytes(rgbaRowBytes(size), size.height)) +
    rgbaRowsBytes(png, fileBytes, place.window);
  const bytes = rgbaRowBytes(size);
  const encoding = pngEncodeSeconds(bytes * size.height, sampleBytes(bytes, size.height));
  const decoding = pngDecodeSeconds(png, fileBytes);
  return {
    ...place,
    cost: { arena, buffers: PNG_PIECE_BYTES },
    cpu: 2 * decoding + encoding,
    cpuOfFirst: decoding + pngCensusSeconds(bytes * size.height),
    cpuAhead: pngSecondsAhead(png, fileBytes),
  };
}

/**
 * Writes the same pixels again as small as it can without changing one of them, those under full transparency and all 16 bits
 * included. Ancillary chunks are left out, what is transparent stays so. The file is read twice: once to see which pixels there
 * are, once to write them, so that memory grows with the width alone.
 * @throws FileError broken_image
 */
export async function* recompressPng(
  file: SourceFile,
  header: ImageHeader,
  { window }: RecompressPlan,
  workspace: Workspace,
  pacer = new Pacer(),
  rowRead?: () => void,
): AsyncGenerator<Uint8Array> {
  const png = header as PngHeader;
  const size = pixelSize(png);
  const writer = new PngWriter(size, workspace);
  const part = new PartWorkspace(workspace, rgbaRowsBytes(png, file.size, window));
  const rows = () => rgbaRows(file, png, window, part, pacer, rowRead);
  const compression = await chooseFor(rows(), png, writer, workspace);
  part.restart();
  yield* writer.write(rows(), compression);
}

async function chooseFor(
  rows: AsyncIterable<Uint8Array>,
  header: PngHeader,
  writer: PngWriter,
  workspace: Workspace,
): Promise<Compression> {
  const size = pixelSize(header);
  const census = new PixelCensus(size.bitsPerSample, workspace);
  const sample = new RowSample(rgbaRowBytes(size), size.height, workspace);
  let y = 0;
  for await (const row of rows) {
    census.add(row);
    sample.offer(y++, row);
  }
  return chooseCompression(sample, size.height, losslessEncodings(census.facts, keyIn16(header)), true, writer);
}

function pixelSize({ width, height, detail }: PngHeader): PixelSize {
  return { width, height, bitsPerSample: detail.layout.bitDepth === 16 ? 16 : 8 };
}

/** Bytes of the arena that `rgbaRows` takes. */
function rgbaRowsBytes(header: PngHeader, fileBytes: number, window: number | undefined): number {
  return aligned(rgbaRowBytes(pixelSize(header))) + readRowsBytes(header, fileBytes, window);
}

/** The picture's rows as RGBA at a depth that loses nothing. A row is valid until the next one is asked for. */
async function* rgbaRows(
  file: SourceFile,
  header: PngHeader,
  window: number | undefined,
  workspace: Workspace,
  pacer: Pacer,
  rowRead?: () => void,
): AsyncGenerator<Uint8Array> {
  const size = pixelSize(header);
  const expand = size.bitsPerSample === 16 ? expanderTo16(header.detail) : expanderTo8(header.detail);
  const rgba = workspace.arena(rgbaRowBytes(size));
  for (const row of await readRows(file, header, window, workspace)) {
    if (row instanceof Promise) {
      await row;
      continue;
    }
    expand(row, rgba, header.width);
    rowRead?.();
    yield rgba;
    const pause = pacer.worked(header.width * effort.recompressedPixel);
    if (pause) await pause;
  }
}

/** The file's transparent colour as 16-bit RGB. */
function keyIn16({ detail }: PngHeader): number[] | undefined {
  const key = transparentKey(detail);
  if (!key) return undefined;
  const scale = 65_535 / ((1 << detail.layout.bitDepth) - 1);
  const [red = 0, green = red, blue = red] = key.map((sample) => sample * scale);
  return [red, green, blue];
}
