import type { ImageHeader } from '../../header.ts';
import { aligned } from '../../kernels/aligned.ts';
import { PartWorkspace } from '../../part-workspace.ts';
import type { Workspace } from '../../workspace.ts';
import type { Cost } from '../format.ts';
import { type Compression, chooseCompression, chooseCompressionBytes, type PixelSize } from './choose-compression.ts';
import { expanderTo8, expanderTo16, transparentKey } from './expand-row.ts';
import type { PngHeader } from './header.ts';
import { PixelCensus } from './pixel-census.ts';
import { losslessEncodings } from './pixel-encoding.ts';
import { readRows, readRowsBytes } from './read-rows.ts';
import { RowSample, sampleRows } from './row-sample.ts';
import { writePng, writePngBytes } from './write-png.ts';

/** The peak that `recompressPng` takes; the file itself is not in it. */
export function planPngRecompress(header: ImageHeader): Cost {
  const size = pixelSize(header as PngHeader);
  const row = rgbaRowBytes(size);
  const choosing = sampleRows(row, size.height) * row + chooseCompressionBytes(row, size.height);
  return {
    arena: rgbaRowsBytes(header as PngHeader),
    buffers: Math.max(choosing, writePngBytes(row)),
  };
}

/**
 * Writes the same pixels again as small as it can without changing one of them, those under full transparency and all 16 bits
 * included. Ancillary chunks are left out, what is transparent stays so. The file is read twice: once to see which pixels there
 * are, once to write them, so that memory grows with the width alone.
 * @throws FileError broken_image
 */
export async function* recompressPng(
  file: Uint8Array,
  header: ImageHeader,
  workspace: Workspace,
): AsyncGenerator<Uint8Array> {
  const png = header as PngHeader;
  const size = pixelSize(png);
  const part = new PartWorkspace(workspace, rgbaRowsBytes(png));
  const compression = await chooseFor(rgbaRows(file, png, part), png, size, workspace);
  part.restart();
  yield* writePng(rgbaRows(file, png, part), size, compression, workspace);
}

async function chooseFor(
  rows: AsyncIterable<Uint8Array>,
  header: PngHeader,
  size: PixelSize,
  workspace: Workspace,
): Promise<Compression> {
  const census = new PixelCensus(size.bitsPerSample);
  const sample = new RowSample(rgbaRowBytes(size), size.height, workspace);
  try {
    let y = 0;
    for await (const row of rows) {
      census.add(row);
      sample.offer(y++, row);
    }
    return chooseCompression(sample, size, losslessEncodings(census.facts, keyIn16(header)), workspace);
  } finally {
    sample.release();
  }
}

function pixelSize({ width, height, detail }: PngHeader): PixelSize {
  return { width, height, bitsPerSample: detail.layout.bitDepth === 16 ? 16 : 8 };
}

function rgbaRowBytes({ width, bitsPerSample }: PixelSize): number {
  return (width * 4 * bitsPerSample) / 8;
}

/** Bytes of the arena that `rgbaRows` takes. */
function rgbaRowsBytes(header: PngHeader): number {
  return aligned(rgbaRowBytes(pixelSize(header))) + readRowsBytes(header);
}

/** The picture's rows as RGBA at a depth that loses nothing. A row is valid until the next one is asked for. */
async function* rgbaRows(file: Uint8Array, header: PngHeader, workspace: Workspace): AsyncGenerator<Uint8Array> {
  const size = pixelSize(header);
  const expand = size.bitsPerSample === 16 ? expanderTo16(header.detail) : expanderTo8(header.detail);
  const rgba = workspace.arena(rgbaRowBytes(size));
  for (const row of readRows(file, header, workspace)) {
    expand(row, rgba, header.width);
    yield rgba;
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
