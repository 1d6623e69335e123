import { budget } from '../budget.ts';
import type { CodecFactory } from '../workspace.ts';
import { aligned } from './aligned.ts';
import { LibraryCodecs } from './library-codecs.ts';

const PAGE = 65_536;

/**
 * The one WebAssembly memory of an isolate. WebAssembly memory can never shrink and dropped instances are not collected in
 * time, so all codecs and all large tables live here, and what the isolate keeps between jobs is this memory alone.
 *
 * A job's share has two parts. The lower one is the heap of library codecs (built by `scripts/kernels.ts` to import their
 * memory and to stop at a limit), which use it in turns and begin each time as if made anew (`LibraryCodecs`). Above it lie the regions that our own kernels and decoders work on.
 *
 * Everything that a job wrote is zeroed when it ends, so that no codec can ever show one customer another's pixels.
 */
export class Arena {
  readonly #memory: WebAssembly.Memory;
  readonly #kernels = new Map<WebAssembly.Module, WebAssembly.Instance>();
  readonly #codecs: LibraryCodecs;
  /** Where the regions start, in bytes. */
  #base = 0;
  #taken = 0;
  #libraryUsed = false;
  #lease = 0;

  /** @param limit bytes that the memory may grow to */
  constructor(limit: number = budget.arena) {
    this.#memory = new WebAssembly.Memory({ initial: 1, maximum: Math.floor(limit / PAGE) });
    this.#codecs = new LibraryCodecs(this.#memory);
  }

  /**
   * Hands the arena to a job, wiped, whatever a job before it has left. Whoever had it before has lost it: a job that was taken for dead
   * may come back.
   * @returns the number of this lease
   */
  lease(): number {
    this.clear();
    this.#lease++;
    return this.#lease;
  }

  /** Whether nobody was handed the arena after this lease. */
  isLeasedTo(lease: number): boolean {
    return lease === this.#lease;
  }

  /** Bytes that the isolate has committed for good. */
  get committed(): number {
    return this.#memory.buffer.byteLength;
  }

  /**
   * Prepares the next stage: `library` bytes for library codecs and `regions` bytes above them. Only when no regions are
   * out: growth detaches every view.
   */
  reserve(regions: number, library = 0): void {
    if (this.#taken > 0) throw new RangeError('the arena still holds regions');
    this.#base = Math.ceil(library / PAGE) * PAGE;
    const missing = Math.ceil((this.#base + regions - this.committed) / PAGE);
    if (missing > 0) this.#memory.grow(missing);
  }

  /** The next free region, 16-byte aligned. It never grows the memory. @throws RangeError when the reservation is used up */
  region(bytes: number): Uint8Array<ArrayBuffer> {
    const start = this.#base + this.#taken;
    const end = start + aligned(bytes);
    if (end > this.committed) {
      throw new RangeError(`arena region of ${bytes} bytes exceeds the ${this.committed} reserved`);
    }
    this.#taken = end - this.#base;
    return new Uint8Array(this.#memory.buffer, start, bytes);
  }

  /** Whether a view lies in this memory. */
  holds(view: Uint8Array): boolean {
    return view.buffer === this.#memory.buffer;
  }

  /** Bytes of regions that are out: `rewind` goes back to here. */
  mark(): number {
    return this.#taken;
  }

  /** Gives back, zeroed, the regions that were taken since a mark. */
  rewind(mark: number): void {
    new Uint8Array(this.#memory.buffer, this.#base + mark, this.#taken - mark).fill(0);
    this.#taken = mark;
  }

  /** Gives every region back, zeroed, and the library's part with them. */
  clear(): void {
    const start = this.#libraryUsed ? 0 : this.#base;
    const end = Math.min(this.#base + this.#taken, this.committed);
    new Uint8Array(this.#memory.buffer, start, end - start).fill(0);
    this.#taken = 0;
    this.#libraryUsed = false;
  }

  /** A kernel on this memory. Kernels keep nothing of their own, so that one instance serves all jobs. */
  kernel<Exports>(wasm: WebAssembly.Module): Exports {
    const kept = this.#kernels.get(wasm) ?? new WebAssembly.Instance(wasm, { env: { memory: this.#memory } });
    this.#kernels.set(wasm, kept);
    return kept.exports as Exports;
  }

  /**
   * A library codec in the library's part of the arena, which it has to itself: the codec that was made before it must not
   * be used any more. It is as new, its heap in one piece.
   */
  instantiate<Module>(factory: CodecFactory<Module>, wasm: WebAssembly.Module): Promise<Module> {
    const library = new Uint8Array(this.#memory.buffer, 0, this.#base);
    if (this.#libraryUsed) library.fill(0);
    this.#libraryUsed = true;
    const lease = this.#lease;
    return this.#codecs.ready(factory, wasm, library, () => this.isLeasedTo(lease));
  }

  /** Bytes up to the last one that is not zero: what was really used, for the tests that hold plans to their word. */
  measure(): number {
    const words = new Uint32Array(this.#memory.buffer);
    let last = words.length - 1;
    while (last >= 0 && words[last] === 0) last--;
    return (last + 1) * 4;
  }
}

/** The isolate's arenas: module state on purpose, since their memory outlives every job. */
export const isolateArena = new Arena();
/** For small jobs, which run beside a large one. */
export const isolateSmallArena = new Arena(budget.small);
