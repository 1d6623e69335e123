import type { CodingLayout } from '../../../src/image/formats/jpeg/encode/coding-layout.ts';

/** The quantised coefficients of a picture: for each component its blocks row by row, 64 each in zig-zag order. */
export interface Coefficients {
  readonly layout: CodingLayout;
  readonly blocks: readonly Int16Array[];
}

export interface CoefficientKind {
  /** Of 100 coefficients, how many are not zero. */
  readonly density: number;
  /** The largest magnitude. */
  readonly most: number;
  /** Blocks of 100 that have no AC coefficient at all. */
  readonly flat: number;
}

/** Random coefficients; small ones are far more frequent than large ones. The same for the same seed. */
export function randomCoefficients(layout: CodingLayout, kind: CoefficientKind, seed: number): Coefficients {
  let state = Math.imul(seed, 2_654_435_761) | 1;
  const below = (limit: number) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % limit;
  };
  const value = (most: number) => {
    const magnitude = 1 + below(1 + below(1 + below(most)));
    return below(2) === 0 ? magnitude : -magnitude;
  };
  const blocks = layout.components.map(({ across, down }) => {
    const values = new Int16Array(across * down * 64);
    for (let at = 0; at < values.length; at += 64) {
      values[at] = value(1023);
      if (below(100) < kind.flat) continue;
      for (let k = 1; k < 64; k++) if (below(100) < kind.density) values[at + k] = value(kind.most);
    }
    return values;
  });
  return { layout, blocks };
}
