import type { BenchCase } from './cases.ts';

/** One way to do a case's work. */
export interface Rival {
  readonly name: string;
  /** @returns the result's file; undefined when this one cannot do it */
  run(each: BenchCase): Promise<Uint8Array | undefined>;
}
