import {
  Component,
  UPSAMPLE_ACROSS,
  UPSAMPLE_BOTH,
  UPSAMPLE_DOWN,
  UPSAMPLE_NONE,
  UPSAMPLE_REPEAT,
} from './decoder';

/*
 * Brings one row of a component to the picture's width and height. Interpolation is the triangle filter of libjpeg ("fancy
 * upsampling"), rounding included. Rows beside the first and last are those rows again.
 */

/** Where row `y` of a component starts in its plane, which wraps around. */
function rowAt(component: Component, y: i32): usize {
  const inside = min(max(y, 0), component.height - 1);
  return component.plane + <usize>((inside % component.planeRows) * component.stride);
}

/**
 * @param sums room for the component's width and 10 numbers of 16 bits
 * @returns where row `y` of the picture lies: in the plane, or in `component.upsampled`
 */
export function upsampledRow(component: Component, y: i32, sums: usize): usize {
  const near = (y * component.downSamples) / component.downOutOf;
  const nearRow = rowAt(component, near);
  const kind = component.upsampling;
  if (kind == UPSAMPLE_NONE) return nearRow;
  const out = component.upsampled;
  const width = component.width;
  if (kind == UPSAMPLE_REPEAT) {
    if (component.acrossSamples == component.acrossOutOf) return nearRow;
    repeatAcross(nearRow, component, out);
  } else if (kind == UPSAMPLE_ACROSS) {
    widen(nearRow, width, sums);
    interpolate(sums, width, out, i16x8.splat(1), i16x8.splat(2), 2);
  } else {
    const below = (y & 1) == 1;
    const farRow = rowAt(component, below ? near + 1 : near - 1);
    if (kind == UPSAMPLE_BOTH) {
      blend(nearRow, farRow, width, sums);
      interpolate(sums, width, out, i16x8.splat(8), i16x8.splat(7), 4);
    } else interpolateDown(nearRow, farRow, width, below ? 2 : 1, out);
  }
  return out;
}

/** One row as numbers of 16 bits, from the second on; its ends are repeated. */
function widen(row: usize, width: i32, sums: usize): void {
  for (let x = 0; x < width; x += 8) {
    v128.store(sums + (<usize>x << 1), v128.load8x8_u(row + x), 2);
  }
  repeatEnds(sums, width);
}

/** 3 × near + far, from the second number on; the ends are repeated. */
function blend(near: usize, far: usize, width: i32, sums: usize): void {
  const three = i16x8.splat(3);
  for (let x = 0; x < width; x += 8) {
    const sum = i16x8.add(i16x8.mul(v128.load8x8_u(near + x), three), v128.load8x8_u(far + x));
    v128.store(sums + (<usize>x << 1), sum, 2);
  }
  repeatEnds(sums, width);
}

// @ts-ignore: decorator
@inline
function repeatEnds(sums: usize, width: i32): void {
  store<u16>(sums, load<u16>(sums, 2));
  store<u16>(sums + (<usize>width << 1), load<u16>(sums + (<usize>width << 1)), 2);
}

/** Each number becomes two: 3 parts of it and 1 of its neighbour. */
function interpolate(sums: usize, width: i32, out: usize, roundLeft: v128, roundRight: v128, shift: i32): void {
  for (let x = 0; x < width; x += 8) {
    const at = sums + (<usize>x << 1);
    const here = v128.load(at, 2);
    const three = i16x8.add(here, i16x8.add(here, here));
    const left = i16x8.shr_u(i16x8.add(i16x8.add(three, v128.load(at)), roundLeft), shift);
    const right = i16x8.shr_u(i16x8.add(i16x8.add(three, v128.load(at, 4)), roundRight), shift);
    v128.store(out + (<usize>x << 1), v128.or(left, i16x8.shl(right, 8)));
  }
}

function interpolateDown(near: usize, far: usize, width: i32, rounding: i32, out: usize): void {
  const three = i16x8.splat(3);
  const round = i16x8.splat(<i16>rounding);
  for (let x = 0; x < width; x += 8) {
    const sum = i16x8.add(i16x8.mul(v128.load8x8_u(near + x), three), v128.load8x8_u(far + x));
    const row = i16x8.shr_u(i16x8.add(sum, round), 2);
    v128.store64_lane(out + x, i8x16.narrow_i16x8_u(row, row), 0);
  }
}

function repeatAcross(row: usize, component: Component, out: usize): void {
  const samples = component.acrossSamples;
  const outOf = component.acrossOutOf;
  const end = row + component.width;
  let step = 0;
  while (row < end) {
    store<u8>(out++, load<u8>(row));
    step += samples;
    while (step >= outOf) {
      step -= outOf;
      row++;
    }
  }
}
