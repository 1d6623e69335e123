import { arenaBandBytes, arenaBands } from '../../arena-bands.ts';
import { type Band, type Frame, frameBytes } from '../../frame.ts';
import { aligned } from '../../kernels/aligned.ts';
import type { Workspace } from '../../workspace.ts';
import type { EncodePlan } from '../format.ts';
import { chooseCompression } from './choose-compression.ts';
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
  return { cost: { arena, buffers: PNG_PIECE_BYTES }, wholeFrame: false };
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
 * pixels allow. Pixels are kept, deflated, until the picture's kind is known: to its end where the store holds it, otherwise it is
 * written with as many samples as the frame declares.
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
  const source = arenaBands(bands, frame, workspace)[Symbol.asyncIterator]();
  try {
    const { facts, unstored } = await survey(source, frame, census, spool, sample);
    spool.close();
    const compression = chooseCompression(sample, frame.height, losslessEncodings(facts), !unstored, writer);
    yield* writer.write(rowsOf(frame, spool, unstored, source), compression);
  } finally {
    await source.return?.();
  }
}

interface Survey {
  readonly facts: PixelFacts;
  /** The band that was read but had no room; it is still valid. */
  readonly unstored?: Band;
}

/** Reads bands into the spool and the sample until the picture's kind is known or the store is full. */
async function survey(
  source: AsyncIterator<Band>,
  frame: Frame,
  census: PixelCensus,
  spool: PixelSpool,
  sample: RowSample,
): Promise<Survey> {
  for (;;) {
    const { value: band, done } = await source.next();
    if (done) return { facts: census.facts };
    census.add(band.pixels);
    for (let index = 0; index < band.rows; index++) {
      const start = index * sample.rowBytes;
      sample.offer(band.top + index, band.pixels.subarray(start, start + sample.rowBytes));
    }
    const known = !census.grey && !census.few && (!census.opaque || !frame.alpha);
    if ((known && sample.telling) || !spool.store(band.pixels)) {
      return { facts: unboundedFacts(frame), unstored: band };
    }
  }
}

/** What may be said of a frame of which not all is seen: what it declares. */
function unboundedFacts(frame: Frame): PixelFacts {
  return { grey: false, opaque: !frame.alpha, wide: false, greyDepth: 8 };
}

async function* rowsOf(
  frame: Frame,
  spool: PixelSpool,
  unstored: Band | undefined,
  source: AsyncIterator<Band>,
): AsyncGenerator<Uint8Array> {
  const bytes = frame.width * 4;
  yield* spool.replay();
  for (let band = unstored; band; ) {
    for (let at = 0; at < band.rows * bytes; at += bytes) yield band.pixels.subarray(at, at + bytes);
    const next = await source.next();
    band = next.done ? undefined : next.value;
  }
}
