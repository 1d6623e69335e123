import { defaultTokenProbabilities, subblockModeProbabilities, tokenUpdateProbabilities } from '../vp8-tables.ts';
import { table } from './vp8-kernel.ts';

/** Positions' bands: RFC 6386 §13.3. */
const BANDS = [0, 1, 2, 3, 6, 4, 5, 6, 6, 6, 6, 6, 6, 6, 6, 7];
/** First level of each counted token: 0, 1, 2, 3, 4 and six categories (§13.2). */
const TOKEN_STARTS = [0, 1, 2, 3, 4, 5, 7, 11, 19, 35, 67];
/** Paths through `bmode_tree` (§11.2): node and bit of each step, by mode. */
const SUBBLOCK_PATHS: readonly (readonly (readonly [node: number, bit: 0 | 1])[])[] = [
  [[0, 0]],
  [
    [0, 1],
    [1, 0],
  ],
  [
    [0, 1],
    [1, 1],
    [2, 0],
  ],
  [
    [0, 1],
    [1, 1],
    [2, 1],
    [3, 0],
    [4, 0],
  ],
  [
    [0, 1],
    [1, 1],
    [2, 1],
    [3, 1],
    [6, 0],
  ],
  [
    [0, 1],
    [1, 1],
    [2, 1],
    [3, 0],
    [4, 1],
    [5, 0],
  ],
  [
    [0, 1],
    [1, 1],
    [2, 1],
    [3, 0],
    [4, 1],
    [5, 1],
  ],
  [
    [0, 1],
    [1, 1],
    [2, 1],
    [3, 1],
    [6, 1],
    [7, 0],
  ],
  [
    [0, 1],
    [1, 1],
    [2, 1],
    [3, 1],
    [6, 1],
    [7, 1],
    [8, 0],
  ],
  [
    [0, 1],
    [1, 1],
    [2, 1],
    [3, 1],
    [6, 1],
    [7, 1],
    [8, 1],
  ],
];

/** Cost in 1/256 bit of a bit whose probability to be 0 is `probability` / 256. */
function bitCost(probability: number, bit: 0 | 1): number {
  const share = Math.max(bit === 0 ? probability : 256 - probability, 1 / 8) / 256;
  return Math.round(-Math.log2(share) * 256);
}

/** Fills the fixed tables of an encoder's state. */
export function writeVp8Tables(state: Uint8Array): void {
  const shorts = (offset: number, count: number) => new Uint16Array(state.buffer, state.byteOffset + offset, count);
  const costs = shorts(table.bitCosts, 257);
  for (let p = 0; p <= 256; p++) costs[p] = bitCost(p, 0);
  for (let level = 0; level < 68; level++) {
    const token = TOKEN_STARTS.findLastIndex((start) => start <= level);
    state[table.tokens + level] = token;
  }
  state.set(BANDS, table.bands);
  state.set(subblockModeProbabilities, table.subblockProbabilities);
  state.set(defaultTokenProbabilities, table.defaultProbabilities);
  state.set(tokenUpdateProbabilities, table.updateProbabilities);
  const modeCosts = shorts(table.subblockCosts, 1000);
  for (let context = 0; context < 100; context++) {
    for (const [mode, path] of SUBBLOCK_PATHS.entries()) {
      const probability = (node: number) => subblockModeProbabilities[context * 9 + node]!;
      modeCosts[context * 10 + mode] = path.reduce((sum, [node, bit]) => sum + bitCost(probability(node), bit), 0);
    }
  }
  writeMacroblockModeCosts(shorts(table.lumaModeCosts, 4), shorts(table.chromaModeCosts, 4));
  shorts(table.subblockChoiceCost, 1)[0] = bitCost(145, 0);
}

/** Modes DC, V, H, TM: RFC 6386 §11.2 and §11.4. */
function writeMacroblockModeCosts(luma: Uint16Array, chroma: Uint16Array): void {
  const whole = bitCost(145, 1);
  luma[0] = whole + bitCost(156, 0) + bitCost(163, 0);
  luma[1] = whole + bitCost(156, 0) + bitCost(163, 1);
  luma[2] = whole + bitCost(156, 1) + bitCost(128, 0);
  luma[3] = whole + bitCost(156, 1) + bitCost(128, 1);
  chroma[0] = bitCost(142, 0);
  chroma[1] = bitCost(142, 1) + bitCost(114, 0);
  chroma[2] = bitCost(142, 1) + bitCost(114, 1) + bitCost(183, 0);
  chroma[3] = bitCost(142, 1) + bitCost(114, 1) + bitCost(183, 1);
}
