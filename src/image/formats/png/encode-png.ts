import { arenaBandBytes, arenaBands } from '../../arena-bands.ts';
import { type Band, type Frame, frameBytes } from '../../frame.ts';
import { aligned } from '../../kernels/aligned.ts';
import { PartWorkspace } from '../../part-workspace.ts';
import type { Workspace } from '../../workspace.ts';
import type { EncodePlan } from '../format.ts';
import { chooseCompression } from './choose-compression.ts';
import { pngCensusSeconds, pngEncodeSeconds } from './encode-cpu.ts';
import { CENSUS_BYTES, PixelCensus, type PixelFacts } from './pixel-census.ts';
import { losslessEncodings } from './pixel-encoding.ts';
import type { PixelSize } from './pixel-size.ts';
import { PixelSpool, pixelSpoolBytes, spoolRoom } from './pixel-spool.ts';
import { RowSample, sampleBytes } from './row-sample.ts';
import { PNG_PIECE_BYTES, PngWriter, pngWriterBytes } from './write-png.ts';

/** Bytes of deflated pixels kept while the encoder looks at the picture before it writes. */
const SPOOL_BYTES = 3.5 * 1024 * 1024;

/** Plans the encoding of a PNG: in bands, without the whole frame. */
export function planPngEncode(frame: Frame): EncodePlan {
  const arena =
    CENSUS_BYTES +
    aligned(sampleBytes(frame.width * 4, frame.height)) +
    pngWriterBytes(sizeOf(frame)) +
    pixelSpoolBytes(spoolBytes(frame), frame.width) +
    arenaBandBytes(frame);
  const cpu = pngEncodeSeconds(frameBytes(frame), sampleBytes(frame.width * 4, frame.height));
  const readings = spoolBytes(frame) < SPOOL_BYTES ? 1 : 2;
  const cpuOfFirst = pngCensusSeconds(frameBytes(frame));
  return { cost: { arena, buffers: PNG_PIECE_BYTES }, cpu, cpuOfFirst, readings, wholeFrame: false };
}

/** Room for the deflated pixels: a small frame always fits. */
function spoolBytes(frame: Frame): number {
  return Math.min(SPOOL_BYTES, spoolRoom(frameBytes(frame)));
}

function sizeOf({ width, height }: Frame): PixelSize {
  return { width, height, bitsPerSample: 8 };
}

/**
 * Encodes bands of RGBA as a PNG that is as small as can be found without loss: grey, palette, fewer bits, no alpha where the
 * pixels allow. Pixels are kept, deflated, until the picture's kind is known. Where the store does not hold so many, the bands are
 * looked at to their end and then read again.
 */
export async function* encodePng(
  bands: AsyncIterable<Band>,
  frame: Frame,
  workspace: Workspace,
): AsyncGenerator<Uint8Array> {
  const writer = new PngWriter(sizeOf(frame), workspace);
  const census = new PixelCensus(8, workspace);
  const sample = new RowSample(frame.width * 4, frame.height, workspace);
  const spool = new PixelSpool(spoolBytes(frame), frame.width, writer.deflater, census, workspace);
  const part = new PartWorkspace(workspace, arenaBandBytes(frame));
  const source = arenaBands(bands, frame, part)[Symbol.asyncIterator]();
  try {
    const { whole, rest } = await survey(source, frame, census, spool, sample);
    spool.close();
    const facts = whole ? census.facts : unboundedFacts(frame);
    const compression = chooseCompression(sample, frame.height, losslessEncodings(facts), whole, writer);
    if (rest !== 'again') {
      yield* writer.write(rowsOf(frame, spool, rest, source), compression);
      return;
    }
    await source.return?.();
    part.restart();
    yield* writer.write(bandRowsOf(arenaBands(bands, frame, part), frame), compression);
  } finally {
    await source.return?.();
  }
}

interface Survey {
  /** Whether all pixels were seen. */
  readonly whole: boolean;
  /** What is not in the spool: the band that was read last, which is still valid, and all behind it, or, `again`, everything. */
  readonly rest: Band | 'again' | undefined;
}

/** Reads bands into the spool and the sample until the picture's kind is known, and on without the spool where that gets full. */
async function survey(
  source: AsyncIterator<Band>,
  frame: Frame,
  census: PixelCensus,
  spool: PixelSpool,
  sample: RowSample,
): Promise<Survey> {
  let full = false;
  for (;;) {
    const { value: band, done } = await source.next();
    if (done) return { whole: true, rest: full ? 'again' : undefined };
    census.add(band.pixels);
    for (let index = 0; index < band.rows; index++) {
      const start = index * sample.rowBytes;
      sample.offer(band.top + index, band.pixels.subarray(start, start + sample.rowBytes));
    }
    const known = !census.grey && !census.few && (!census.opaque || !frame.alpha);
    if (known && (full || sample.telling)) return { whole: false, rest: full ? 'again' : band };
    if (full || spool.store(band.pixels)) continue;
    if (known) return { whole: false, rest: band };
    full = true;
  }
}

/** What may be said of a frame of which not all is seen: what it declares. */
function unboundedFacts(frame: Frame): PixelFacts {
  return { grey: false, opaque: !frame.alpha, wide: false, greyDepth: 8 };
}

/** The rows of the spool, of the band that was read last, and of those behind it. */
async function* rowsOf(
  frame: Frame,
  spool: PixelSpool,
  unstored: Band | undefined,
  source: AsyncIterator<Band>,
): AsyncGenerator<Uint8Array> {
  yield* spool.replay();
  for (let band = unstored; band; ) {
    yield* rowsOfBand(band, frame);
    const next = await source.next();
    band = next.done ? undefined : next.value;
  }
}

async function* bandRowsOf(bands: AsyncIterable<Band>, frame: Frame): AsyncGenerator<Uint8Array> {
  for await (const band of bands) yield* rowsOfBand(band, frame);
}

function* rowsOfBand({ rows, pixels }: Band, { width }: Frame): Generator<Uint8Array> {
  for (let at = 0; at < rows * width * 4; at += width * 4) yield pixels.subarray(at, at + width * 4);
}
