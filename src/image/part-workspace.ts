import { aligned } from './kernels/aligned.ts';
import type { CodecFactory, Workspace } from './workspace.ts';

/**
 * A workspace whose regions come out of one region of another: stages that run several times take the same bytes each time.
 * Everything but regions is the other's.
 */
export class PartWorkspace implements Workspace {
  readonly #whole: Workspace;
  readonly #region: Uint8Array<ArrayBuffer>;
  #taken = 0;

  /** @param bytes of all regions at once, each in whole 16 bytes */
  constructor(whole: Workspace, bytes: number) {
    this.#whole = whole;
    this.#region = whole.arena(bytes);
  }

  /** Takes every region back and zeroes it, for the next run. Nobody may use one of them any more. */
  restart(): void {
    this.#region.fill(0, 0, this.#taken);
    this.#taken = 0;
  }

  arena(bytes: number): Uint8Array<ArrayBuffer> {
    const start = this.#taken;
    const end = start + aligned(bytes);
    if (end > this.#region.length)
      throw new RangeError(`a region of ${bytes} bytes, of ${this.#region.length - start}`);
    this.#taken = end;
    return this.#region.subarray(start, start + bytes);
  }

  buffer(bytes: number): Uint8Array<ArrayBuffer> {
    return this.#whole.buffer(bytes);
  }

  adopt(buffer: Uint8Array): void {
    this.#whole.adopt(buffer);
  }

  release(buffer: Uint8Array): void {
    this.#whole.release(buffer);
  }

  inArena(view: Uint8Array): boolean {
    return this.#whole.inArena(view);
  }

  kernel<Exports>(wasm: WebAssembly.Module): Exports {
    return this.#whole.kernel(wasm);
  }

  codec<Module>(factory: CodecFactory<Module>, wasm: WebAssembly.Module): Promise<Module> {
    return this.#whole.codec(factory, wasm);
  }
}
