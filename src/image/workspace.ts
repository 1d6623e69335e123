/**
 * The memory of one job, counted. Stages take every buffer of more than a few KiB here, so that a plan's promise can be
 * compared with what was really used.
 */
export interface Workspace {
  /** A zeroed buffer on the heap of `bytes` bytes, counted until it is released. */
  buffer(bytes: number): Uint8Array<ArrayBuffer>;
  /** Counts a buffer that someone else made (a library's output, the file). */
  adopt(buffer: Uint8Array): void;
  /** Frees a buffer at once: it is detached, so whoever still refers to it sees it empty. */
  release(buffer: Uint8Array): void;
  /**
   * A region of the arena, 16-byte aligned, zeroed, valid until the stage ends (`byteOffset` is a kernel's pointer to it).
   * The plan must have asked for it: the arena does not grow while regions are out.
   */
  arena(bytes: number): Uint8Array<ArrayBuffer>;
  /** Whether a view lies in the arena, so that kernels can work on it where it is. */
  inArena(view: Uint8Array): boolean;
  /** A kernel of our own on the arena: its exports. `wasm` is one of `build/`. */
  kernel<Exports>(wasm: WebAssembly.Module): Exports;
  /**
   * Hands the library's part of the arena (`Cost.library`) to one library codec; the one that had it before is gone. The
   * factory is the codec's Emscripten module factory. What it works in is wiped, trap or not: whoever
   * asks for a codec has it as new.
   */
  codec<Module>(factory: CodecFactory<Module>, wasm: WebAssembly.Module): Promise<Module>;
}

export type CodecFactory<Module> = (options: {
  readonly noInitialRun: boolean;
  readonly print: (line: string) => void;
  readonly printErr: (line: string) => void;
  readonly instantiateWasm: (
    imports: WebAssembly.Imports,
    done: (instance: { readonly exports: WebAssembly.Exports }) => void,
  ) => WebAssembly.Exports;
}) => Promise<Module>;
