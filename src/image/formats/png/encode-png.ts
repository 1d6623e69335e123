import { type Band, bandRows, type Frame, frameBytes } from '../../frame.ts';
import type { Workspace } from '../../workspace.ts';
import type { EncodePlan } from '../format.ts';
import { BandSpool } from './band-spool.ts';
import { chooseCompression, chooseCompressionBytes } from './choose-compression.ts';
import { PixelCensus, type PixelFacts } from './pixel-census.ts';
import { losslessEncodings } from './pixel-encoding.ts';
import { RowSample, sampleRows } from './row-sample.ts';
import { writePng, writePngBytes } from './write-png.ts';

/** Bytes of deflated bands kept while the encoder looks at the picture before it writes. */
const SPOOL_BYTES = 6 * 1024 * 1024;

/** Plans the encoding of a PNG: in bands, without the whole frame. */
export function planPngEncode(frame: Frame): EncodePlan {
  const row = frame.width * 4;
  const band = bandRows(frame.width) * row;
  const choosing = sampleRows(row, frame.height) * row + chooseCompressionBytes(row, frame.height);
  const buffers = spoolBytes(frame) + 3 * band + Math.max(choosing, writePngBytes(row));
  return { cost: { arena: 0, buffers }, wholeFrame: false };
}

/** Room for the deflated bands: a small frame always fits, as deflate adds little to what it cannot shrink. */
function spoolBytes(frame: Frame): number {
  return Math.min(SPOOL_BYTES, frameBytes(frame) + (frameBytes(frame) >> 8) + 1024);
}

/**
 * Encodes bands of RGBA as a PNG that is as small as can be found without loss: grey, palette, fewer bits, no alpha where the
 * pixels allow. Bands are kept, deflated, until the picture's kind is known: to its end where the store holds it, otherwise it is
 * written with as many samples as the frame declares.
 */
export async function* encodePng(
  bands: AsyncIterable<Band>,
  frame: Frame,
  workspace: Workspace,
): AsyncGenerator<Uint8Array> {
  const source = bands[Symbol.asyncIterator]();
  const spool = new BandSpool(spoolBytes(frame), workspace);
  const sample = new RowSample(frame.width * 4, frame.height, workspace);
  try {
    const { facts, unstored } = await survey(source, frame, spool, sample);
    const size = { width: frame.width, height: frame.height, bitsPerSample: 8 } as const;
    const compression = chooseCompression(sample, size, losslessEncodings(facts), workspace);
    sample.release();
    yield* writePng(rowsOf(frame, spool, unstored, source), size, compression, workspace);
  } finally {
    await source.return?.();
    sample.release();
    spool.release();
  }
}

interface Survey {
  readonly facts: PixelFacts;
  /** The band that was read but had no room; it is still valid. */
  readonly unstored?: Band;
}

/** Reads bands into the spool and the sample until the picture's kind is known or the store is full. */
async function survey(source: AsyncIterator<Band>, frame: Frame, spool: BandSpool, sample: RowSample): Promise<Survey> {
  const census = new PixelCensus(8);
  for (;;) {
    const { value: band, done } = await source.next();
    if (done) return { facts: census.facts };
    census.add(band.pixels);
    for (let index = 0; index < band.rows; index++) {
      const start = index * sample.rowBytes;
      sample.offer(band.top + index, band.pixels.subarray(start, start + sample.rowBytes));
    }
    const { grey, opaque } = census.facts;
    const known = census.settled || (census.coloured && !frame.alpha);
    if ((known && sample.telling) || !spool.store(band.pixels, grey && opaque)) {
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
  spool: BandSpool,
  unstored: Band | undefined,
  source: AsyncIterator<Band>,
): AsyncGenerator<Uint8Array> {
  const bytes = frame.width * 4;
  for (const pixels of spool.replay()) {
    for (let at = 0; at < pixels.length; at += bytes) yield pixels.subarray(at, at + bytes);
  }
  spool.release();
  for (let band = unstored; band; ) {
    for (let at = 0; at < band.rows * bytes; at += bytes) yield band.pixels.subarray(at, at + bytes);
    const next = await source.next();
    band = next.done ? undefined : next.value;
  }
}
