import { budget } from '../budget.ts';
import type { CodecFactory } from '../workspace.ts';

const PAGE = 65_536;

/**
 * The one WebAssembly memory of an isolate. WebAssembly memory can never shrink and dropped instances are not collected in
 * time, so all library codecs (built by `scripts/kernels.ts` to import their memory) and all large tables live here in
 * turns, and what the isolate keeps between jobs is this memory alone. Instances are made anew for each job: without a memory
 * of their own they weigh nothing, and a trap leaves nothing behind.
 *
 * Everything that a job wrote is zeroed when it ends, so that no codec can ever show one customer another's pixels.
 */
export class Arena {
  readonly #memory: WebAssembly.Memory;
  #taken = 0;
  #touched = 0;

  /** @param limit bytes that the memory may grow to */
  constructor(limit: number = budget.arena) {
    this.#memory = new WebAssembly.Memory({ initial: 1, maximum: Math.floor(limit / PAGE) });
  }

  /** Bytes that the isolate has committed for good. */
  get committed(): number {
    return this.#memory.buffer.byteLength;
  }

  /** Grows the memory to at least `bytes`. Only between jobs and stages: growth detaches every region given out. */
  reserve(bytes: number): void {
    const missing = Math.ceil((bytes - this.committed) / PAGE);
    if (missing > 0) this.#memory.grow(missing);
  }

  /** The next free region, 16-byte aligned. It never grows the memory. @throws RangeError when the reservation is used up */
  region(bytes: number): Uint8Array<ArrayBuffer> {
    const start = this.#taken;
    const end = start + Math.ceil(bytes / 16) * 16;
    if (end > this.committed)
      throw new RangeError(`arena region of ${bytes} bytes exceeds the ${this.committed} reserved`);
    this.#taken = end;
    this.#touched = Math.max(this.#touched, end);
    return new Uint8Array(this.#memory.buffer, start, bytes);
  }

  /** Whether a view lies in this memory. */
  holds(view: Uint8Array): boolean {
    return view.buffer === this.#memory.buffer;
  }

  /** Gives every region back, zeroed. */
  clear(): void {
    new Uint8Array(this.#memory.buffer, 0, Math.min(this.#touched, this.committed)).fill(0);
    this.#taken = 0;
    this.#touched = 0;
  }

  /**
   * Makes a library codec in the arena, which must hold no regions. The codec may use all that is committed and grow it
   * to the limit; the whole is zeroed by the next `clear`.
   */
  async instantiate<Module>(factory: CodecFactory<Module>, wasm: WebAssembly.Module): Promise<Module> {
    if (this.#taken > 0) throw new RangeError('the arena still holds regions');
    this.#touched = Number.POSITIVE_INFINITY;
    return factory({
      noInitialRun: true,
      print: () => undefined,
      printErr: () => undefined,
      instantiateWasm: (imports, done) => {
        const instance = new WebAssembly.Instance(wasm, { ...imports, plume: { memory: this.#memory } });
        done(instance);
        return instance.exports;
      },
    });
  }

  /** Bytes up to the last one that is not zero: what was really used, for the tests that hold plans to their word. */
  measure(): number {
    const words = new Uint32Array(this.#memory.buffer);
    let last = words.length - 1;
    while (last >= 0 && words[last] === 0) last--;
    return (last + 1) * 4;
  }
}

/** The isolate's arena: module state on purpose, since its memory outlives every job. */
export const isolateArena = new Arena();
