import type { Plane } from './planes.ts';

const sixteen = Array.from({ length: 16 }, (_, n) => n);

/** Value by value. */
export function subtracted(one: readonly number[], other: readonly number[]): number[] {
  return one.map((value, n) => value - other[n]!);
}

/** A prediction and what is added to it, as samples. */
export function added(one: readonly number[], other: readonly number[]): number[] {
  return one.map((value, n) => Math.max(0, Math.min(255, value + other[n]!)));
}

/** Sum of the squares. */
export function squares(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value * value, 0);
}

/** Places of a 4×4 block's samples in a square. */
function places(b: number, side: number): number[] {
  const across = side / 4;
  const start = Math.floor(b / across) * 4 * side + (b % across) * 4;
  return sixteen.map((n) => start + (n >> 2) * side + (n & 3));
}

/** The samples of a 4×4 block of a square. */
export function block(samples: readonly number[], b: number, side: number): number[] {
  return places(b, side).map((at) => samples[at]!);
}

export function putBlock(samples: number[], b: number, side: number, values: readonly number[]): void {
  for (const [n, at] of places(b, side).entries()) samples[at] = values[n]!;
}

/** The samples of a square of a plane, row by row. */
export function square({ samples, width }: Plane, x: number, y: number, side: number): number[] {
  return Array.from({ length: side * side }, (_, n) => samples[(y + Math.floor(n / side)) * width + x + (n % side)]!);
}

export function put({ samples, width }: Plane, x: number, y: number, side: number, values: readonly number[]): void {
  for (const [n, value] of values.entries()) samples[(y + Math.floor(n / side)) * width + x + (n % side)] = value;
}
