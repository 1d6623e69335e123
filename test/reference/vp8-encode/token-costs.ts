import { defaultTokenProbabilities, tokenUpdateProbabilities } from '../../../src/image/formats/webp/vp8-tables.ts';

/** A decision of the token tree (RFC 6386 §13.2): the number of its probability, and the bit. */
type Decision = readonly [node: number, bit: 0 | 1];

/** A token: its first level, its way through the tree behind the first decision, and what its extra bits cost in 1/256 bit, about. */
interface Token {
  readonly from: number;
  readonly path: readonly Decision[];
  readonly extra: number;
}

const some: readonly Decision[] = [[1, 1]];
const more: readonly Decision[] = [...some, [2, 1]];
const few: readonly Decision[] = [...more, [3, 0]];
const many: readonly Decision[] = [...more, [3, 1]];
const tokens: readonly Token[] = [
  { from: 0, path: [[1, 0]], extra: 0 },
  { from: 1, path: [...some, [2, 0]], extra: 0 },
  { from: 2, path: [...few, [4, 0]], extra: 0 },
  { from: 3, path: [...few, [4, 1], [5, 0]], extra: 0 },
  { from: 4, path: [...few, [4, 1], [5, 1]], extra: 0 },
  { from: 5, path: [...many, [6, 0], [7, 0]], extra: 250 },
  { from: 7, path: [...many, [6, 0], [7, 1]], extra: 490 },
  { from: 11, path: [...many, [6, 1], [8, 0], [9, 0]], extra: 720 },
  { from: 19, path: [...many, [6, 1], [8, 0], [9, 1]], extra: 950 },
  { from: 35, path: [...many, [6, 1], [8, 1], [10, 0]], extra: 1180 },
  { from: 67, path: [...many, [6, 1], [8, 1], [10, 1]], extra: 0 },
];
const SIGN = 256;

/** §13.3 */
const BANDS = [0, 1, 2, 3, 6, 4, 5, 6, 6, 6, 6, 6, 6, 6, 6, 7];

/** Cost in 1/256 bit of a bit whose probability to be 0 is `probability` / 256. */
export function bitCost(probability: number, bit: 0 | 1): number {
  const share = bit === 0 ? probability : 256 - probability;
  return Math.round(-Math.log2(Math.max(share, 1 / 8) / 256) * 256);
}

/** A token's place among the probabilities. */
export interface Place {
  readonly type: number;
  readonly position: number;
  readonly context: number;
}

function rowOf({ type, position, context }: Place): number {
  return (type * 8 + BANDS[position]!) * 3 + context;
}

/** Behind a zero there is no end: context 0 stands for the start of a block or for a zero. */
function endIsPossible({ type, position, context }: Place): boolean {
  return context > 0 || position === (type === 0 ? 1 : 0);
}

function tokenOf(level: number): Token {
  return tokens.findLast(({ from }) => from <= level)!;
}

/** How often each decision went either way, and the probabilities that the levels are weighed with. */
export class TokenCosts {
  readonly probabilities = Uint8Array.from(defaultTokenProbabilities);
  readonly #counts = new Float64Array(defaultTokenProbabilities.length * 2);

  ofLevel(place: Place, level: number): number {
    const { path, extra } = tokenOf(level);
    const start = endIsPossible(place) ? this.#ofDecision(place, [0, 1]) : 0;
    const way = path.reduce((sum, decision) => sum + this.#ofDecision(place, decision), start);
    const large = level < 67 ? 0 : (32 - Math.clz32(level - 66)) * 230 + 300;
    return way + (level === 0 ? 0 : SIGN) + extra + large;
  }

  ofEnd(place: Place): number {
    return this.#ofDecision(place, [0, 0]);
  }

  /** Cost of a block's levels. */
  ofBlock(levels: readonly number[], { type, position, context }: Place): number {
    let cost = 0;
    walk(levels, position, context, (at, before, level) => {
      const place = { type, position: at, context: before };
      cost += level === undefined ? this.ofEnd(place) : this.ofLevel(place, level);
    });
    return cost;
  }

  count(levels: readonly number[], { type, position, context }: Place): void {
    walk(levels, position, context, (at, before, level) => {
      const place = { type, position: at, context: before };
      const path = level === undefined ? [] : tokenOf(level).path;
      if (endIsPossible(place)) this.#note(place, [0, level === undefined ? 0 : 1]);
      for (const decision of path) this.#note(place, decision);
    });
  }

  /** Chooses each probability anew where that costs less, its own coding included (§13.4). */
  fit(): void {
    for (const [index, standard] of defaultTokenProbabilities.entries()) {
      const zeros = this.#counts[2 * index]!;
      const ones = this.#counts[2 * index + 1]!;
      this.probabilities[index] = fitting(zeros, ones, standard, tokenUpdateProbabilities[index]!);
    }
  }

  #ofDecision(place: Place, [node, bit]: Decision): number {
    return bitCost(this.probabilities[rowOf(place) * 11 + node]!, bit);
  }

  #note(place: Place, [node, bit]: Decision): void {
    const at = (rowOf(place) * 11 + node) * 2 + bit;
    this.#counts[at] = this.#counts[at]! + 1;
  }
}

/** Visits a block's tokens; a level of undefined is its end. */
function walk(
  levels: readonly number[],
  first: number,
  context: number,
  visit: (position: number, context: number, level: number | undefined) => void,
): void {
  const last = levels.findLastIndex((level, position) => position >= first && level !== 0);
  let before = context;
  for (let position = first; position <= last; position++) {
    const level = Math.abs(levels[position]!);
    visit(position, before, level);
    before = Math.min(level, 2);
  }
  if (last < 15) visit(Math.max(first, last + 1), before, undefined);
}

function fitting(zeros: number, ones: number, standard: number, update: number): number {
  const total = zeros + ones;
  if (total === 0) return standard;
  const cost = (probability: number) => zeros * bitCost(probability, 0) + ones * bitCost(probability, 1);
  const best = Math.max(1, Math.min(255, Math.floor((zeros * 256 + Math.floor(total / 2)) / total)));
  const kept = cost(standard) + bitCost(update, 0);
  return cost(best) + bitCost(update, 1) + 8 * 256 < kept ? best : standard;
}
