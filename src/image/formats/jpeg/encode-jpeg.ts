import createEncoder from '@jsquash/jpeg/codec/enc/mozjpeg_enc.js';
import { defaultOptions } from '@jsquash/jpeg/meta.js';
import encoderWasm from '../../../../build/jpeg-encode.wasm';
import transcodeWasm from '../../../../build/jpeg-transcode.wasm';
import type { Band, Frame } from '../../frame.ts';
import type { CodecFactory, Workspace } from '../../workspace.ts';
import type { ChromaSubsampling } from '../chroma-subsampling.ts';
import type { EncodeOptions, EncodePlan } from '../format.ts';
import { jpegEncodeSeconds } from './encode/encode-cpu.ts';
import { encodeLayout } from './encode/encode-layout.ts';
import { JpegWriter } from './encode/jpeg-writer.ts';
import { KeptPicture } from './encode/kept-picture.ts';
import { ScanCoder } from './encode/scan-coder.ts';
import { gatherStrips } from './encode/strips.ts';
import type { TranscodeKernel } from './encode/transcode-kernel.ts';

interface Encoder {
  encode(pixels: Uint8Array, width: number, height: number, options: typeof defaultOptions): Uint8Array;
}

/**
 * Plans an encode in strips: what it takes hardly grows with the height of the picture. Only in haste it does with less room than it would
 * like to have, since fewer pictures become progressive then.
 */
export function planJpegEncode(frame: Frame, options: EncodeOptions): EncodePlan {
  const { quality, haste = 0, coefficients } = options;
  const room = haste > 0 ? options.room : undefined;
  const { cost, chroma } = encodeLayout(frame.width, frame.height, quality, haste, room);
  const cpu = jpegEncodeSeconds(frame, quality, chroma, coefficients);
  return { cost, cpu, readings: 1, haste, wholeFrame: false, ...(room !== undefined && { room }) };
}

/**
 * Encodes an opaque frame. mozjpeg, with trellis quantisation, makes a sequential file of each strip; what they hold becomes one
 * progressive JPEG (ITU-T T.81), or a sequential one where that is smaller or the picture is too much to be kept.
 */
export async function* encodeJpeg(
  bands: AsyncIterable<Band>,
  frame: Frame,
  { quality, haste, room }: EncodeOptions,
  workspace: Workspace,
): AsyncGenerator<Uint8Array> {
  const { coding, chroma, ...layout } = encodeLayout(frame.width, frame.height, quality, haste, room);
  const region = workspace.arena(layout.region);
  const kept = new KeptPicture(coding, layout.store, workspace.kernel<TranscodeKernel>(transcodeWasm), workspace);
  const writer = new JpegWriter(kept, new ScanCoder(kept, workspace));
  let encoder: Encoder | undefined;
  for await (const { rows, pixels } of gatherStrips(bands, frame, layout.stripRows, region)) {
    encoder ??= await workspace.codec(createEncoder as CodecFactory<Encoder>, encoderWasm);
    const file = encoder.encode(pixels, frame.width, rows, stripOptions(chroma, quality));
    kept.startStrip(moved(file, region, workspace));
    for (let mcuRows = Math.ceil(rows / coding.mcuSide); mcuRows > 0; mcuRows--) {
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
