import type { Band, Frame } from '../../../frame.ts';
import type { Workspace } from '../../../workspace.ts';
import type { Cost } from '../../format.ts';
import { keyFrameStart, simpleFileStart } from './container.ts';
import { macroblockRows } from './macroblock-rows.ts';
import { PIECE_BYTES, Vp8Encoder } from './vp8-encoder.ts';
import { vp8EncoderBytes } from './vp8-layout.ts';

/** What `encodeLossy` takes. */
export function lossyCost(frame: Frame): Cost {
  return { arena: vp8EncoderBytes(frame), buffers: PIECE_BYTES };
}

/**
 * Encodes a picture as lossy WebP. When its tokens are more than can be kept, `bands` is iterated a second time: sizes come
 * before the data, so the first time only finds them.
 * @param quality of libwebp's scale, 0–100
 */
export async function* encodeLossy(
  bands: AsyncIterable<Band>,
  frame: Frame,
  quality: number,
  workspace: Workspace,
): AsyncGenerator<Uint8Array> {
  const encoder = new Vp8Encoder(frame, quality, candidatesFor(frame), workspace);
  yield* encodedRows(encoder, bands, frame);
  const { kept, tokenBytes, tokens } = encoder;
  const firstPartition = encoder.writeFirstPartition();
  const frameStart = keyFrameStart(frame, firstPartition.length);
  const frameBytes = frameStart.length + firstPartition.length + tokenBytes;
  yield simpleFileStart(frameBytes);
  yield frameStart;
  yield firstPartition.slice();
  if (kept) yield* pieces(tokens);
  else yield* encodedAgain(encoder, bands, frame, tokenBytes);
  if (frameBytes & 1) yield new Uint8Array(1);
}

function* pieces(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield bytes.slice(at, at + PIECE_BYTES);
}

/** Encodes all rows; yields the tokens that are handed on. */
async function* encodedRows(encoder: Vp8Encoder, bands: AsyncIterable<Band>, frame: Frame): AsyncGenerator<Uint8Array> {
  for await (const _ of macroblockRows(bands, frame, encoder.rgba)) yield* encoder.encodeRow();
  yield* encoder.finish();
}

/** The tokens of the same picture, as they come. */
async function* encodedAgain(
  encoder: Vp8Encoder,
  bands: AsyncIterable<Band>,
  frame: Frame,
  tokenBytes: number,
): AsyncGenerator<Uint8Array> {
  encoder.restart('hand on');
  yield* encodedRows(encoder, bands, frame);
  if (encoder.tokenBytes !== tokenBytes) throw new Error('the picture changed between its two encodings');
}

/** Sub-block modes that are tried in full: fewer the larger the picture. */
function candidatesFor({ width, height }: Frame): number {
  return width * height > 40_000_000 ? 2 : 4;
}
