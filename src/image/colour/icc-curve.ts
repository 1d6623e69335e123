import { fixedAt, signatureAt } from './icc-profile.ts';
import type { Curve } from './source-colour.ts';

/** A curve and the bytes that its element takes. */
export interface IccCurve {
  readonly curve: Curve;
  readonly bytes: number;
}

/** Entries of a sampled curve: real ones have up to 4,096, and 16-bit ones 65,536. */
const MAX_ENTRIES = 65_536;

/** Parameters of each function type of parametricCurveType (ICC.1:2022, table 68). */
const PARAMETERS = [1, 3, 4, 5, 7] as const;

/**
 * Reads a curveType or parametricCurveType element (ICC.1:2022, 10.6 and 10.18). The curve maps 0 … 1 to 0 … 1.
 * @throws RangeError when the element is of another type, cut off or gives values that are not numbers
 */
export function readIccCurve(view: DataView, offset = 0): IccCurve {
  const type = signatureAt(view, offset);
  if (type === 'curv') return readSampled(view, offset);
  if (type === 'para') return readParametric(view, offset);
  throw new RangeError('unknown curve type');
}

function readSampled(view: DataView, offset: number): IccCurve {
  const count = view.getUint32(offset + 8);
  const bytes = 12 + count * 2;
  if (offset + bytes > view.byteLength) throw new RangeError('curve cut off');
  if (count > MAX_ENTRIES) throw new RangeError('curve of too many entries');
  if (count === 0) return { curve: (x) => x, bytes };
  if (count === 1) {
    const gamma = view.getUint16(offset + 12) / 256;
    return { curve: (x) => x ** gamma, bytes };
  }
  const table = new Float64Array(count);
  for (let i = 0; i < count; i++) table[i] = view.getUint16(offset + 12 + i * 2) / 65_535;
  return { curve: tableCurve(table), bytes };
}

/** Linear interpolation in a table that covers 0 … 1. */
export function tableCurve(table: Float64Array): Curve {
  const last = table.length - 1;
  return (x) => {
    const place = clip(x) * last;
    const index = Math.min(last - 1, Math.floor(place));
    const low = table[index]!;
    return low + (table[index + 1]! - low) * (place - index);
  };
}

function readParametric(view: DataView, offset: number): IccCurve {
  const type = view.getUint16(offset + 8);
  const count = PARAMETERS[type];
  if (count === undefined) throw new RangeError('unknown parametric curve');
  const p = Array.from({ length: count }, (_, i) => fixedAt(view, offset + 12 + i * 4));
  const curve = parametric(type, p);
  for (const x of [0, 0.25, 0.5, 0.75, 1]) {
    if (!Number.isFinite(curve(x))) throw new RangeError('parametric curve without values');
  }
  return { curve: (x) => clip(curve(x)), bytes: 12 + count * 4 };
}

function parametric(type: number, [g = 1, a = 1, b = 0, c = 0, d = 0, e = 0, f = 0]: readonly number[]): Curve {
  const power = (x: number) => Math.max(0, a * x + b) ** g;
  switch (type) {
    case 0:
      return (x) => x ** g;
    case 1:
      return (x) => (a * x + b >= 0 ? power(x) : 0);
    case 2:
      return (x) => (a * x + b >= 0 ? power(x) + c : c);
    case 3:
      return (x) => (x >= d ? power(x) : c * x);
    default:
      return (x) => (x >= d ? power(x) + e : c * x + f);
  }
}

/** Limits to 0 … 1; what is not a number becomes 0. */
export function clip(x: number): number {
  return x > 0 ? Math.min(x, 1) : 0;
}
