import type { Cost } from './formats/format.ts';
import type { Arena } from './kernels/arena.ts';
import type { CodecFactory, Workspace } from './workspace.ts';

/** The job took so long over something that the arena is another job's now. It ends here; it may be repeated. */
export class LeaseLostError extends Error {
  constructor() {
    super('the arena was leased to another job');
    this.name = 'LeaseLostError';
  }
}

/**
 * The workspace of one job on an isolate's arena, which it leases. Counts the heap buffers that are out. Whatever touches the arena throws
 * LeaseLostError once another workspace was made on it; `check` must be called before a job goes on that has waited.
 */
export class JobWorkspace implements Workspace {
  readonly #arena: Arena;
  readonly #lease: number;
  readonly #out = new Set<ArrayBuffer>();
  #buffers = 0;
  #peakBuffers = 0;
  #allocated = 0;

  constructor(arena: Arena) {
    this.#arena = arena;
    this.#lease = arena.lease();
  }

  /** @throws LeaseLostError */
  check(): void {
    if (!this.#arena.isLeasedTo(this.#lease)) throw new LeaseLostError();
  }

  /** Heap buffers in bytes: the most that was out at once, and all that were ever out. */
  get peak(): { readonly buffers: number; readonly allocated: number } {
    return { buffers: this.#peakBuffers, allocated: this.#allocated };
  }

  buffer(bytes: number): Uint8Array<ArrayBuffer> {
    const buffer = new Uint8Array(bytes);
    this.adopt(buffer);
    return buffer;
  }

  adopt(view: Uint8Array): void {
    const { buffer } = view;
    if (!(buffer instanceof ArrayBuffer) || this.inArena(view) || this.#out.has(buffer)) return;
    this.#out.add(buffer);
    this.#buffers += buffer.byteLength;
    this.#allocated += buffer.byteLength;
    this.#peakBuffers = Math.max(this.#peakBuffers, this.#buffers);
  }

  release({ buffer }: Uint8Array): void {
    if (!(buffer instanceof ArrayBuffer) || !this.#out.delete(buffer)) return;
    this.#buffers -= buffer.byteLength;
    // Frees the bytes now: the collector may let tens of megabytes of dropped buffers stand.
    buffer.transfer(0);
  }

  arena(bytes: number): Uint8Array<ArrayBuffer> {
    this.check();
    return this.#arena.region(bytes);
  }

  /** Where the arena's regions end: `rewind` goes back to here. */
  mark(): number {
    return this.#arena.mark();
  }

  /** Gives back the regions that were taken since a mark. Nobody may use one of them any more. */
  rewind(mark: number): void {
    this.check();
    this.#arena.rewind(mark);
  }

  inArena(view: Uint8Array): boolean {
    return this.#arena.holds(view);
  }

  kernel<Exports>(wasm: WebAssembly.Module): Exports {
    this.check();
    return this.#arena.kernel(wasm);
  }

  async codec<Module>(factory: CodecFactory<Module>, wasm: WebAssembly.Module): Promise<Module> {
    this.check();
    const module = await this.#arena.instantiate(factory, wasm);
    this.check();
    return module;
  }

  /** Prepares the arena for a stage that costs so much of it: what the stage before left is wiped. */
  stage({ arena, library }: Pick<Cost, 'arena' | 'library'>): void {
    this.check();
    this.#arena.clear();
    this.#arena.reserve(arena, library);
  }

  /** Wipes the arena and frees every buffer still out. Must be called when the job ends, however it ends. */
  finish(): void {
    if (this.#arena.isLeasedTo(this.#lease)) this.#arena.clear();
    for (const buffer of this.#out) this.release(new Uint8Array(buffer));
  }
}
