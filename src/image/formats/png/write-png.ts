import { aligned } from '../../kernels/aligned.ts';
import type { Workspace } from '../../workspace.ts';
import type { Compression } from './choose-compression.ts';
import { PNG_SIGNATURE, writeChunk } from './chunks.ts';
import { Deflater, deflaterBytes } from './deflater.ts';
import type { PixelEncoding } from './pixel-encoding.ts';
import type { PixelSize } from './pixel-size.ts';
import { RowCoder, rowCoderBytes } from './row-coder.ts';

/** Bytes of picture data in one IDAT chunk, at the most. */
const IDAT_BYTES = 64 * 1024;

/** What a picture is written with; candidates are tried with the same. */
export class PngWriter {
  readonly coder: RowCoder;
  readonly deflater: Deflater;
  readonly #size: PixelSize;

  /** Takes `pngWriterBytes` of the arena. */
  constructor(size: PixelSize, workspace: Workspace) {
    this.#size = size;
    this.coder = new RowCoder(size, workspace);
    this.deflater = new Deflater(IDAT_BYTES, workspace);
  }

  /** Writes a whole PNG from RGBA rows in the arena, in pieces. */
  async *write(
    rows: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
    { encoding, filter, effort }: Compression,
  ): AsyncGenerator<Uint8Array> {
    const { coder, deflater } = this;
    yield PNG_SIGNATURE.slice();
    yield ihdr(this.#size, encoding);
    yield* paletteChunks(encoding);
    coder.begin(encoding, filter);
    deflater.begin(effort);
    for await (const row of rows) yield* idatChunks(deflater.deflate(coder.code(row), coder.bytes));
    yield* idatChunks(deflater.end());
    yield writeChunk('IEND');
  }
}

/** Bytes of the arena that a `PngWriter` takes. */
export function pngWriterBytes(size: PixelSize): number {
  return aligned(rowCoderBytes(size)) + deflaterBytes(IDAT_BYTES);
}

/** The heap bytes of a piece of the file while it is handed over. */
export const PNG_PIECE_BYTES = IDAT_BYTES + 16;

function* idatChunks(pieces: Iterable<Uint8Array>): Generator<Uint8Array> {
  for (const piece of pieces) yield writeChunk('IDAT', piece);
}

function ihdr({ width, height }: PixelSize, { layout }: PixelEncoding): Uint8Array {
  const data = new Uint8Array(13);
  const view = new DataView(data.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  view.setUint8(8, layout.bitDepth);
  view.setUint8(9, layout.colourType);
  return writeChunk('IHDR', data);
}

/** PLTE and tRNS (third edition, 11.2.2 and 11.3.1.1), as far as the encoding needs them. */
function* paletteChunks({ palette, key }: PixelEncoding): Generator<Uint8Array> {
  if (key) yield writeChunk('tRNS', Uint8Array.from(key.flatMap((sample) => [sample >> 8, sample & 255])));
  if (!palette) return;
  const entries = Array.from({ length: palette.length / 4 }, (_, index) => palette.subarray(index * 4, index * 4 + 4));
  yield writeChunk('PLTE', Uint8Array.from(entries.flatMap((entry) => [...entry.subarray(0, 3)])));
  const lastTransparent = entries.findLastIndex((entry) => entry[3] !== 255);
  if (lastTransparent < 0) return;
  yield writeChunk(
    'tRNS',
    Uint8Array.from(entries.slice(0, lastTransparent + 1), (entry) => entry[3]!),
  );
}
