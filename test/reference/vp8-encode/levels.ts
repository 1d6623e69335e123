import type { Place, TokenCosts } from './token-costs.ts';

/** Steps of a block's coefficients and their reciprocals in 1/65536, in zigzag order. */
export interface Steps {
  readonly steps: readonly number[];
  readonly reciprocals: readonly number[];
}

/** Levels of coefficients, rounded up from `1 - bias / 65536` on. */
export function quantise(coefficients: readonly number[], { reciprocals }: Steps, bias: number): number[] {
  return coefficients.map((value, n) => {
    const level = Math.floor((Math.abs(value) * reciprocals[n]! + bias) / 65_536);
    return value < 0 ? -level : level;
  });
}

/** What levels stand for. */
export function dequantised(levels: readonly number[], { steps }: Steps): number[] {
  return levels.map((level, n) => level * steps[n]!);
}

/** A beginning of a block's levels, and what it costs: bits, and squared error against that of zeros. */
interface Way {
  readonly cost: number;
  readonly sizes: readonly number[];
}

/**
 * Chooses levels by rate and distortion: of all ways through the tokens where each level is the nearest, one less, or zero,
 * the cheapest, and of equal ones that with the lower levels.
 * @param place of the first level; @param lambda 4 × squared coefficient units a bit
 */
export function chooseLevels(
  coefficients: readonly number[],
  steps: Steps,
  place: Place,
  costs: TokenCosts,
  lambda: number,
): number[] {
  const { type, position: first } = place;
  const weighed = (bits: number) => Math.floor((bits * lambda) / 256);
  const nearest = quantise(coefficients, steps, 32_768).map(Math.abs);
  const last = nearest.findLastIndex((level, n) => n >= first && level > 0);
  let ways = new Map<number, Way>([[place.context, { cost: 0, sizes: [] }]]);
  let best: Way = { cost: weighed(costs.ofEnd(place)), sizes: [] };
  for (let position = first; position <= last; position++) {
    const size = Math.abs(coefficients[position]!);
    const step = steps.steps[position]!;
    const next = new Map<number, Way>();
    for (const level of candidates(nearest[position]!)) {
      const error = 4 * level * step * (level * step - 2 * size);
      const context = Math.min(level, 2);
      for (const from of [0, 1, 2]) {
        const way = ways.get(from);
        if (way === undefined) continue;
        const cost = way.cost + weighed(costs.ofLevel({ type, position, context: from }, level)) + error;
        if (cost < (next.get(context)?.cost ?? Number.POSITIVE_INFINITY)) {
          next.set(context, { cost, sizes: [...way.sizes, level] });
        }
      }
    }
    ways = next;
    for (const context of [1, 2]) {
      const way = ways.get(context);
      if (way === undefined) continue;
      const end = position === 15 ? 0 : weighed(costs.ofEnd({ type, position: position + 1, context }));
      if (way.cost + end < best.cost) best = { cost: way.cost + end, sizes: way.sizes };
    }
  }
  return coefficients.map((value, n) => {
    const size = best.sizes[n - first] ?? 0;
    return value < 0 && size > 0 ? -size : size;
  });
}

function candidates(nearest: number): number[] {
  return [...new Set([0, Math.max(0, nearest - 1), nearest])];
}
