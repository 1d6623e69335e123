import wasm from '../../../../build/deflate.wasm';
import { aligned } from '../../kernels/aligned.ts';
import type { Workspace } from '../../workspace.ts';

/** Exports of `kernels/assembly/deflate.ts`, where they are described. */
interface DeflateKernel {
  start(
    work: number,
    passes: number,
    trees: number,
    depth: number,
    nice: number,
    lazy: number,
    items: number,
    parts: number,
    dry: number,
  ): void;
  give(work: number, input: number, bytes: number): number;
  take(work: number, out: number, bytes: number): void;
  written(work: number): number;
  size(work: number): number;
  end(work: number): void;
  deflate(work: number): number;
}

/** What the kernel says: the output region is full. */
const FULL = 1;

/** Bytes of the kernel's work region. */
export const DEFLATE_WORK_BYTES = 2_455_968;

/** How hard is tried to make a stream small. */
export interface DeflateEffort {
  /** Passes of the optimal parse; 0: the lazy parse, which is many times faster. */
  readonly passes: number;
  /** Optimal parse: whether matches are looked for in trees of all that is near, not in chains of the nearest. */
  readonly trees: boolean;
  /** Candidates for a match that are looked at. */
  readonly depth: number;
  /** Bytes of a match that is good enough. */
  readonly nice: number;
  /** Lazy parse: bytes of a match up to which the next position is tried too. */
  readonly lazy: number;
  /** Symbols that are gathered before blocks are made of them; 65,536 at the most. */
  readonly items: number;
  /** Base-2 logarithm of the symbols between which they may be divided; 64 times as many must be `items` or more. */
  readonly partBits: number;
}

/**
 * From the fastest to the smallest. Measured on filtered rows of photographs, in MB a second of one core, and sizes against `best`:
 * fastest 85, 1.15; lazy 30, 1.09; quick 16, 1.05; fair 11, 1.04; good 8, 1.02; high 6, 1.005; better 4, 1.001; best 2.5. Graphics go three to
 * six times as fast.
 */
export const deflateEfforts = {
  fastest: { passes: 0, trees: false, depth: 4, nice: 32, lazy: 0, items: 16_384, partBits: 12 },
  lazy: { passes: 0, trees: false, depth: 24, nice: 130, lazy: 32, items: 65_536, partBits: 12 },
  quick: { passes: 1, trees: false, depth: 4, nice: 64, lazy: 0, items: 65_536, partBits: 12 },
  fair: { passes: 1, trees: true, depth: 4, nice: 64, lazy: 0, items: 65_536, partBits: 12 },
  good: { passes: 1, trees: true, depth: 8, nice: 64, lazy: 0, items: 65_536, partBits: 12 },
  high: { passes: 1, trees: true, depth: 16, nice: 64, lazy: 0, items: 65_536, partBits: 10 },
  better: { passes: 2, trees: true, depth: 32, nice: 130, lazy: 0, items: 65_536, partBits: 10 },
  best: { passes: 5, trees: true, depth: 128, nice: 258, lazy: 0, items: 65_536, partBits: 10 },
} as const satisfies Record<string, DeflateEffort>;

/** Bytes of the arena that a `Deflater` takes. @param pieceBytes bytes of its output at once */
export function deflaterBytes(pieceBytes: number): number {
  return aligned(DEFLATE_WORK_BYTES) + aligned(pieceBytes);
}

/** Writes zlib streams (RFC 1950), one after the other, from and to the arena. */
export class Deflater {
  readonly #kernel: DeflateKernel;
  readonly #work: number;
  readonly #out: Uint8Array;

  /** @param pieceBytes bytes of output at once: 1 KiB at the least */
  constructor(pieceBytes: number, workspace: Workspace) {
    if (pieceBytes < 1024) throw new RangeError(`pieces of ${pieceBytes} bytes`);
    this.#kernel = workspace.kernel<DeflateKernel>(wasm);
    this.#work = workspace.arena(DEFLATE_WORK_BYTES).byteOffset;
    this.#out = workspace.arena(pieceBytes);
  }

  /** Begins a stream. @param dry whether it is only counted how long it gets: there are no pieces then */
  begin(effort: DeflateEffort, dry = false): void {
    const { passes, trees, depth, nice, lazy, items, partBits } = effort;
    this.#kernel.start(this.#work, passes, Number(trees), depth, nice, lazy, items, partBits, Number(dry));
    this.#takeOutput();
  }

  /** Bytes of the stream so far, without those that have not become symbols of a block yet. */
  get size(): number {
    return this.#kernel.size(this.#work);
  }

  /** Compresses bytes of the arena. A piece that comes out is valid until the next one is asked for. */
  *deflate(at: number, bytes: number): Generator<Uint8Array, undefined> {
    for (let given = 0; given < bytes; ) {
      given += this.#kernel.give(this.#work, at + given, bytes - given);
      yield* this.#pieces();
    }
  }

  /** Ends the stream; the last pieces. */
  *end(): Generator<Uint8Array, undefined> {
    this.#kernel.end(this.#work);
    yield* this.#pieces();
    const rest = this.#written;
    if (rest.length > 0) yield rest;
  }

  *#pieces(): Generator<Uint8Array, undefined> {
    while (this.#kernel.deflate(this.#work) === FULL) {
      yield this.#written;
      this.#takeOutput();
    }
  }

  get #written(): Uint8Array {
    return this.#out.subarray(0, this.#kernel.written(this.#work) - this.#out.byteOffset);
  }

  #takeOutput(): void {
    this.#kernel.take(this.#work, this.#out.byteOffset, this.#out.length);
  }
}
