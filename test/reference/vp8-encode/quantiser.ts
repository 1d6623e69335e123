import type { Steps } from './levels.ts';

/** One segment's quantiser, as the kernel is given it. */
export interface Quantiser {
  readonly luma: Steps;
  readonly y2: Steps;
  readonly chroma: Steps;
  /** Squared error that 1/256 bit is worth where modes are chosen. */
  readonly lambda: number;
  /** 4 × squared error that a bit is worth where levels are chosen. */
  readonly levels: { readonly whole: number; readonly divided: number; readonly y2: number; readonly chroma: number };
  /** Transformed differences that a bit is worth, × 256. */
  readonly satd: number;
}

/** Reads what `writeQuantiser` wrote. */
export function readQuantiser(bytes: Uint8Array): Quantiser {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const sixteen = Array.from({ length: 16 }, (_, n) => n);
  const steps = (at: number): Steps => ({
    steps: sixteen.map((n) => view.getInt16(at + 2 * n, true)),
    reciprocals: sixteen.map((n) => view.getUint16(at + 32 + 2 * n, true)),
  });
  const word = (at: number) => view.getInt32(at, true);
  return {
    luma: steps(0),
    y2: steps(64),
    chroma: steps(128),
    lambda: view.getFloat64(192, true),
    levels: { whole: word(200), divided: word(204), y2: word(208), chroma: word(212) },
    satd: word(216),
  };
}
