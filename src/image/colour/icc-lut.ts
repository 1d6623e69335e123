import { clip, readIccCurve, tableCurve } from './icc-curve.ts';
import { fixedAt, signatureAt } from './icc-profile.ts';
import { type Grid, interpolateGrid } from './interpolate-grid.ts';
import type { Curve, Evaluate } from './source-colour.ts';

/**
 * Reads a lut8Type, lut16Type or lutAToBType element with three outputs as a function from device values to encoded
 * connection-space values (ICC.1:2022, 10.10–10.12).
 * @throws RangeError when it is malformed, cut off, or has other channels than `channels`
 */
export function readIccLut(view: DataView, channels: 3 | 4): Evaluate {
  if (view.getUint8(8) !== channels || view.getUint8(9) !== 3) throw new RangeError('unexpected channels');
  switch (signatureAt(view, 0)) {
    case 'mft1':
      return readTableLut(view, channels, 1);
    case 'mft2':
      return readTableLut(view, channels, 2);
    case 'mAB ':
      return readCurveLut(view, channels);
    default:
      throw new RangeError('unknown lookup table type');
  }
}

/** lut8Type and lut16Type: input tables → grid → output tables. Their matrix is for XYZ input only, which no picture has. */
function readTableLut(view: DataView, channels: number, width: 1 | 2): Evaluate {
  const side = view.getUint8(10);
  const [inputs, outputs] = width === 1 ? [256, 256] : [view.getUint16(48), view.getUint16(50)];
  if (inputs < 2 || outputs < 2) throw new RangeError('table too short');
  const run = runs(view, width === 1 ? 48 : 52, width);
  const before = Array.from({ length: channels }, () => tableOf(run(inputs), inputs));
  const points = Array<number>(channels).fill(side);
  const grid = { points, valueAt: run(gridSize(points)) };
  const after = Array.from({ length: 3 }, () => tableOf(run(outputs), outputs));
  return chain(before, grid, (out) => curveAll(after, out));
}

/** lutAToBType: A curves → grid → M curves → matrix → B curves; all but the B curves may be absent. */
function readCurveLut(view: DataView, channels: number): Evaluate {
  const offset = (index: number) => view.getUint32(12 + index * 4);
  const [toB, toMatrix, toM, toGrid, toA] = [offset(0), offset(1), offset(2), offset(3), offset(4)];
  const after = readCurves(view, toB, 3);
  const middle = toM === 0 ? undefined : readCurves(view, toM, 3);
  const matrix = toMatrix === 0 ? undefined : Array.from({ length: 12 }, (_, i) => fixedAt(view, toMatrix + i * 4));
  const finish = (out: Float64Array) => {
    if (middle) curveAll(middle, out);
    if (matrix) matrixWithOffset(matrix, out);
    curveAll(after, out);
  };
  if (toGrid !== 0)
    return chain(toA === 0 ? [] : readCurves(view, toA, channels), readGrid(view, toGrid, channels), finish);
  if (channels !== 3) throw new RangeError('no grid');
  return (device, out) => {
    for (let i = 0; i < 3; i++) out[i] = clip(device[i]!);
    finish(out);
  };
}

function readGrid(view: DataView, offset: number, channels: number): Grid {
  const points = Array.from({ length: channels }, (_, i) => view.getUint8(offset + i));
  const width = view.getUint8(offset + 16);
  if (width !== 1 && width !== 2) throw new RangeError('unknown grid precision');
  return { points, valueAt: runs(view, offset + 20, width)(gridSize(points)) };
}

function gridSize(points: readonly number[]): number {
  if (points.some((count) => count < 2)) throw new RangeError('grid without points');
  return points.reduce((product, count) => product * count, 3);
}

/** Runs of unsigned numbers that follow each other, read in place as 0 … 1. */
function runs(view: DataView, start: number, width: 1 | 2): (count: number) => (index: number) => number {
  let at = start;
  return (count) => {
    const from = at;
    at += count * width;
    if (at > view.byteLength) throw new RangeError('lookup table cut off');
    return width === 1
      ? (index) => view.getUint8(from + index) / 255
      : (index) => view.getUint16(from + index * 2) / 65_535;
  };
}

function tableOf(valueAt: (index: number) => number, count: number): Curve {
  return tableCurve(Float64Array.from({ length: count }, (_, index) => valueAt(index)));
}

/** Curves that follow each other, each padded to four bytes (10.12.1). */
function readCurves(view: DataView, offset: number, count: number): Curve[] {
  let at = offset;
  return Array.from({ length: count }, () => {
    const { curve, bytes } = readIccCurve(view, at);
    at += (bytes + 3) & ~3;
    return curve;
  });
}

function chain(before: readonly Curve[], grid: Grid, finish: (out: Float64Array) => void): Evaluate {
  const place = new Float64Array(grid.points.length);
  return (device, out) => {
    for (let i = 0; i < place.length; i++) place[i] = clip(before[i]?.(device[i]!) ?? device[i]!);
    interpolateGrid(grid, place, out);
    finish(out);
  };
}

function curveAll(curves: readonly Curve[], values: Float64Array): void {
  for (let i = 0; i < 3; i++) values[i] = curves[i]!(clip(values[i]!));
}

/** e1 … e9 row by row, then e10 … e12. */
function matrixWithOffset(e: readonly number[], values: Float64Array): void {
  const [x, y, z] = [values[0]!, values[1]!, values[2]!];
  for (let i = 0; i < 3; i++) values[i] = e[i * 3]! * x + e[i * 3 + 1]! * y + e[i * 3 + 2]! * z + e[9 + i]!;
}
