import type { HuffmanCode } from './huffman-code.ts';

/** One scan with the tables that are in force for it (T.81 §B.2.3). */
export interface Scan {
  readonly components: readonly ScanComponent[];
  /** Offsets in the file of the entropy-coded data. */
  readonly start: number;
  readonly end: number;
  /** MCUs between restart markers; 0: none. */
  readonly restartInterval: number;
  readonly progressive: boolean;
  /** Ss, Se, Ah, Al: the spectral band and the bit positions of a progressive scan. */
  readonly spectralStart: number;
  readonly spectralEnd: number;
  readonly approximationHigh: number;
  readonly approximationLow: number;
}

/** All scans of a file. */
export interface Scans {
  readonly scans: readonly Scan[];
  /** By component: its quantisation table in natural order, as it stood at the component's first scan. */
  readonly quantTables: readonly Int32Array[];
  /** Whether every coefficient of every component is in some scan. Encoders may leave some out on purpose. */
  readonly complete: boolean;
}

export interface ScanComponent {
  /** Position in the frame header. */
  readonly index: number;
  readonly dcTable: HuffmanCode | undefined;
  readonly acTable: HuffmanCode | undefined;
}
