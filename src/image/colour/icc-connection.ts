import { apply, D50 } from './matrix.ts';
import { d50ToSrgb } from './srgb.ts';

/** Turns three encoded connection-space values (0 … 1), in place, into linear sRGB. */
export type FromConnection = (values: Float64Array) => void;

/** How a tag type encodes the connection space (ICC.1:2022, 6.3.4.2 and 10.10: lut16 keeps the encoding of version 2). */
export function fromConnection(connection: 'XYZ' | 'Lab', type: string): FromConnection {
  if (connection === 'XYZ') return (v) => store(v, v[0]! * XYZ_MAX, v[1]! * XYZ_MAX, v[2]! * XYZ_MAX);
  const scale = type === 'mft2' ? 65_535 / 65_280 : 1;
  return (v) => {
    const lightness = v[0]! * scale * 100;
    const a = v[1]! * scale * 255 - 128;
    const b = v[2]! * scale * 255 - 128;
    const fy = (lightness + 16) / 116;
    store(v, D50[0] * cube(fy + a / 500), cube(fy), D50[2] * cube(fy - b / 200));
  };
}

/** The XYZ value that the encoding's 1.0 stands for: u1Fixed15Number's largest. */
const XYZ_MAX = 65_535 / 32_768;

/** Light of a CIE lightness 0 … 1 (L* ∕ 100). */
export function lightOf(lightness: number): number {
  return cube((lightness * 100 + 16) / 116);
}

/** The inverse of CIE 1976's f. */
function cube(t: number): number {
  return t > 6 / 29 ? t ** 3 : (108 / 841) * (t - 4 / 29);
}

function store(values: Float64Array, x: number, y: number, z: number): void {
  [values[0], values[1], values[2]] = apply(d50ToSrgb, x, y, z);
}
