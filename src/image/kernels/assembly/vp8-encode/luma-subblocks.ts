import { squaredError, transformedDifference } from './distortion';
import {
  CANDIDATE_LEVELS,
  COSTS,
  COSTS_OF_TYPE,
  Encoder,
  FILLED_LEFT,
  LAMBDA,
  MODES_LEFT,
  SATD_LAMBDA,
  SCORES,
  SOURCE,
  SUBBLOCK_CHOICE_COST,
  SUBBLOCK_COEFFICIENTS,
  SUBBLOCK_COSTS,
  SUBBLOCK_LEVELS,
  SUBBLOCK_MASKS,
  SUBBLOCK_MODES,
  SUBBLOCK_PREDICTIONS,
  TRELLIS,
  TRELLIS_LAMBDA_4,
  TRIED_ABOVE,
  TRIED_LEFT,
  WASTE,
  Y_STEPS,
} from './encoder';
import { predictSubblock } from './predict';
import { blockCost, chooseLevels, quantise } from './quantise';
import { rebuildPair, transformPair } from './transform';

/** Where levels of mode candidates are rounded up: about what `chooseLevels` will make of them. */
const CANDIDATE_BIAS: i32 = 26000;

/**
 * Predicts and quantises luma in 4×4 blocks and puts it into the picture. Returns its cost like `tryLumaMode`, or what it has
 * come to when it reaches `limit`.
 */
export function trySubblocks(e: Encoder, quantiser: usize, mbX: i32, picture: usize, above: usize, limit: f64): f64 {
  const base = changetype<usize>(e);
  const stride = <usize>e.lumaStride;
  const lambda = load<f64>(quantiser + LAMBDA);
  const modesAbove = e.modesAbove + <usize>(mbX << 2);
  const costs = base + COSTS + 3 * COSTS_OF_TYPE;
  store<u32>(base + TRIED_ABOVE, load<u32>(above));
  store<u32>(base + TRIED_LEFT, load<u32>(base + FILLED_LEFT));
  let total = lambda * <f64>load<u16>(base + SUBBLOCK_CHOICE_COST);
  for (let b: usize = 0; b < 16; b++) {
    const x = b & 3;
    const y = b >> 2;
    const at = picture + y * 4 * stride + (x << 2);
    const right = x == 3 ? picture - stride + 16 : at - stride + 4;
    predictSubblock(at, stride, right, base + SUBBLOCK_PREDICTIONS);

    const modeAbove = <usize>load<u8>(y == 0 ? modesAbove + x : base + SUBBLOCK_MODES + b - 4);
    const modeLeft = <usize>load<u8>(x == 0 ? base + MODES_LEFT + y : base + SUBBLOCK_MODES + b - 1);
    const modeCosts = base + SUBBLOCK_COSTS + (modeAbove * 10 + modeLeft) * 20;
    const source = v128.load(base + SOURCE + (b << 4));
    rankModes(base, source, modeCosts, load<i32>(quantiser + SATD_LAMBDA));

    const aboveAt = base + TRIED_ABOVE + x;
    const leftAt = base + TRIED_LEFT + y;
    const context = <i32>load<u8>(aboveAt) + <i32>load<u8>(leftAt);
    const mode = bestMode(e, source, modeCosts, quantiser, costs, context, lambda);
    store<u8>(base + SUBBLOCK_MODES + b, mode);

    // `bestMode` leaves the coefficients of the best in front.
    const coefficients = base + SUBBLOCK_COEFFICIENTS;
    const levels = base + SUBBLOCK_LEVELS + (b << 5);
    const steps = quantiser + Y_STEPS;
    const mask = chooseLevels(
      coefficients, steps, levels, 0, costs, context, load<i32>(quantiser + TRELLIS_LAMBDA_4), base + TRELLIS,
    );
    store<u16>(base + SUBBLOCK_MASKS + (b << 1), mask);
    const bits = blockCost(levels, mask, 0, costs, context) + <i32>load<u16>(modeCosts + <usize>(mode << 1));
    total += <f64>squaredError(coefficients, levels, steps) + lambda * <f64>bits;
    if (total >= limit) return total;
    const filled: u8 = mask ? 1 : 0;
    store<u8>(aboveAt, filled);
    store<u8>(leftAt, filled);
    const zero = i32x4.splat(0);
    rebuildPair(
      i16x8.mul(v128.load(levels), v128.load(steps)),
      i16x8.mul(v128.load(levels, 16), v128.load(steps, 16)),
      zero,
      zero,
      v128.load(base + SUBBLOCK_PREDICTIONS + <usize>(mode << 4)),
      zero,
      at,
      base + WASTE,
      stride,
      4,
    );
  }
  return total;
}

/** Scores the ten predictions by what they leave and what their modes cost. */
@inline
function rankModes(base: usize, source: v128, modeCosts: usize, lambda: i32): void {
  for (let mode: usize = 0; mode < 10; mode++) {
    const rest = transformedDifference(source, v128.load(base + SUBBLOCK_PREDICTIONS + (mode << 4)));
    store<i32>(base + SCORES + (mode << 2), rest + ((lambda * <i32>load<u16>(modeCosts + (mode << 1))) >> 16));
  }
}

/** Takes the mode with the best score off the list. */
@inline
function nextMode(base: usize): i32 {
  let best = 0;
  let least = i32.MAX_VALUE;
  for (let mode = 0; mode < 10; mode++) {
    const score = load<i32>(base + SCORES + <usize>(mode << 2));
    if (score < least) {
      least = score;
      best = mode;
    }
  }
  store<i32>(base + SCORES + <usize>(best << 2), i32.MAX_VALUE);
  return best;
}

/** Of the modes with the best scores the one with the least squared error and bits; its coefficients go to the front. */
function bestMode(
  e: Encoder,
  source: v128,
  modeCosts: usize,
  quantiser: usize,
  costs: usize,
  context: i32,
  lambda: f64,
): i32 {
  const base = changetype<usize>(e);
  const coefficients = base + SUBBLOCK_COEFFICIENTS;
  const steps = quantiser + Y_STEPS;
  const levels = base + CANDIDATE_LEVELS;
  let best = 0;
  let least: f64 = Infinity;
  for (let tried = 0; tried < e.candidates; tried += 2) {
    const first = nextMode(base);
    const second = nextMode(base);
    transformPair(
      source,
      v128.load(base + SUBBLOCK_PREDICTIONS + <usize>(first << 4)),
      source,
      v128.load(base + SUBBLOCK_PREDICTIONS + <usize>(second << 4)),
      coefficients + 32,
    );
    for (let i: usize = 0; i < 2; i++) {
      const mode = i == 0 ? first : second;
      const block = coefficients + 32 + (i << 5);
      const mask = quantise(block, steps, levels, CANDIDATE_BIAS);
      const bits = blockCost(levels, mask, 0, costs, context) + <i32>load<u16>(modeCosts + <usize>(mode << 1));
      const total = <f64>squaredError(block, levels, steps) + lambda * <f64>bits;
      if (total < least) {
        least = total;
        best = mode;
        v128.store(coefficients, v128.load(block));
        v128.store(coefficients, v128.load(block, 16), 16);
      }
    }
  }
  return best;
}
