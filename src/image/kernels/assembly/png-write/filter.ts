import { paethPredictor } from '../png-filter/paeth';

/*
 * The filters of PNG (third edition, clause 9). Rows have 16 zero bytes in front of them, which stand for the pixel left of the first
 * one, and room for a whole vector behind.
 */

@inline
function paeth(left: v128, up: v128, corner: v128): v128 {
  return i8x16.narrow_i16x8_u(
    paethPredictor(
      i16x8.extend_low_i8x16_u(left), i16x8.extend_low_i8x16_u(up), i16x8.extend_low_i8x16_u(corner),
    ),
    paethPredictor(
      i16x8.extend_high_i8x16_u(left), i16x8.extend_high_i8x16_u(up), i16x8.extend_high_i8x16_u(corner),
    ),
  );
}

/** The mean, rounded down; the instruction rounds up. */
@inline
function average(left: v128, up: v128): v128 {
  const odd = v128.and(v128.xor(left, up), i8x16.splat(1));
  return i8x16.sub(i8x16.avgr_u(left, up), odd);
}

@inline
function filtered(type: i32, row: usize, above: usize, distance: usize): v128 {
  const x = v128.load(row);
  if (type == 0) return x;
  if (type == 1) return i8x16.sub(x, v128.load(row - distance));
  if (type == 2) return i8x16.sub(x, v128.load(above));
  if (type == 3) return i8x16.sub(x, average(v128.load(row - distance), v128.load(above)));
  return i8x16.sub(x, paeth(v128.load(row - distance), v128.load(above), v128.load(above - distance)));
}

@inline
function filterAll(type: i32, row: usize, above: usize, out: usize, bytes: usize, distance: usize): void {
  for (let at: usize = 0; at < bytes; at += 16) v128.store(out + at, filtered(type, row + at, above + at, distance));
}

/** Filters a row; writes up to 15 bytes behind it. */
export function filterRow(type: i32, row: usize, above: usize, out: usize, bytes: usize, distance: usize): void {
  if (type == 0) filterAll(0, row, above, out, bytes, distance);
  else if (type == 1) filterAll(1, row, above, out, bytes, distance);
  else if (type == 2) filterAll(2, row, above, out, bytes, distance);
  else if (type == 3) filterAll(3, row, above, out, bytes, distance);
  else filterAll(4, row, above, out, bytes, distance);
}

/** Without their signs, as they count in a sum of differences. */
@inline
function sumOf(differences: v128): v128 {
  return i32x4.extadd_pairwise_i16x8_u(i16x8.extadd_pairwise_i8x16_u(i8x16.abs(differences)));
}

@inline
function total(sums: v128): u32 {
  return i32x4.extract_lane(sums, 0) + i32x4.extract_lane(sums, 1) + i32x4.extract_lane(sums, 2) +
    i32x4.extract_lane(sums, 3);
}

@inline
function pick(sums: v128, type: i32, last: i32, best: u64): u64 {
  const sum = total(sums);
  const least = <u32>(best >> 8);
  if (sum > least || (sum == least && type != last)) return best;
  return (<u64>sum << 8) | type;
}

/** The filter with the least sum of absolute differences (12.7); among equals `last`, else the highest. */
export function leastSum(row: usize, above: usize, bytes: usize, distance: usize, last: i32): i32 {
  const lanes = i8x16(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  let none = i32x4.splat(0);
  let sub = none;
  let up = none;
  let mean = none;
  let nearest = none;
  for (let at: usize = 0; at < bytes; at += 16) {
    const mask = i8x16.lt_u(lanes, i8x16.splat(<i8>min<usize>(bytes - at, 16)));
    const a = row + at;
    const b = above + at;
    none = i32x4.add(none, sumOf(v128.and(mask, filtered(0, a, b, distance))));
    sub = i32x4.add(sub, sumOf(v128.and(mask, filtered(1, a, b, distance))));
    up = i32x4.add(up, sumOf(v128.and(mask, filtered(2, a, b, distance))));
    mean = i32x4.add(mean, sumOf(v128.and(mask, filtered(3, a, b, distance))));
    nearest = i32x4.add(nearest, sumOf(v128.and(mask, filtered(4, a, b, distance))));
  }
  let best = pick(none, 0, 0, <u64>u32.MAX_VALUE << 8);
  best = pick(sub, 1, last, best);
  best = pick(up, 2, last, best);
  best = pick(mean, 3, last, best);
  return <i32>(pick(nearest, 4, last, best) & 255);
}

/** The base-2 logarithm of a whole number. @param logs of 1024 numbers from 1 to 2 (f32) */
@inline
function log2(logs: usize, value: u32): f32 {
  const bits = reinterpret<u32>(<f32>value);
  return <f32>(<i32>(bits >> 23) - 127) + load<f32>(logs + (<usize>((bits >> 13) & 1023) << 2));
}

/** The entropy of bytes, up to a constant that depends on their number alone. @param counts room for four tallies */
function entropy(at: usize, bytes: usize, counts: usize, logs: usize): f64 {
  memory.fill(counts, 0, 4096);
  const end = at + bytes;
  const whole = at + (bytes & ~3);
  for (; at < whole; at += 4) {
    const four = load<u32>(at);
    const first = counts + ((four & 255) << 2);
    const second = counts + 1024 + ((four >> 6) & 0x3fc);
    const third = counts + 2048 + ((four >> 14) & 0x3fc);
    const fourth = counts + 3072 + ((four >> 22) & 0x3fc);
    store<u32>(first, load<u32>(first) + 1);
    store<u32>(second, load<u32>(second) + 1);
    store<u32>(third, load<u32>(third) + 1);
    store<u32>(fourth, load<u32>(fourth) + 1);
  }
  for (; at < end; at++) {
    const counter = counts + (<usize>load<u8>(at) << 2);
    store<u32>(counter, load<u32>(counter) + 1);
  }
  let sum: f64 = 0;
  for (let i: usize = 0; i < 1024; i += 4) {
    const counter = counts + i;
    const count = load<u32>(counter) + load<u32>(counter, 1024) + load<u32>(counter, 2048) + load<u32>(counter, 3072);
    if (count > 1) sum -= <f64>count * <f64>log2(logs, count);
  }
  return sum;
}

/** The filter whose result has the least entropy; among equals `last`, else the first. @param trial room for a row */
export function leastEntropy(
  row: usize, above: usize, trial: usize, bytes: usize, distance: usize, last: i32, counts: usize, logs: usize,
): i32 {
  let best = 0;
  let least: f64 = f64.MAX_VALUE;
  for (let type = 0; type <= 4; type++) {
    filterRow(type, row, above, trial, bytes, distance);
    const cost = entropy(trial, bytes, counts, logs);
    if (cost > least || (cost == least && type != last)) continue;
    least = cost;
    best = type;
  }
  return best;
}
