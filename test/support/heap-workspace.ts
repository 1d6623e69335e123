import { Arena } from '../../src/image/kernels/arena.ts';
import type { CodecFactory, Workspace } from '../../src/image/workspace.ts';

const MIB = 1024 * 1024;
/** Bytes that may be asked for at once. */
const ROOM = 96 * MIB;
/** One for all workspaces of a test file, since every WebAssembly memory keeps gigabytes of addresses to itself. */
const sharedArena = new Arena(ROOM);

/**
 * A `Workspace` for tests that use one at a time: a new one wipes the arena of the one before. It counts what is really
 * asked for, so that a test can compare a plan's promise with the truth.
 */
export class HeapWorkspace implements Workspace {
  #held = new Set<Uint8Array>();
  #bufferBytes = 0;
  /** The most heap bytes held at once, in bytes asked for. */
  peakBuffers = 0;
  /** All arena bytes asked for: the arena is not given back within a job. Each region counts in whole 16 bytes. */
  arenaBytes = 0;

  constructor() {
    sharedArena.clear();
    sharedArena.reserve(ROOM);
  }

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
    return sharedArena.region(bytes);
  }

  inArena(view: Uint8Array): boolean {
    return sharedArena.holds(view);
  }

  kernel<Exports>(wasm: WebAssembly.Module): Exports {
    return sharedArena.kernel(wasm);
  }

  codec<Module>(factory: CodecFactory<Module>, wasm: WebAssembly.Module): Promise<Module> {
    return sharedArena.instantiate(factory, wasm);
  }
}
