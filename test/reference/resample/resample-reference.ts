import type { Frame } from '../../../src/image/frame.ts';
import { fixedWeights, weightBits } from '../../../src/image/resample/fixed-weights.ts';
import { type Axis, lanczosWindow, windowSize } from '../../../src/image/resample/lanczos.ts';
import { mostBits } from '../../../src/image/resample/opaque-passes.ts';
import type { Size } from '../../../src/image/resample/resample-layout.ts';

/** Fractional bits of a sample between the passes. */
const FRACTION = 6;

interface Window<Weights> {
  readonly first: number;
  readonly weights: Weights;
}

/** The arithmetic of the resampler kernel in plain TypeScript, on whole pictures of straight-alpha RGBA. */
export function resampleReference(pixels: Uint8Array, from: Frame, to: Size): Uint8Array {
  return from.alpha ? resampleAlpha(pixels, from, to) : resampleOpaque(pixels, from, to);
}

function exactWindow(axis: Axis, index: number): Window<Float64Array> {
  const weights = new Float64Array(windowSize(axis));
  return { first: lanczosWindow(axis, index, weights), weights };
}

function fixedWindow(axis: Axis, index: number, bits: number): Window<Int16Array> {
  const { first, weights } = exactWindow(axis, index);
  const fixed = new Int16Array(weights.length);
  fixedWeights(weights, weights.length, bits, fixed);
  return { first, weights: fixed };
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value));
}

function resampleOpaque(pixels: Uint8Array, from: Frame, to: Size): Uint8Array {
  const columns = { from: from.width, to: to.width };
  const rows = { from: from.height, to: to.height };
  const [across, down] = [weightBits(columns, mostBits.across), weightBits(rows, mostBits.down)];
  const filtered = new Int16Array(to.width * from.height * 4);
  for (let x = 0; x < to.width; x++) {
    const { first, weights } = fixedWindow(columns, x, across);
    for (let at = 0; at < from.height * 4; at++) {
      const [y, k] = [at >> 2, at & 3];
      const sample = (tap: number) => pixels[(y * from.width + first + tap) * 4 + k]!;
      const sum = weights.reduce((total, weight, tap) => total + weight * sample(tap), 0);
      filtered[(y * to.width + x) * 4 + k] = clamp(roundedShift(sum, across - FRACTION), -32_768, 32_767);
    }
  }
  const out = new Uint8Array(to.width * to.height * 4).fill(255);
  for (let y = 0; y < to.height; y++) {
    const { first, weights } = fixedWindow(rows, y, down);
    for (let at = 0; at < to.width * 4; at++) {
      if ((at & 3) === 3) continue;
      const sum = weights.reduce(
        (total, weight, tap) => total + weight * filtered[(first + tap) * to.width * 4 + at]!,
        0,
      );
      out[y * to.width * 4 + at] = clamp(roundedShift(sum, down + FRACTION), 0, 255);
    }
  }
  return out;
}

function roundedShift(value: number, bits: number): number {
  if (Math.abs(value) + 2 ** bits >= 2 ** 31) throw new RangeError(`${value} leaves 32 bits`);
  return Math.floor((value + 2 ** bits / 2) / 2 ** bits);
}

const f32 = Math.fround;

function resampleAlpha(pixels: Uint8Array, from: Frame, to: Size): Uint8Array {
  const columns = { from: from.width, to: to.width };
  const rows = { from: from.height, to: to.height };
  const premultiplied = Float32Array.from(pixels, (sample, at) => ((at & 3) === 3 ? sample : sample * pixels[at | 3]!));
  const filtered = new Float32Array(to.width * from.height * 4);
  for (let x = 0; x < to.width; x++) {
    const { first, weights } = exactWindow(columns, x);
    const shift = first - Math.max(0, Math.min(first, from.width - Math.ceil(weights.length / 4) * 4));
    for (let at = 0; at < from.height * 4; at++) {
      const sums = [0, 0];
      for (const [tap, weight] of weights.entries()) {
        const sample = premultiplied[((at >> 2) * from.width + first + tap) * 4 + (at & 3)]!;
        const parity = (tap + shift) & 1;
        sums[parity] = f32(sums[parity]! + f32(f32(weight) * sample));
      }
      filtered[((at >> 2) * to.width + x) * 4 + (at & 3)] = f32(sums[0]! + sums[1]!);
    }
  }
  const out = new Uint8Array(to.width * to.height * 4);
  for (let y = 0; y < to.height; y++) {
    const { first, weights } = exactWindow(rows, y);
    for (let x = 0; x < to.width; x++) {
      const [red, green, blue, alpha] = [0, 1, 2, 3].map((k) =>
        weights.reduce((sum, weight, tap) => {
          return f32(sum + f32(f32(weight) * filtered[((first + tap) * to.width + x) * 4 + k]!));
        }, 0),
      ) as [number, number, number, number];
      const scale = alpha < 0.5 ? 0 : f32(1 / alpha);
      const samples = [f32(red * scale), f32(green * scale), f32(blue * scale), alpha].map(nearestEven);
      out.set(
        samples.map((sample) => clamp(sample, 0, 255)),
        (y * to.width + x) * 4,
      );
    }
  }
  return out;
}

function nearestEven(value: number): number {
  const low = Math.floor(value);
  const part = value - low;
  if (part === 0.5) return low % 2 === 0 ? low : low + 1;
  return part < 0.5 ? low : low + 1;
}
