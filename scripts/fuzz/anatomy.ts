import type { Random } from './random.ts';

/** How a format's files are put together, for changes that a reader does not see through at its first check. */
export interface Anatomy {
  /** The parts of a file, in order: segments, chunks, boxes. Joined they are the file again. */
  split(file: Uint8Array): Uint8Array[];
  /** Puts parts together; what depends on their bytes (lengths of containers, checksums) is made right again. */
  join(parts: readonly Uint8Array[]): Uint8Array;
  /** Changes what lies inside a part, so that it reads as before from the outside. */
  mutateInside(part: Uint8Array, random: Random): Uint8Array;
}
