import type { Band, Frame } from '../../../frame.ts';
import type { Workspace } from '../../../workspace.ts';
import type { Cost } from '../../format.ts';
import { AlphaEncoder, alphaEncoderBytes, alphaIsKept } from './alpha-encoder.ts';
import { candidatesFor } from './candidates.ts';
import { chunkStart, extendedFileStart, keyFrameStart, simpleFileStart } from './container.ts';
import { macroblockRows } from './macroblock-rows.ts';
import { Vp8Encoder } from './vp8-encoder.ts';
import { PIECE_BYTES, vp8EncoderBytes } from './vp8-layout.ts';

/** What `encodeLossy` takes. @param room bytes of the arena that there are; it takes more where it cannot do with so few */
export function lossyCost(frame: Frame, room?: number): Cost {
  return { arena: vp8EncoderBytes(frame, lossyRoom(frame, room)) + alphaBytes(frame), buffers: PIECE_BYTES };
}

/** Bytes of the arena for all but the transparency. @param room bytes of the arena that there are */
export function lossyRoom(frame: Frame, room = Number.POSITIVE_INFINITY): number {
  return room - alphaBytes(frame);
}

function alphaBytes(frame: Frame): number {
  return frame.alpha ? alphaEncoderBytes(frame) : 0;
}

/**
 * Encodes a picture as lossy WebP, its alpha plane without loss. Sizes come before the data, so what cannot be kept until they
 * are known is encoded a second time: `bands` is iterated again for tokens of more than some 20 MB, or than find room, and for the alpha of
 * more than 4 megapixels. The file is the same.
 * @param quality of libwebp's scale, 0–100
 * @param room as for `lossyCost`
 */
export async function* encodeLossy(
  bands: AsyncIterable<Band>,
  frame: Frame,
  quality: number,
  workspace: Workspace,
  room?: number,
): AsyncGenerator<Uint8Array> {
  const encoder = new Vp8Encoder(frame, quality, candidatesFor(frame), workspace, lossyRoom(frame, room));
  const alpha = frame.alpha ? new AlphaEncoder(frame, workspace) : undefined;
  for await (const rows of macroblockRows(bands, frame, encoder.rgba)) {
    for (const row of rowPointers(encoder, rows)) alpha?.count(row);
    yield* encoder.encodeRow();
  }
  yield* encoder.finish();
  const { kept, tokenBytes, tokens } = encoder;
  const firstPartition = encoder.writeFirstPartition().slice();
  const frameStart = keyFrameStart(frame, firstPartition.length);
  const frameBytes = frameStart.length + firstPartition.length + tokenBytes;
  if (alpha === undefined || alpha.opaque) {
    yield simpleFileStart(frameBytes);
  } else {
    const payload = alpha.choose();
    yield extendedFileStart(frame, payload, frameBytes);
    yield* ofLength(payload, alphaIsKept(frame) ? keptAlpha(alpha) : alphaAgain(alpha, encoder, bands, frame));
    if (payload & 1) yield new Uint8Array(1);
    yield chunkStart('VP8 ', frameBytes);
  }
  yield frameStart;
  yield firstPartition;
  yield* ofLength(tokenBytes, kept ? pieces(tokens) : encodedAgain(encoder, bands, frame));
  if (frameBytes & 1) yield new Uint8Array(1);
}

/** Passes data on whose length was announced. */
async function* ofLength(
  bytes: number,
  data: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  let sum = 0;
  for await (const piece of data) {
    sum += piece.length;
    yield piece;
  }
  if (sum !== bytes) throw new Error('the picture changed between its two encodings');
}

/** Pointers to the first `count` rows of pixels that wait to be encoded. */
function rowPointers({ rgba, layout }: Vp8Encoder, count: number): number[] {
  return Array.from({ length: count }, (_, y) => rgba.byteOffset + y * layout.mbWidth * 64);
}

function* pieces(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield bytes.slice(at, at + PIECE_BYTES);
}

function* keptAlpha(alpha: AlphaEncoder): Generator<Uint8Array> {
  yield alpha.start();
  yield* alpha.writeKept();
  yield alpha.finish();
}

async function* alphaAgain(
  alpha: AlphaEncoder,
  encoder: Vp8Encoder,
  bands: AsyncIterable<Band>,
  frame: Frame,
): AsyncGenerator<Uint8Array> {
  yield alpha.start();
  for await (const rows of macroblockRows(bands, frame, encoder.rgba)) {
    for (const row of rowPointers(encoder, rows)) yield* alpha.write(row);
  }
  yield alpha.finish();
}

/** The tokens of the same picture, as they come. */
async function* encodedAgain(
  encoder: Vp8Encoder,
  bands: AsyncIterable<Band>,
  frame: Frame,
): AsyncGenerator<Uint8Array> {
  encoder.restart('hand on');
  for await (const _ of macroblockRows(bands, frame, encoder.rgba)) yield* encoder.encodeRow();
  yield* encoder.finish();
}
