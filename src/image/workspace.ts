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
   * A region of the arena, 16-byte aligned, zeroed, valid until the arena is handed to a library codec or the job ends.
   * The plan must have asked for it: the arena does not grow while regions are out.
   */
  arena(bytes: number): Uint8Array<ArrayBuffer>;
  /**
   * Hands the whole arena to one library codec. The factory is the codec's Emscripten module factory; the instance
   * is good for this job only and lives in the arena, so nothing of it is left behind, trap or not.
   */
  codec<Module>(factory: CodecFactory<Module>, wasm: WebAssembly.Module): Promise<Module>;
}

export type CodecFactory<Module> = (options: {
  readonly noInitialRun: boolean;
  readonly print: (line: string) => void;
  readonly printErr: (line: string) => void;
  readonly instantiateWasm: (
    imports: WebAssembly.Imports,
    done: (instance: WebAssembly.Instance) => void,
  ) => WebAssembly.Exports;
}) => Promise<Module>;
