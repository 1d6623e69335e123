import type { CodecFactory, Workspace } from '../../src/image/workspace.ts';

/**
 * A `Workspace` for tests whose arena is made of plain buffers. It counts what is really asked for, so that a test can
 * compare a plan's promise with the truth. Library codecs get their own memory here: it is not for measuring those.
 */
export class HeapWorkspace implements Workspace {
  #held = new Set<Uint8Array>();
  #bufferBytes = 0;
  /** The most heap bytes held at once, in bytes asked for. */
  peakBuffers = 0;
  /** All arena bytes asked for: the arena is not given back within a job. Each region counts in whole 16 bytes. */
  arenaBytes = 0;

  /** Heap bytes that nobody has released yet. */
  get heldBuffers(): number {
    return this.#bufferBytes;
  }

  buffer(bytes: number): Uint8Array<ArrayBuffer> {
    const buffer = new Uint8Array(bytes);
    this.adopt(buffer);
    return buffer;
  }

  adopt(buffer: Uint8Array): void {
    this.#held.add(buffer);
    this.#bufferBytes += buffer.byteLength;
    this.peakBuffers = Math.max(this.peakBuffers, this.#bufferBytes);
  }

  release(buffer: Uint8Array): void {
    if (!this.#held.delete(buffer)) throw new Error('released a buffer that is not held');
    this.#bufferBytes -= buffer.byteLength;
  }

  arena(bytes: number): Uint8Array<ArrayBuffer> {
    this.arenaBytes += (bytes + 15) & ~15;
    return new Uint8Array(bytes);
  }

  async codec<Module>(factory: CodecFactory<Module>, wasm: WebAssembly.Module): Promise<Module> {
    return factory({
      noInitialRun: true,
      print: () => undefined,
      printErr: () => undefined,
      instantiateWasm: (imports, done) => {
        const instance = new WebAssembly.Instance(wasm, imports);
        done(instance);
        return instance.exports;
      },
    });
  }
}
