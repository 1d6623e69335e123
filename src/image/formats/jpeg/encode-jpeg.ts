import createEncoder from '@jsquash/jpeg/codec/enc/mozjpeg_enc.js';
import { defaultOptions } from '@jsquash/jpeg/meta.js';
import encoderWasm from '../../../../build/jpeg-encode.wasm';
import transcodeWasm from '../../../../build/jpeg-transcode.wasm';
import type { Band, Frame } from '../../frame.ts';
import type { CodecFactory, Workspace } from '../../workspace.ts';
import { type ChromaSubsampling, chromaSubsampling } from '../chroma-subsampling.ts';
import type { EncodeOptions, EncodePlan } from '../format.ts';
import { codingLayout } from './encode/coding-layout.ts';
import { JpegWriter } from './encode/jpeg-writer.ts';
import { KeptPicture, keptPictureBytes } from './encode/kept-picture.ts';
import { pieceBytes, ScanCoder, scanCoderBytes } from './encode/scan-coder.ts';
import { libraryBytes, type StripSize, stripFileBytes } from './encode/strip-cost.ts';
import { gatherStrips, stripRows } from './encode/strips.ts';
import type { TranscodeKernel } from './encode/transcode-kernel.ts';

interface Encoder {
  encode(pixels: Uint8Array, width: number, height: number, options: typeof defaultOptions): Uint8Array;
}

/** Plans an encode in strips: what it takes does not grow with the height of the picture. */
export function planJpegEncode(frame: Frame, { quality }: EncodeOptions): EncodePlan {
  const chroma = chromaOf(quality);
  const layout = codingLayout(frame.width, frame.height, chroma);
  const strip = { width: frame.width, rows: stripRows(layout, chroma) };
  return {
    cost: {
      arena: regionBytes(strip, chroma, quality) + keptPictureBytes(layout) + scanCoderBytes,
      library: libraryBytes(strip, chroma, quality),
      buffers: Math.max(stripFileBytes(strip, chroma, quality), pieceBytes),
    },
    wholeFrame: false,
  };
}

/**
 * Encodes an opaque frame. mozjpeg, with trellis quantisation, makes a sequential file of each strip; what they hold becomes one
 * progressive JPEG (ITU-T T.81), or a sequential one where that is smaller or the picture is too much to be kept.
 */
export async function* encodeJpeg(
  bands: AsyncIterable<Band>,
  frame: Frame,
  { quality }: EncodeOptions,
  workspace: Workspace,
): AsyncGenerator<Uint8Array> {
  const chroma = chromaOf(quality);
  const layout = codingLayout(frame.width, frame.height, chroma);
  const strip = { width: frame.width, rows: stripRows(layout, chroma) };
  const region = workspace.arena(regionBytes(strip, chroma, quality));
  const kept = new KeptPicture(layout, workspace.kernel<TranscodeKernel>(transcodeWasm), workspace);
  const writer = new JpegWriter(kept, new ScanCoder(kept, workspace));
  let encoder: Encoder | undefined;
  for await (const { rows, pixels } of gatherStrips(bands, frame, strip.rows, region)) {
    encoder ??= await workspace.codec(createEncoder as CodecFactory<Encoder>, encoderWasm);
    const file = encoder.encode(pixels, frame.width, rows, stripOptions(chroma, quality));
    kept.startStrip(moved(file, region, workspace));
    for (let mcuRows = Math.ceil(rows / layout.mcuSide); mcuRows > 0; mcuRows--) {
      if (!kept.readMcuRow()) yield* writer.spill();
      kept.keepMcuRow();
    }
  }
  yield* writer.finish();
}

function stripOptions(chroma: ChromaSubsampling, quality: number): typeof defaultOptions {
  return {
    ...defaultOptions,
    quality,
    progressive: false,
    auto_subsample: false,
    chroma_subsample: chroma === '4:4:4' ? 1 : 2,
  };
}

/** Moves a strip's file into the region where its pixels were: nobody needs them any more. */
function moved(file: Uint8Array, region: Uint8Array, workspace: Workspace): Uint8Array {
  workspace.adopt(file);
  const place = region.subarray(0, file.length);
  place.set(file);
  workspace.release(file);
  return place;
}

/** A strip's pixels, later its file. */
function regionBytes(strip: StripSize, chroma: ChromaSubsampling, quality: number): number {
  return (Math.max(strip.width * strip.rows * 4, stripFileBytes(strip, chroma, quality)) + 15) & ~15;
}

function chromaOf(quality: number): ChromaSubsampling {
  return chromaSubsampling(quality, () => 0);
}
