import { gridAxis } from './grid-axis.ts';
import type { Evaluate } from './source-colour.ts';
import { encodeSrgb } from './srgb.ts';

const POINTS = 17;
/** Distance, in table entries, between neighbours along each axis. */
const YELLOW = 3;
const MAGENTA = YELLOW * POINTS;
const CYAN = MAGENTA * POINTS;
const BLACK = CYAN * POINTS;
const COLOURS = CYAN + MAGENTA + YELLOW;

/** Table entries are sRGB values × 256. */
export const cmykGridBytes = POINTS ** 4 * 3 * 2;

/** Samples `evaluate` on a 17⁴ grid; interpolates tetrahedrally in C, M, Y and linearly in K. */
export function cmykGridTransform(
  evaluate: Evaluate,
  tables: Uint8Array<ArrayBuffer>,
): (pixels: Uint8Array, count: number) => void {
  const grid = new Uint16Array(tables.buffer, tables.byteOffset, cmykGridBytes / 2);
  fillGrid(evaluate, grid);
  const { low, part } = gridAxis(POINTS);
  return (pixels, count) => {
    for (let at = 0, end = count * 4; at < end; at += 4) {
      const cyan = pixels[at]!;
      const magenta = pixels[at + 1]!;
      const yellow = pixels[at + 2]!;
      const black = pixels[at + 3]!;
      const c = part[cyan]!;
      const m = part[magenta]!;
      const y = part[yellow]!;
      const ink = part[black]!;
      const base = low[black]! * BLACK + low[cyan]! * CYAN + low[magenta]! * MAGENTA + low[yellow]! * YELLOW;
      const most = c >= m ? (c >= y ? CYAN : YELLOW) : m >= y ? MAGENTA : YELLOW;
      const least = c < m ? (c < y ? CYAN : YELLOW) : m < y ? MAGENTA : YELLOW;
      const first = base + most;
      const second = base + COLOURS - least;
      const last = base + COLOURS;
      const large = Math.max(c, m, y);
      const small = Math.min(c, m, y);
      const middle = c + m + y - large - small;
      const w0 = 1 - large;
      const w1 = large - middle;
      const w2 = middle - small;
      for (let k = 0; k < 3; k++) {
        const above = w0 * grid[base + k]! + w1 * grid[first + k]! + w2 * grid[second + k]! + small * grid[last + k]!;
        const below =
          w0 * grid[base + BLACK + k]! +
          w1 * grid[first + BLACK + k]! +
          w2 * grid[second + BLACK + k]! +
          small * grid[last + BLACK + k]!;
        pixels[at + k] = (above + (below - above) * ink + 128) >> 8;
      }
      pixels[at + 3] = 255;
    }
  };
}

function fillGrid(evaluate: Evaluate, grid: Uint16Array): void {
  const device = new Float64Array(4);
  const light = new Float64Array(3);
  for (let index = 0; index < POINTS ** 4; index++) {
    device[0] = (Math.floor(index / POINTS ** 2) % POINTS) / (POINTS - 1);
    device[1] = (Math.floor(index / POINTS) % POINTS) / (POINTS - 1);
    device[2] = (index % POINTS) / (POINTS - 1);
    device[3] = Math.floor(index / POINTS ** 3) / (POINTS - 1);
    evaluate(device, light);
    for (let k = 0; k < 3; k++) grid[index * 3 + k] = Math.round(encodeSrgb(light[k]!) * 65_280);
  }
}
