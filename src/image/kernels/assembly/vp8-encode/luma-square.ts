import { squaredErrorAc, transformedDifference } from './distortion';
import {
  COEFFICIENTS,
  COSTS,
  COSTS_OF_TYPE,
  Encoder,
  FILLED_LEFT,
  LAMBDA,
  LEFT_COLUMN,
  LEVELS,
  LUMA_MODE_COSTS,
  LUMA_PREDICTIONS,
  MASKS,
  REBUILT_DC,
  SATD_LAMBDA,
  SOURCE,
  TRELLIS,
  TRELLIS_LAMBDA_16,
  TRELLIS_LAMBDA_Y2,
  TRIED_ABOVE,
  TRIED_LEFT,
  Y2_STEPS,
  Y_STEPS,
} from './encoder';
import { predictSquare } from './predict';
import { blockCost, chooseLevels } from './quantise';
import { rebuildDc, rebuildPair, transformDc, transformPair } from './transform';

/** Makes the four predictions of a macroblock's luma; returns how much the best leaves, ignoring what its mode costs. */
export function predictLuma(e: Encoder, picture: usize, mbX: i32, mbY: i32): i32 {
  const base = changetype<usize>(e);
  predictSquare(picture, e.lumaStride, 4, mbY > 0, mbX > 0, base + LEFT_COLUMN, base + LUMA_PREDICTIONS);
  let least = i32.MAX_VALUE;
  for (let mode: usize = 0; mode < 4; mode++) {
    const rest = difference(base + SOURCE, base + LUMA_PREDICTIONS + (mode << 8), 16);
    store<i32>(base + TRELLIS + (mode << 2), rest);
    least = min(least, rest);
  }
  return least;
}

/** Sum of the transformed differences of `count` blocks. */
@inline
export function difference(source: usize, predicted: usize, count: i32): i32 {
  let sum = 0;
  for (let b = 0; b < count; b++) {
    sum += transformedDifference(v128.load(source), v128.load(predicted));
    source += 16;
    predicted += 16;
  }
  return sum;
}

/** The mode that leaves the least, after `predictLuma`. */
export function chooseLumaMode(e: Encoder, quantiser: usize): i32 {
  const base = changetype<usize>(e);
  const lambda = load<i32>(quantiser + SATD_LAMBDA);
  let best = 0;
  let least = i32.MAX_VALUE;
  for (let mode = 0; mode < 4; mode++) {
    const cost = <i32>load<u16>(base + LUMA_MODE_COSTS + <usize>(mode << 1));
    const score = load<i32>(base + TRELLIS + <usize>(mode << 2)) + ((lambda * cost) >> 16);
    if (score < least) {
      least = score;
      best = mode;
    }
  }
  return best;
}

/** Quantises luma predicted as a whole; returns its cost: squared error and bits, weighted. */
export function tryLumaMode(e: Encoder, quantiser: usize, mode: i32, above: usize): f64 {
  const base = changetype<usize>(e);
  const predicted = base + LUMA_PREDICTIONS + <usize>(mode << 8);
  const coefficients = base + COEFFICIENTS;
  for (let b: usize = 0; b < 16; b += 2) {
    const at = b << 4;
    transformPair(
      v128.load(base + SOURCE + at),
      v128.load(predicted + at),
      v128.load(base + SOURCE + at, 16),
      v128.load(predicted + at, 16),
      coefficients + (b << 5),
    );
  }
  const costs = base + COSTS;
  const left = base + FILLED_LEFT;
  const y2 = coefficients + 512;
  const y2Levels = base + LEVELS + 512;
  transformDc(coefficients, y2);
  const y2Context = <i32>load<u8>(above, 8) + <i32>load<u8>(left, 8);
  const y2Mask = chooseLevels(
    y2, quantiser + Y2_STEPS, y2Levels, 0, costs + COSTS_OF_TYPE, y2Context, load<i32>(quantiser + TRELLIS_LAMBDA_Y2), base + TRELLIS,
  );
  store<u16>(base + MASKS, y2Mask, 32);
  let bits = blockCost(y2Levels, y2Mask, 0, costs + COSTS_OF_TYPE, y2Context);
  rebuildDc(y2Levels, quantiser + Y2_STEPS, base + REBUILT_DC, base + TRELLIS);

  store<u32>(base + TRIED_ABOVE, load<u32>(above));
  store<u32>(base + TRIED_LEFT, load<u32>(left));
  const lambda = load<i32>(quantiser + TRELLIS_LAMBDA_16);
  let error: f64 = 0;
  for (let b: usize = 0; b < 16; b++) {
    const aboveAt = base + TRIED_ABOVE + (b & 3);
    const leftAt = base + TRIED_LEFT + (b >> 2);
    const context = <i32>load<u8>(aboveAt) + <i32>load<u8>(leftAt);
    const block = coefficients + (b << 5);
    const levels = base + LEVELS + (b << 5);
    const mask = chooseLevels(block, quantiser + Y_STEPS, levels, 1, costs, context, lambda, base + TRELLIS);
    store<u16>(base + MASKS + (b << 1), mask);
    const filled: u8 = mask ? 1 : 0;
    store<u8>(aboveAt, filled);
    store<u8>(leftAt, filled);
    bits += blockCost(levels, mask, 1, costs, context);
    const dc = <i32>load<i16>(block) - <i32>load<i16>(base + REBUILT_DC + (b << 1));
    error += <f64>(squaredErrorAc(block, levels, quantiser + Y_STEPS) + dc * dc);
  }
  bits += <i32>load<u16>(base + LUMA_MODE_COSTS + <usize>(mode << 1));
  return error + load<f64>(quantiser + LAMBDA) * <f64>bits;
}

/** Puts luma predicted as a whole into the picture. */
export function rebuildLuma(e: Encoder, quantiser: usize, mode: i32, picture: usize): void {
  const base = changetype<usize>(e);
  const predicted = base + LUMA_PREDICTIONS + <usize>(mode << 8);
  const s0 = v128.load(quantiser + Y_STEPS);
  const s1 = v128.load(quantiser + Y_STEPS, 16);
  const stride = <usize>e.lumaStride;
  for (let b: usize = 0; b < 16; b += 2) {
    const levels = base + LEVELS + (b << 5);
    const dc = base + REBUILT_DC + (b << 1);
    const out = picture + (b >> 2) * 4 * stride + ((b & 3) << 2);
    rebuildPair(
      i16x8.replace_lane(i16x8.mul(v128.load(levels), s0), 0, load<i16>(dc)),
      i16x8.mul(v128.load(levels, 16), s1),
      i16x8.replace_lane(i16x8.mul(v128.load(levels, 32), s0), 0, load<i16>(dc, 2)),
      i16x8.mul(v128.load(levels, 48), s1),
      v128.load(predicted + (b << 4)),
      v128.load(predicted + (b << 4), 16),
      out,
      out + 4,
      stride,
      stride,
    );
  }
}
