/**
 * Encodes VP8 key frames (RFC 6386) a row of macroblocks at a time: colour conversion, prediction modes by rate and
 * distortion, levels by trellis. Levels wait in a compact form until the probabilities that code them are known.
 */
import { convertRow } from './vp8-encode/convert';
import { Encoder, FILLED_LEFT, MODES_LEFT } from './vp8-encode/encoder';
import { encodeMacroblock } from './vp8-encode/macroblock';
import { fitProbabilities, tableCosts } from './vp8-encode/probabilities';
import { finishCoder, startCoder } from './vp8-encode/entropy-coder';
import { fillTransparent } from './vp8-encode/transparent';
import { writeTokens } from './vp8-encode/write-tokens';
import { writeLiteral, writeModes, writeProbabilities } from './vp8-encode/write-modes';

/** Encodes the 16 rows of `rgba`: appends modes and levels. */
export function encodeRow(encoder: usize, mbY: i32): void {
  const e = changetype<Encoder>(encoder);
  if (e.hasAlpha) fillTransparent(e);
  convertRow(e);
  frameEdges(e, mbY);
  memory.fill(encoder + FILLED_LEFT, 0, 16);
  memory.fill(encoder + MODES_LEFT, 0, 4);
  for (let mbX = 0; mbX < e.mbWidth; mbX++) encodeMacroblock(e, mbX, mbY);
}

/** Fits the probabilities that blocks are weighed with to what was coded so far. */
export function refreshCosts(encoder: usize): void {
  fitProbabilities(encoder);
  tableCosts(encoder);
}

/** What predictors see beyond the picture's edges (§12.2, §12.3), and the last row as the one above. */
function frameEdges(e: Encoder, mbY: i32): void {
  framePlane(e.lumaOut, e.lumaStride, 16, e.mbWidth << 4, mbY);
  framePlane(e.uOut, e.chromaStride, 8, e.mbWidth << 3, mbY);
  framePlane(e.vOut, e.chromaStride, 8, e.mbWidth << 3, mbY);
}

function framePlane(plane: usize, stride: i32, rows: i32, width: i32, mbY: i32): void {
  const above = plane - <usize>stride;
  if (mbY == 0) {
    memory.fill(above - 1, 127, <usize>(width + 9));
  } else {
    memory.copy(above, plane + <usize>((rows - 1) * stride), <usize>width);
    memory.fill(above + <usize>width, load<u8>(above + <usize>width - 1), 8);
    store<u8>(above - 1, 129);
  }
  for (let y = 0; y < rows; y++) store<u8>(plane + <usize>(y * stride) - 1, 129);
}

/** Starts a partition where `out` points. */
export function startPartition(encoder: usize): void {
  startCoder(changetype<Encoder>(encoder));
}

/** Codes all that waits in compact form; 0 when the room was used up first. */
export function writeWaiting(encoder: usize): i32 {
  return writeTokens(changetype<Encoder>(encoder));
}

export function literal(encoder: usize, value: i32, count: i32): void {
  writeLiteral(changetype<Encoder>(encoder), value, count);
}

/** Codes the probabilities and then all modes. */
export function writeHeaderEnd(encoder: usize, modes: usize): void {
  writeProbabilities(changetype<Encoder>(encoder));
  writeModes(changetype<Encoder>(encoder), modes);
}

export function finishPartition(encoder: usize): void {
  finishCoder(changetype<Encoder>(encoder));
}
