import { gridAxis } from './grid-axis.ts';
import type { Evaluate } from './source-colour.ts';
import { encodeSrgb } from './srgb.ts';

const POINTS = 33;
/** Distance, in table entries, between neighbours along each axis. */
const BLUE = 3;
const GREEN = BLUE * POINTS;
const RED = GREEN * POINTS;
const ALL = RED + GREEN + BLUE;

/** Table entries are sRGB values × 256. */
export const rgbGridBytes = POINTS ** 3 * 3 * 2;

/** Samples `evaluate` on a 33³ grid and interpolates tetrahedrally in it. */
export function rgbGridTransform(
  evaluate: Evaluate,
  tables: Uint8Array<ArrayBuffer>,
): (pixels: Uint8Array, count: number) => void {
  const grid = new Uint16Array(tables.buffer, tables.byteOffset, rgbGridBytes / 2);
  fillGrid(evaluate, grid);
  const { low, part } = gridAxis(POINTS);
  return (pixels, count) => {
    for (let at = 0, end = count * 4; at < end; at += 4) {
      const red = pixels[at]!;
      const green = pixels[at + 1]!;
      const blue = pixels[at + 2]!;
      const r = part[red]!;
      const g = part[green]!;
      const b = part[blue]!;
      // The tetrahedron's corners: along the axis of the largest part first, then of the next.
      const base = low[red]! * RED + low[green]! * GREEN + low[blue]! * BLUE;
      const most = r >= g ? (r >= b ? RED : BLUE) : g >= b ? GREEN : BLUE;
      const least = r < g ? (r < b ? RED : BLUE) : g < b ? GREEN : BLUE;
      const first = base + most;
      const second = base + ALL - least;
      const last = base + ALL;
      const large = Math.max(r, g, b);
      const small = Math.min(r, g, b);
      const middle = r + g + b - large - small;
      const w0 = 1 - large;
      const w1 = large - middle;
      const w2 = middle - small;
      for (let k = 0; k < 3; k++) {
        const value = w0 * grid[base + k]! + w1 * grid[first + k]! + w2 * grid[second + k]! + small * grid[last + k]!;
        pixels[at + k] = (value + 128) >> 8;
      }
    }
  };
}

function fillGrid(evaluate: Evaluate, grid: Uint16Array): void {
  const device = new Float64Array(3);
  const light = new Float64Array(3);
  let at = 0;
  for (let r = 0; r < POINTS; r++) {
    for (let g = 0; g < POINTS; g++) {
      for (let b = 0; b < POINTS; b++) {
        device[0] = r / (POINTS - 1);
        device[1] = g / (POINTS - 1);
        device[2] = b / (POINTS - 1);
        evaluate(device, light);
        for (let k = 0; k < 3; k++) grid[at++] = Math.round(encodeSrgb(light[k]!) * 65_280);
      }
    }
  }
}
