import { Arena } from '../../src/image/kernels/arena.ts';
import type { CodecFactory, Workspace } from '../../src/image/workspace.ts';

const GUARD_BYTES = 256;
const GUARD = 0xa5;

/**
 * A workspace whose regions of the arena have guards in front and behind, to find a kernel that writes outside what it was
 * given. Heap buffers are not looked after. One job after another on the same arena: `begin` wipes it.
 */
export class GuardedWorkspace implements Workspace {
  readonly #arena: Arena;
  readonly #room: number;
  #guards: Uint8Array[] = [];
  /** Bytes of all regions asked for, in whole 16 bytes each, without the guards. */
  taken = 0;

  /** @param room bytes of the arena, guards included */
  constructor(room: number) {
    this.#room = room;
    this.#arena = new Arena(room + 65_536);
  }

  begin(): void {
    this.#guards = [];
    this.taken = 0;
    this.#arena.clear();
    this.#arena.reserve(this.#room);
    this.#guard(0);
  }

  /** Whether every guard is as it was. */
  get intact(): boolean {
    return this.#guards.every((guard) => guard.every((byte) => byte === GUARD));
  }

  arena(bytes: number): Uint8Array<ArrayBuffer> {
    this.taken += (bytes + 15) & ~15;
    const region = this.#arena.region(bytes);
    this.#guard(-bytes & 15);
    return region;
  }

  /** A guard that starts with the bytes in front of it that only alignment took. */
  #guard(before: number): void {
    const region = this.#arena.region(GUARD_BYTES);
    const guard = new Uint8Array(region.buffer, region.byteOffset - before, before + GUARD_BYTES);
    guard.fill(GUARD);
    this.#guards.push(guard);
  }

  inArena(view: Uint8Array): boolean {
    return this.#arena.holds(view);
  }

  kernel<Exports>(wasm: WebAssembly.Module): Exports {
    return this.#arena.kernel(wasm);
  }

  buffer(bytes: number): Uint8Array<ArrayBuffer> {
    return new Uint8Array(bytes);
  }

  adopt(): void {}

  release(): void {}

  codec<Module>(factory: CodecFactory<Module>, wasm: WebAssembly.Module): Promise<Module> {
    return this.#arena.instantiate(factory, wasm);
  }
}
