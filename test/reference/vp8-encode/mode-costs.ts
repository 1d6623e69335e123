import { subblockModeProbabilities } from '../../../src/image/formats/webp/vp8-tables.ts';
import { bitCost } from './token-costs.ts';

/** A mode, or a decision: the number of its probability and what follows 0 and 1. */
type Tree = number | readonly [node: number, zero: Tree, one: Tree];

/** RFC 6386 §11.2: DC 0, TM 1, VE 2, HE 3, LD 4, RD 5, VR 6, VL 7, HD 8, HU 9. */
const subblockTree: Tree = [0, 0, [1, 1, [2, 2, [3, [4, 3, [5, 5, 6]], [6, 4, [7, 7, [8, 8, 9]]]]]]];
/** §11.2 and §11.4: DC 0, V 1, H 2, TM 3. */
const lumaTree: Tree = [1, [2, 0, 1], [3, 2, 3]];
const lumaProbabilities = [145, 156, 163, 128];
const chromaTree: Tree = [0, 0, [1, 1, [2, 2, 3]]];
const chromaProbabilities = [142, 114, 183];

function cost(tree: Tree, mode: number, probability: (node: number) => number): number | undefined {
  if (typeof tree === 'number') return tree === mode ? 0 : undefined;
  const [node, zero, one] = tree;
  const left = cost(zero, mode, probability);
  if (left !== undefined) return left + bitCost(probability(node), 0);
  const right = cost(one, mode, probability);
  return right === undefined ? undefined : right + bitCost(probability(node), 1);
}

/** What modes cost, in 1/256 bit. */
export const modeCosts = {
  luma: (mode: number): number => bitCost(145, 1) + cost(lumaTree, mode, (node) => lumaProbabilities[node]!)!,
  chroma: (mode: number): number => cost(chromaTree, mode, (node) => chromaProbabilities[node]!)!,
  /** Of the choice to divide a macroblock. */
  divided: bitCost(145, 0),
  subblock: (mode: number, above: number, left: number): number =>
    cost(subblockTree, mode, (node) => subblockModeProbabilities[(above * 10 + left) * 9 + node]!)!,
};

/** The sub-block mode that a macroblock's luma mode stands for (§11.3). */
export const standsFor = [0, 2, 3, 1] as const;
