import type { Plane, Planes } from './planes.ts';

/** How one macroblock is filtered. */
export interface MacroblockFilter {
  /** 0–63; 0: not at all. */
  readonly level: number;
  /** Whether the edges between its sub-blocks are filtered: it has coefficients or sub-block modes. */
  readonly inner: boolean;
}

interface Edge {
  readonly samples: Uint8Array;
  /** Place of the first sample behind the edge, and steps along the edge and across it. */
  readonly at: number;
  readonly along: number;
  readonly across: number;
  readonly length: number;
}

interface Limits {
  readonly edge: number;
  readonly interior: number;
  readonly variance: number;
}

/** Filters a key frame in place as RFC 6386 §15.3 says: normal filter, sharpness 0. Macroblocks row by row. */
export function filterFrame({ y, u, v }: Planes, macroblocks: readonly MacroblockFilter[]): void {
  const across = y.width / 16;
  for (const [index, { level, inner }] of macroblocks.entries()) {
    if (level === 0) continue;
    const column = index % across;
    const row = Math.floor(index / across);
    filterSquare(y, column, row, 16, level, inner);
    filterSquare(u, column, row, 8, level, inner);
    filterSquare(v, column, row, 8, level, inner);
  }
}

function filterSquare(plane: Plane, column: number, row: number, side: number, level: number, inner: boolean): void {
  const { samples, width } = plane;
  const start = row * side * width + column * side;
  const outer = limits(level, true);
  const between = limits(level, false);
  const inside = inner ? Array.from({ length: side / 4 - 1 }, (_, n) => 4 * n + 4) : [];
  const vertical = (x: number): Edge => ({ samples, at: start + x, along: width, across: 1, length: side });
  const horizontal = (y: number): Edge => ({ samples, at: start + y * width, along: 1, across: width, length: side });
  if (column > 0) filterEdge(vertical(0), outer, strongFilter);
  for (const x of inside) filterEdge(vertical(x), between, weakFilter);
  if (row > 0) filterEdge(horizontal(0), outer, strongFilter);
  for (const y of inside) filterEdge(horizontal(y), between, weakFilter);
}

/** §9.6, §15.2, §15.3: the thresholds of a level in a key frame. */
function limits(level: number, ofMacroblock: boolean): Limits {
  const variance = level >= 40 ? 2 : level >= 15 ? 1 : 0;
  return { edge: 2 * (ofMacroblock ? level + 2 : level) + level, interior: level, variance };
}

type Filter = (p: Sides, q: Sides, varies: boolean) => void;
/** Samples beside an edge, the nearest first, around 0. */
type Sides = [number, number, number, number];

function filterEdge({ samples, at, along, across, length }: Edge, limits: Limits, filter: Filter): void {
  for (let n = 0; n < length; n++) {
    const place = at + n * along;
    const p = [1, 2, 3, 4].map((step) => samples[place - step * across]! - 128) as Sides;
    const q = [0, 1, 2, 3].map((step) => samples[place + step * across]! - 128) as Sides;
    if (!isSmooth(p, q, limits)) continue;
    filter(p, q, varies(p, limits) || varies(q, limits));
    for (let step = 0; step < 4; step++) {
      samples[place - (step + 1) * across] = p[step]! + 128;
      samples[place + step * across] = q[step]! + 128;
    }
  }
}

function isSmooth(p: Sides, q: Sides, { edge, interior }: Limits): boolean {
  const steps = [p, q].flatMap((side) => [0, 1, 2].map((n) => Math.abs(side[n]! - side[n + 1]!)));
  return Math.abs(p[0] - q[0]) * 2 + (Math.abs(p[1] - q[1]) >> 1) <= edge && steps.every((step) => step <= interior);
}

function varies(side: Sides, { variance }: Limits): boolean {
  return Math.abs(side[1] - side[0]) > variance;
}

function clamped(value: number): number {
  return Math.max(-128, Math.min(127, value));
}

/** §15.2: `common_adjust`; gives what the sample behind the edge was changed by. */
function adjust(p: Sides, q: Sides, outerTaps: boolean): number {
  const base = clamped((outerTaps ? clamped(p[1] - q[1]) : 0) + 3 * (q[0] - p[0]));
  const behind = clamped(base + 4) >> 3;
  const before = clamped(base + 3) >> 3;
  q[0] = clamped(q[0] - behind);
  p[0] = clamped(p[0] + before);
  return behind;
}

/** Between sub-blocks. */
function weakFilter(p: Sides, q: Sides, varies: boolean): void {
  const change = (adjust(p, q, varies) + 1) >> 1;
  if (varies) return;
  q[1] = clamped(q[1] - change);
  p[1] = clamped(p[1] + change);
}

/** Between macroblocks. */
function strongFilter(p: Sides, q: Sides, varies: boolean): void {
  if (varies) {
    adjust(p, q, true);
    return;
  }
  const base = clamped(clamped(p[1] - q[1]) + 3 * (q[0] - p[0]));
  for (const [n, weight] of [27, 18, 9].entries()) {
    const change = clamped((weight * base + 63) >> 7);
    q[n] = clamped(q[n]! - change);
    p[n] = clamped(p[n]! + change);
  }
}
