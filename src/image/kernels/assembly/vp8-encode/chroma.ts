import {
  CHROMA_MODE_COSTS,
  CHROMA_STEPS,
  COEFFICIENTS,
  COSTS,
  COSTS_OF_TYPE,
  Encoder,
  FILLED_LEFT,
  LEFT_COLUMN,
  LEVELS,
  MASKS,
  SATD_LAMBDA,
  SOURCE,
  TRELLIS,
  TRELLIS_LAMBDA_CHROMA,
  TRIED_ABOVE,
  TRIED_LEFT,
  U_PREDICTIONS,
  V_PREDICTIONS,
} from './encoder';
import { difference } from './luma-square';
import { predictSquare } from './predict';
import { chooseLevels } from './quantise';
import { rebuildPair, transformPair } from './transform';

/** Blocks of chroma follow 16 of Y and Y2. */
const FIRST_BLOCK: usize = 17;

/** Chooses the mode of both chroma planes, quantises them and puts them into the picture. Returns the mode. */
export function encodeChroma(e: Encoder, quantiser: usize, mbX: i32, mbY: i32, above: usize): i32 {
  const base = changetype<usize>(e);
  const u = e.uOut + <usize>(mbX << 3);
  const v = e.vOut + <usize>(mbX << 3);
  predictSquare(u, e.chromaStride, 2, mbY > 0, mbX > 0, base + LEFT_COLUMN, base + U_PREDICTIONS);
  predictSquare(v, e.chromaStride, 2, mbY > 0, mbX > 0, base + LEFT_COLUMN, base + V_PREDICTIONS);
  const mode = chooseMode(base, load<i32>(quantiser + SATD_LAMBDA));
  store<u32>(base + TRIED_ABOVE, load<u32>(above, 4));
  store<u32>(base + TRIED_LEFT, load<u32>(base + FILLED_LEFT, 4));
  encodePlane(e, quantiser, 0, base + U_PREDICTIONS + <usize>(mode << 6), u);
  encodePlane(e, quantiser, 4, base + V_PREDICTIONS + <usize>(mode << 6), v);
  return mode;
}

function chooseMode(base: usize, lambda: i32): i32 {
  let best = 0;
  let least = i32.MAX_VALUE;
  for (let mode = 0; mode < 4; mode++) {
    const at = <usize>(mode << 6);
    const score =
      difference(base + SOURCE + 256, base + U_PREDICTIONS + at, 4) +
      difference(base + SOURCE + 320, base + V_PREDICTIONS + at, 4) +
      ((lambda * <i32>load<u16>(base + CHROMA_MODE_COSTS + <usize>(mode << 1))) >> 16);
    if (score < least) {
      least = score;
      best = mode;
    }
  }
  return best;
}

/** @param first 0 for U, 4 for V */
function encodePlane(e: Encoder, quantiser: usize, first: usize, predicted: usize, picture: usize): void {
  const base = changetype<usize>(e);
  const source = base + SOURCE + 256 + (first << 4);
  const block = FIRST_BLOCK + first;
  const above = base + TRIED_ABOVE + (first >> 1);
  const left = base + TRIED_LEFT + (first >> 1);
  const steps = quantiser + CHROMA_STEPS;
  const stride = <usize>e.chromaStride;
  for (let y: usize = 0; y < 2; y++) {
    const at = y << 5;
    const coefficients = base + COEFFICIENTS + ((block + 2 * y) << 5);
    const levels = base + LEVELS + ((block + 2 * y) << 5);
    transformPair(
      v128.load(source + at),
      v128.load(predicted + at),
      v128.load(source + at, 16),
      v128.load(predicted + at, 16),
      coefficients,
    );
    for (let x: usize = 0; x < 2; x++) {
      const context = <i32>load<u8>(above + x) + <i32>load<u8>(left + y);
      const mask = chooseLevels(
        coefficients + (x << 5),
        steps,
        levels + (x << 5),
        0,
        base + COSTS + 2 * COSTS_OF_TYPE,
        context,
        load<i32>(quantiser + TRELLIS_LAMBDA_CHROMA),
        base + TRELLIS,
      );
      store<u16>(base + MASKS + ((block + 2 * y + x) << 1), mask);
      store<u8>(above + x, mask ? 1 : 0);
      store<u8>(left + y, mask ? 1 : 0);
    }
    const s0 = v128.load(steps);
    const s1 = v128.load(steps, 16);
    const out = picture + y * 4 * stride;
    rebuildPair(
      i16x8.mul(v128.load(levels), s0),
      i16x8.mul(v128.load(levels, 16), s1),
      i16x8.mul(v128.load(levels, 32), s0),
      i16x8.mul(v128.load(levels, 48), s1),
      v128.load(predicted + at),
      v128.load(predicted + at, 16),
      out,
      out + 4,
      stride,
      stride,
    );
  }
}
