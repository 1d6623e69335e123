import type { CodecFactory, Workspace } from '../../../../src/image/workspace.ts';
import { HeapWorkspace } from '../../../support/heap-workspace.ts';

const GUARD_BYTES = 4096;
const GUARD = 0xa5;

/** A workspace whose regions have guards around them, to find out whether a kernel writes beside what it was given. */
export class GuardedWorkspace implements Workspace {
  readonly #inner = new HeapWorkspace();
  readonly #guards: Uint8Array[] = [];
  /** Bytes of all regions asked for, in whole 16 bytes each. */
  taken = 0;

  arena(bytes: number): Uint8Array<ArrayBuffer> {
    const rounded = Math.ceil(bytes / 16) * 16;
    this.taken += rounded;
    const whole = this.#inner.arena(rounded + 2 * GUARD_BYTES);
    for (const guard of [whole.subarray(0, GUARD_BYTES), whole.subarray(GUARD_BYTES + rounded)]) {
      this.#guards.push(guard.fill(GUARD));
    }
    return whole.subarray(GUARD_BYTES, GUARD_BYTES + bytes);
  }

  /** Whether no guard was touched. */
  get intact(): boolean {
    return this.#guards.every((guard) => guard.every((byte) => byte === GUARD));
  }

  buffer(bytes: number): Uint8Array<ArrayBuffer> {
    return this.#inner.buffer(bytes);
  }

  adopt(buffer: Uint8Array): void {
    this.#inner.adopt(buffer);
  }

  release(buffer: Uint8Array): void {
    this.#inner.release(buffer);
  }

  inArena(view: Uint8Array): boolean {
    return this.#inner.inArena(view);
  }

  kernel<Exports>(wasm: WebAssembly.Module): Exports {
    return this.#inner.kernel(wasm);
  }

  codec<Module>(factory: CodecFactory<Module>, wasm: WebAssembly.Module): Promise<Module> {
    return this.#inner.codec(factory, wasm);
  }
}
