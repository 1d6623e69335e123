import { added, block, put, putBlock, square, squares, subtracted } from './blocks.ts';
import { convertPicture } from './convert.ts';
import { chooseLevels, dequantised, quantise } from './levels.ts';
import { modeCosts, standsFor } from './mode-costs.ts';
import { type Planes, planesOf } from './planes.ts';
import { predictSquare, predictSubblock } from './predict.ts';
import type { Quantiser } from './quantiser.ts';
import { TokenCosts } from './token-costs.ts';
import { inverseTransform, inverseTransformDc, transform, transformDc, transformedDifference } from './transform.ts';

/** What the encoder is told. */
export interface Settings {
  /** Busy ones first. */
  readonly quantisers: readonly Quantiser[];
  /** Thresholds between the segments, calm first. */
  readonly activity: readonly number[];
  /** Sub-block modes that are tried in full. */
  readonly candidates: number;
}

/** What was chosen for a macroblock. */
export interface Macroblock {
  readonly segment: number;
  /** DC, V, H, TM: of a divided one the mode that was not taken. */
  readonly mode: number;
  readonly chromaMode: number;
  readonly subblocks: readonly number[] | undefined;
  readonly skipped: boolean;
}

/** Type of a block's tokens (RFC 6386 §13.3). */
const type = { withoutDc: 0, y2: 1, chroma: 2, whole: 3 } as const;
/** How candidates' levels are rounded. */
const CANDIDATE_BIAS = 26_000;

/** A macroblock's luma in one of the two ways. */
interface Luma {
  readonly cost: number;
  readonly levels: readonly (readonly number[])[];
  readonly y2: readonly number[] | undefined;
  /** Rows of 16 samples. */
  readonly rebuilt: readonly number[];
  readonly modes: readonly number[];
}

const sixteen = Array.from({ length: 16 }, (_, n) => n);
const filled = (levels: readonly number[]) => (levels.some((level) => level !== 0) ? 1 : 0);

/**
 * Encodes a picture as far as modes, levels and probabilities, in the plainest way. Where the first partition is as good as
 * unlimited: for small pictures.
 */
export class ReferenceEncoder {
  readonly rebuilt: Planes;
  readonly macroblocks: Macroblock[] = [];
  readonly costs = new TokenCosts();
  readonly #source: Planes;
  readonly #settings: Settings;
  readonly #mbWidth: number;
  readonly #mbHeight: number;
  /** Sub-block modes above each column and left of each row; whether blocks there have levels: Y, U, V, Y2. */
  readonly #modesAbove: number[];
  #modesLeft: number[] = [];
  readonly #filledAbove: number[][];
  #filledLeft: number[] = [];

  /** @param rgba of whole macroblocks */
  constructor(rgba: Uint8Array, mbWidth: number, mbHeight: number, settings: Settings) {
    this.#source = convertPicture(rgba, mbWidth, mbHeight);
    this.rebuilt = planesOf(mbWidth, mbHeight);
    this.#settings = settings;
    this.#mbWidth = mbWidth;
    this.#mbHeight = mbHeight;
    this.#modesAbove = new Array<number>(mbWidth * 4).fill(0);
    this.#filledAbove = Array.from({ length: mbWidth }, () => new Array<number>(9).fill(0));
  }

  encode(): void {
    for (let row = 0; row < this.#mbHeight; row++) {
      this.#modesLeft = [0, 0, 0, 0];
      this.#filledLeft = new Array<number>(9).fill(0);
      for (let column = 0; column < this.#mbWidth; column++) this.#encodeMacroblock(column, row);
      this.costs.fit();
    }
  }

  #encodeMacroblock(column: number, row: number): void {
    const [x, y] = [column * 16, row * 16];
    const source = square(this.#source.y, x, y, 16);
    const predictions = predictSquare(this.rebuilt.y, x, y, 16);
    const rests = predictions.map((prediction) => difference(source, prediction, 16));
    const activity = Math.min(...rests);
    const segment = this.#settings.activity.filter((threshold) => activity < threshold).length;
    const quantiser = this.#settings.quantisers[segment]!;
    const mode = least(rests.map((rest, n) => rest + weighed(quantiser.satd, modeCosts.luma(n))));
    const whole = this.#tryWhole(source, predictions[mode]!, mode, quantiser, column);
    const divided = this.#tryDivided(source, quantiser, column, row);
    const isDivided = divided.cost < whole.cost;
    const luma = isDivided ? divided : whole;
    put(this.rebuilt.y, x, y, 16, luma.rebuilt);
    const chroma = this.#encodeChroma(quantiser, column, row);
    const skipped = !this.#record(luma, chroma.levels, column);
    this.#noteModes(luma.modes, column);
    const subblocks = isDivided ? luma.modes : undefined;
    this.macroblocks.push({ segment, mode, chromaMode: chroma.mode, subblocks, skipped });
  }

  #tryWhole(
    source: readonly number[],
    prediction: readonly number[],
    mode: number,
    quantiser: Quantiser,
    column: number,
  ): Luma {
    const coefficients = sixteen.map((b) => transform(subtracted(block(source, b, 16), block(prediction, b, 16))));
    const dc = transformDc(coefficients.map((values) => values[0]!));
    const [above, left] = [this.#filledAbove[column]!, this.#filledLeft];
    const y2Place = { type: type.y2, position: 0, context: above[8]! + left[8]! };
    const y2 = chooseLevels(dc, quantiser.y2, y2Place, this.costs, quantiser.levels.y2);
    const terms = inverseTransformDc(dequantised(y2, quantiser.y2));
    let bits = this.costs.ofBlock(y2, y2Place) + modeCosts.luma(mode);
    let error = 0;
    const [over, before] = [above.slice(0, 4), left.slice(0, 4)];
    const rebuilt: number[] = [];
    const levels = coefficients.map((values, b) => {
      const place = { type: type.withoutDc, position: 1, context: over[b & 3]! + before[b >> 2]! };
      const chosen = chooseLevels(values, quantiser.luma, place, this.costs, quantiser.levels.whole);
      over[b & 3] = before[b >> 2] = filled(chosen);
      bits += this.costs.ofBlock(chosen, place);
      const restored = [terms[b]!, ...dequantised(chosen, quantiser.luma).slice(1)];
      error += squares(subtracted(values, restored));
      putBlock(rebuilt, b, 16, added(block(prediction, b, 16), inverseTransform(restored)));
      return chosen;
    });
    return { cost: error + quantiser.lambda * bits, levels, y2, rebuilt, modes: sixteen.map(() => standsFor[mode]!) };
  }

  /** Sub-blocks are predicted from what the one before was rebuilt as, so that they go into the picture at once. */
  #tryDivided(source: readonly number[], quantiser: Quantiser, column: number, row: number): Luma {
    const [x, y] = [column * 16, row * 16];
    const [over, before] = [this.#filledAbove[column]!.slice(0, 4), this.#filledLeft.slice(0, 4)];
    const modesOver = this.#modesAbove.slice(column * 4, column * 4 + 4);
    const modesBefore = [...this.#modesLeft];
    let cost = quantiser.lambda * modeCosts.divided;
    const modes: number[] = [];
    const levels = sixteen.map((b) => {
      const [across, down] = [b & 3, b >> 2];
      const [left, top] = [x + across * 4, y + down * 4];
      const predictions = predictSubblock(this.rebuilt.y, left, top, across === 3 ? y - 1 : top - 1);
      const samples = block(source, b, 16);
      const price = (mode: number) => modeCosts.subblock(mode, modesOver[across]!, modesBefore[down]!);
      const place = { type: type.whole, position: 0, context: over[across]! + before[down]! };
      const mode = this.#subblockMode(samples, predictions, price, place, quantiser);
      const coefficients = transform(subtracted(samples, predictions[mode]!));
      const chosen = chooseLevels(coefficients, quantiser.luma, place, this.costs, quantiser.levels.divided);
      const restored = dequantised(chosen, quantiser.luma);
      const bits = this.costs.ofBlock(chosen, place) + price(mode);
      cost += squares(subtracted(coefficients, restored)) + quantiser.lambda * bits;
      put(this.rebuilt.y, left, top, 4, added(predictions[mode]!, inverseTransform(restored)));
      over[across] = before[down] = filled(chosen);
      modesOver[across] = modesBefore[down] = mode;
      modes.push(mode);
      return chosen;
    });
    return { cost, levels, y2: undefined, rebuilt: square(this.rebuilt.y, x, y, 16), modes };
  }

  /** The best of the modes that leave the least, quantised plainly. */
  #subblockMode(
    samples: readonly number[],
    predictions: readonly number[][],
    price: (mode: number) => number,
    place: { type: number; position: number; context: number },
    quantiser: Quantiser,
  ): number {
    const scores = predictions.map((prediction, mode) => ({
      mode,
      score: transformedDifference(subtracted(samples, prediction)) + weighed(quantiser.satd, price(mode)),
    }));
    const tried = scores.toSorted((a, b) => a.score - b.score || a.mode - b.mode).slice(0, this.#settings.candidates);
    const totals = tried.map(({ mode }) => {
      const coefficients = transform(subtracted(samples, predictions[mode]!));
      const levels = quantise(coefficients, quantiser.luma, CANDIDATE_BIAS);
      const bits = this.costs.ofBlock(levels, place) + price(mode);
      return squares(subtracted(coefficients, dequantised(levels, quantiser.luma))) + quantiser.lambda * bits;
    });
    return tried[least(totals)]!.mode;
  }

  #encodeChroma(quantiser: Quantiser, column: number, row: number): { mode: number; levels: number[][] } {
    const [x, y] = [column * 8, row * 8];
    const planes = (['u', 'v'] as const).map((name) => ({
      plane: this.rebuilt[name],
      source: square(this.#source[name], x, y, 8),
      predictions: predictSquare(this.rebuilt[name], x, y, 8),
    }));
    const scores = [0, 1, 2, 3].map((mode) =>
      planes.reduce(
        (sum, { source, predictions }) => sum + difference(source, predictions[mode]!, 8),
        weighed(quantiser.satd, modeCosts.chroma(mode)),
      ),
    );
    const mode = least(scores);
    const levels = planes.flatMap(({ plane, source, predictions }, index) => {
      const over = this.#filledAbove[column]!.slice(4 + 2 * index, 6 + 2 * index);
      const before = this.#filledLeft.slice(4 + 2 * index, 6 + 2 * index);
      return [0, 1, 2, 3].map((b) => {
        const prediction = block(predictions[mode]!, b, 8);
        const place = { type: type.chroma, position: 0, context: over[b & 1]! + before[b >> 1]! };
        const coefficients = transform(subtracted(block(source, b, 8), prediction));
        const chosen = chooseLevels(coefficients, quantiser.chroma, place, this.costs, quantiser.levels.chroma);
        over[b & 1] = before[b >> 1] = filled(chosen);
        const samples = added(prediction, inverseTransform(dequantised(chosen, quantiser.chroma)));
        put(plane, x + (b & 1) * 4, y + (b >> 1) * 4, 4, samples);
        return chosen;
      });
    });
    return { mode, levels };
  }

  /** Counts the tokens, and leaves what is filled as contexts. @returns whether there are any levels */
  #record({ levels, y2 }: Luma, chroma: readonly number[][], column: number): boolean {
    const [above, left] = [this.#filledAbove[column]!, this.#filledLeft];
    const any = [...levels, ...(y2 ? [y2] : []), ...chroma].some((some) => filled(some));
    const count = (values: readonly number[], kind: number, position: number, over: number, before: number) => {
      if (any) this.costs.count(values, { type: kind, position, context: above[over]! + left[before]! });
      above[over] = left[before] = filled(values);
    };
    if (y2) count(y2, type.y2, 0, 8, 8);
    const [kind, first] = y2 ? [type.withoutDc, 1] : [type.whole, 0];
    for (const [b, values] of levels.entries()) count(values, kind, first, b & 3, b >> 2);
    for (const [b, values] of chroma.entries()) {
      const plane = b < 4 ? 4 : 6;
      count(values, type.chroma, 0, plane + (b & 1), plane + ((b >> 1) & 1));
    }
    return any;
  }

  #noteModes(modes: readonly number[], column: number): void {
    this.#modesAbove.splice(column * 4, 4, ...modes.slice(12));
    this.#modesLeft = [modes[3]!, modes[7]!, modes[11]!, modes[15]!];
  }
}

function weighed(satd: number, bits: number): number {
  return Math.floor((satd * bits) / 65_536);
}

/** The first of the smallest. */
function least(values: readonly number[]): number {
  return values.indexOf(Math.min(...values));
}

/** Sum over the 4×4 blocks of a square. */
function difference(one: readonly number[], other: readonly number[], side: number): number {
  let sum = 0;
  for (let b = 0; b < (side * side) / 16; b++) {
    sum += transformedDifference(subtracted(block(one, b, side), block(other, b, side)));
  }
  return sum;
}
