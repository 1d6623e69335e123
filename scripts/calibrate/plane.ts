import type { Plane } from './oklab.ts';

/** Binomial weights of 7 taps, σ = 1.22 pixels: the window within which structure is compared. */
const WINDOW = [1 / 64, 6 / 64, 15 / 64, 20 / 64] as const;

/** The weighted mean around each pixel; edges are repeated. */
export function blur({ width, height, values }: Plane): Plane {
  const rows = new Float32Array(values.length);
  pass(values, rows, { lines: height, lineStep: width, length: width, step: 1 });
  const both = new Float32Array(values.length);
  pass(rows, both, { lines: width, lineStep: 1, length: height, step: width });
  return { width, height, values: both };
}

interface Lines {
  readonly lines: number;
  readonly lineStep: number;
  readonly length: number;
  readonly step: number;
}

function pass(from: Float32Array, to: Float32Array, { lines, lineStep, length, step }: Lines): void {
  const [w3, w2, w1, w0] = WINDOW;
  const last = length - 1;
  for (let line = 0; line < lines; line++) {
    const start = line * lineStep;
    for (let i = 0; i < length; i++) {
      const at = start + i * step;
      if (i >= 3 && i + 3 <= last) {
        to[at] =
          w0 * from[at]! +
          w1 * (from[at - step]! + from[at + step]!) +
          w2 * (from[at - 2 * step]! + from[at + 2 * step]!) +
          w3 * (from[at - 3 * step]! + from[at + 3 * step]!);
        continue;
      }
      const value = (offset: number) => from[start + Math.max(0, Math.min(last, i + offset)) * step]!;
      to[at] = w0 * value(0) + w1 * (value(-1) + value(1)) + w2 * (value(-2) + value(2)) + w3 * (value(-3) + value(3));
    }
  }
}

/** Half the sides: each pixel the mean of four. */
export function halve({ width, height, values }: Plane): Plane {
  const halfWidth = width >> 1;
  const halfHeight = height >> 1;
  const half = new Float32Array(halfWidth * halfHeight);
  for (let y = 0; y < halfHeight; y++) {
    for (let x = 0; x < halfWidth; x++) {
      const at = 2 * y * width + 2 * x;
      half[y * halfWidth + x] = (values[at]! + values[at + 1]! + values[at + width]! + values[at + width + 1]!) / 4;
    }
  }
  return { width: halfWidth, height: halfHeight, values: half };
}

/** The products of two planes, pixel by pixel. */
export function multiply(one: Plane, other: Plane): Plane {
  return { ...one, values: one.values.map((value, at) => value * other.values[at]!) };
}
