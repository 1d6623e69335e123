import type { CodecFactory } from '../workspace.ts';
import { MemorySnapshot } from './memory-snapshot.ts';

const PAGE = 65_536;
/** Exports that `scripts/kernels/` gives a library codec: where its heap ends, in pages, and its other variables by number. */
const HEAP_PAGES = 'plumePages';
const VARIABLE = /^plumeVariable\d+$/;

/** A codec as it was when it was made. */
interface Made {
  readonly module: unknown;
  readonly pages: WebAssembly.Global;
  /** That of the stack's pointer first. */
  readonly variables: readonly { readonly global: WebAssembly.Global; readonly first: unknown }[];
  readonly memory: MemorySnapshot;
  /** What the codec's glue has views of: growth of the memory replaces it. */
  readonly buffer: ArrayBufferLike;
}

/**
 * The library codecs of one memory, each made once and put back to its first state for every use: all of its state is in the memory
 * and in its variables. An instance a job would leave its hundreds of functions and tables, 165 kB and more, to V8's collector, which
 * lets 80 MB of them stand.
 */
export class LibraryCodecs {
  readonly #memory: WebAssembly.Memory;
  readonly #made = new Map<WebAssembly.Module, Made>();

  constructor(memory: WebAssembly.Memory) {
    this.#memory = memory;
  }

  /**
   * A codec as new. @param library the part of the memory that it is to have, which begins where the memory does, is in whole pages and is
   * all zero
   * @param isOurs whether that part is still the caller's: once it is another's, a codec that was being made is not kept
   */
  async ready<Module>(
    factory: CodecFactory<Module>,
    wasm: WebAssembly.Module,
    library: Uint8Array,
    isOurs: () => boolean,
  ): Promise<Module> {
    const kept = this.#made.get(wasm);
    if (kept !== undefined && canServe(kept, library)) {
      kept.memory.restore(library);
      for (const { global, first } of kept.variables) global.value = first;
      kept.pages.value = library.length / PAGE;
      return kept.module as Module;
    }
    this.#made.delete(wasm);
    let exports: WebAssembly.Exports = {};
    const module = await this.#make(factory, (imports) => {
      exports = new WebAssembly.Instance(wasm, { ...imports, plume: { memory: this.#memory } }).exports;
      pagesOf(exports).value = library.length / PAGE;
      return this.#withoutGrowth(exports);
    });
    if (!isOurs()) return module;
    const { buffer } = library;
    const memory = new MemorySnapshot(library);
    this.#made.set(wasm, { module, pages: pagesOf(exports), variables: variablesOf(exports), memory, buffer });
    return module;
  }

  #make<Module>(
    factory: CodecFactory<Module>,
    instantiate: (imports: WebAssembly.Imports) => WebAssembly.Exports,
  ): Promise<Module> {
    return factory({
      noInitialRun: true,
      print: () => undefined,
      printErr: () => undefined,
      instantiateWasm: (imports, done) => {
        const exports = instantiate(imports);
        done({ exports });
        return exports;
      },
    });
  }

  /** What a library's glue sees: the memory as it is, which refuses to grow. */
  #withoutGrowth(exports: WebAssembly.Exports): WebAssembly.Exports {
    const memory = this.#memory;
    const view = {
      get buffer() {
        return memory.buffer;
      },
      grow(): never {
        throw new RangeError('a library codec may not grow the arena');
      },
    };
    return Object.fromEntries(
      Object.entries(exports).map(([name, value]) => [name, value === memory ? (view as WebAssembly.Memory) : value]),
    );
  }
}

/** After a trap or an exception the stack's pointer is not where it was, and what the glue knows may be wrong too. */
function canServe({ variables: [stack], memory, buffer }: Made, library: Uint8Array): boolean {
  return buffer === library.buffer && memory.end <= library.length && stack?.global.value === stack?.first;
}

function pagesOf(exports: WebAssembly.Exports): WebAssembly.Global {
  const pages = exports[HEAP_PAGES];
  if (!(pages instanceof WebAssembly.Global)) throw new TypeError('a codec that npm run kernels did not build');
  return pages;
}

function variablesOf(exports: WebAssembly.Exports): Made['variables'] {
  const globals = Object.entries(exports).filter(([name]) => VARIABLE.test(name)) as [string, WebAssembly.Global][];
  return globals.map(([, global]) => ({ global, first: global.value }));
}
