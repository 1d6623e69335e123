import {
  COSTS_OF_CONTEXT,
  COSTS_OF_POSITION,
  END_COST,
} from './encoder';

/**
 * Levels of coefficients, i16[16]: |c| / step, rounded up from `1 - bias / 65536` on.
 * @param steps i16[16] and behind them u16[16] of 65536 / step
 * @returns a bit for each level that is not zero
 */
@inline
export function quantise(coefficients: usize, steps: usize, levels: usize, bias: i32): i32 {
  const l0 = quantised(v128.load(coefficients), v128.load(steps, 32), bias);
  const l1 = quantised(v128.load(coefficients, 16), v128.load(steps, 48), bias);
  v128.store(levels, l0);
  v128.store(levels, l1, 16);
  return notZero(l0, l1);
}

@inline
function quantised(c: v128, reciprocals: v128, bias: i32): v128 {
  const sign = i16x8.shr_s(c, 15);
  const size = i16x8.abs(c);
  const add = i32x4.splat(bias);
  const low = i32x4.shr_u(i32x4.add(i32x4.extmul_low_i16x8_u(size, reciprocals), add), 16);
  const high = i32x4.shr_u(i32x4.add(i32x4.extmul_high_i16x8_u(size, reciprocals), add), 16);
  return i16x8.sub(v128.xor(i16x8.narrow_i32x4_u(low, high), sign), sign);
}

@inline
function notZero(l0: v128, l1: v128): i32 {
  const zero = i16x8.splat(0);
  return 0xffff & ~i8x16.bitmask(i8x16.narrow_i16x8_s(i16x8.eq(l0, zero), i16x8.eq(l1, zero)));
}

/** Cost of a level's extra bits from 67 on (DCT_CAT6: 11 bits, RFC 6386 §13.2), about, in 1/256 bit. */
@inline
export function largeLevelCost(level: i32): i32 {
  return (32 - clz(level - 66)) * 230 + 300;
}

/** Cost of a block's tokens in 1/256 bit. @param mask as `quantise` returns it, @param costs of the block's type */
export function blockCost(levels: usize, mask: i32, first: i32, costs: usize, context: i32): i32 {
  let row = costs + <usize>first * COSTS_OF_POSITION;
  if (mask == 0) return <i32>load<u16>(row + <usize>context * COSTS_OF_CONTEXT + END_COST);
  const last = 31 - clz(mask);
  let cost = 0;
  for (let n = first; n <= last; n++) {
    const level = abs<i32>(<i32>load<i16>(levels + <usize>(n << 1)));
    const here = row + <usize>context * COSTS_OF_CONTEXT;
    if (level < 67) {
      cost += <i32>load<u16>(here + <usize>(level << 1));
      context = min(level, 2);
    } else {
      cost += <i32>load<u16>(here + 134) + largeLevelCost(level);
      context = 2;
    }
    row += COSTS_OF_POSITION;
  }
  return last == 15 ? cost : cost + <i32>load<u16>(row + <usize>context * COSTS_OF_CONTEXT + END_COST);
}

const NEVER: i32 = 1 << 28;

@inline
function levelCost(row: usize, level: i32): i32 {
  return level < 67 ? <i32>load<u16>(row + <usize>(level << 1)) : <i32>load<u16>(row + 134) + largeLevelCost(level);
}

/**
 * Chooses levels by rate and distortion: the way through the block's tokens that costs the least, where each level is the
 * nearest one, one less, or zero. The state between two tokens is the context that the first gives the second.
 * @param lambda 4 × squared coefficient units a bit
 * @param steps scratch for i32[16]
 * @returns a bit for each level that is not zero
 */
export function chooseLevels(
  coefficients: usize,
  steps: usize,
  levels: usize,
  first: i32,
  costs: usize,
  context: i32,
  lambda: i32,
  path: usize,
): i32 {
  let mask = quantise(coefficients, steps, levels, 32768);
  if (first == 1) {
    mask &= ~1;
    store<i16>(levels, 0);
  }
  if (mask == 0) return 0;
  const last = 31 - clz(mask);
  let row = costs + <usize>first * COSTS_OF_POSITION;
  let s0 = context == 0 ? 0 : NEVER;
  let s1 = context == 1 ? 0 : NEVER;
  let s2 = context == 2 ? 0 : NEVER;
  let best = (<i32>load<u16>(row + <usize>context * COSTS_OF_CONTEXT + END_COST) * lambda) >> 8;
  let bestAt = -1;
  let bestState = 0;
  for (let n = first; n <= last; n++) {
    const c = abs<i32>(<i32>load<i16>(coefficients + <usize>(n << 1)));
    const q = <i32>load<i16>(steps + <usize>(n << 1));
    const nearest = abs<i32>(<i32>load<i16>(levels + <usize>(n << 1)));
    const row1 = row + COSTS_OF_CONTEXT;
    const row2 = row1 + COSTS_OF_CONTEXT;
    // Zero.
    let n0 = s0 + ((<i32>load<u16>(row) * lambda) >> 8);
    let from0 = 0;
    let other = s1 + ((<i32>load<u16>(row1) * lambda) >> 8);
    if (other < n0) {
      n0 = other;
      from0 = 1;
    }
    other = s2 + ((<i32>load<u16>(row2) * lambda) >> 8);
    if (other < n0) {
      n0 = other;
      from0 = 2;
    }
    let n1 = NEVER;
    let n2 = NEVER;
    let from1 = 0;
    let from2 = 0;
    let level2 = 0;
    if (nearest > 0) {
      if (nearest <= 2) {
        n1 = s0 + ((<i32>load<u16>(row, 2) * lambda) >> 8);
        other = s1 + ((<i32>load<u16>(row1, 2) * lambda) >> 8);
        if (other < n1) {
          n1 = other;
          from1 = 1;
        }
        other = s2 + ((<i32>load<u16>(row2, 2) * lambda) >> 8);
        if (other < n1) {
          n1 = other;
          from1 = 2;
        }
        // (c − q)² − c²
        n1 += (q * (q - 2 * c)) << 2;
      }
      if (nearest >= 2) {
        for (let level = nearest == 2 ? 2 : nearest - 1; level <= nearest; level++) {
          const done = level * q;
          const distortion = (done * (done - 2 * c)) << 2;
          let from = 0;
          let total = s0 + ((levelCost(row, level) * lambda) >> 8);
          other = s1 + ((levelCost(row1, level) * lambda) >> 8);
          if (other < total) {
            total = other;
            from = 1;
          }
          other = s2 + ((levelCost(row2, level) * lambda) >> 8);
          if (other < total) {
            total = other;
            from = 2;
          }
          total += distortion;
          if (total < n2) {
            n2 = total;
            from2 = from;
            level2 = level;
          }
        }
      }
    }
    store<i32>(path + <usize>(n << 2), from0 | (from1 << 2) | (from2 << 4) | (level2 << 8));
    s0 = n0;
    s1 = n1;
    s2 = n2;
    row += COSTS_OF_POSITION;
    if (nearest > 0) {
      let end1 = n1;
      let end2 = n2;
      if (n < 15) {
        end1 += (<i32>load<u16>(row + COSTS_OF_CONTEXT + END_COST) * lambda) >> 8;
        end2 += (<i32>load<u16>(row + 2 * COSTS_OF_CONTEXT + END_COST) * lambda) >> 8;
      }
      if (end1 < best) {
        best = end1;
        bestAt = n;
        bestState = 1;
      }
      if (end2 < best) {
        best = end2;
        bestAt = n;
        bestState = 2;
      }
    }
  }
  mask = 0;
  for (let n = last; n > bestAt; n--) store<i16>(levels + <usize>(n << 1), 0);
  let state = bestState;
  for (let n = bestAt; n >= first; n--) {
    const step = load<i32>(path + <usize>(n << 2));
    const level = state == 2 ? step >> 8 : state;
    const negative = <i32>load<i16>(coefficients + <usize>(n << 1)) < 0;
    store<i16>(levels + <usize>(n << 1), <i16>(negative ? -level : level));
    if (level != 0) mask |= 1 << n;
    state = (step >> (state << 1)) & 3;
  }
  return mask;
}
