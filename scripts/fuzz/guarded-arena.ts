import { aligned } from '../../src/image/kernels/aligned.ts';
import { Arena } from '../../src/image/kernels/arena.ts';

const GUARD_BYTES = 256;
const GUARD = 0xa5;
/** What a clean part of the memory is compared with. */
const ZEROS = new Uint8Array(1024 * 1024);
/** Guards of one stage at the most. */
const MOST_GUARDS = 4096;

interface Region {
  /** Where the arena's regions ended before it. */
  readonly from: number;
  readonly bytes: number;
  /** Behind it, from its last byte on: what only alignment took is part of it. */
  readonly guard: Uint8Array;
}

/** An arena that finds out who writes outside of regions or takes more than was reserved, and counts calls of kernels. */
export class GuardedArena extends Arena {
  #regions: Region[] = [];
  #reserved = 0;
  #memory: ArrayBuffer | undefined;
  readonly #counted = new Map<WebAssembly.Module, unknown>();
  /** What went wrong in the running job. */
  faults: string[] = [];
  /** Calls of our kernels' functions in the running job. */
  calls = 0;

  constructor() {
    super(160 * 1024 * 1024);
  }

  /** Forgets the job before. */
  begin(): void {
    this.faults = [];
    this.calls = 0;
  }

  override reserve(regions: number, library = 0): void {
    this.#reserved = aligned(regions);
    super.reserve(regions + (MOST_GUARDS + 1) * GUARD_BYTES, library);
    this.#guard(0, 0, 0);
  }

  override region(bytes: number): Uint8Array<ArrayBuffer> {
    const from = this.mark();
    const region = super.region(bytes);
    this.#guard(from, aligned(bytes), -bytes & 15);
    const taken = this.#regions.reduce((sum, each) => sum + each.bytes, 0);
    if (taken > this.#reserved) this.faults.push(`${taken} bytes of regions were taken, ${this.#reserved} planned`);
    return region;
  }

  override rewind(mark: number): void {
    this.#check();
    super.rewind(mark);
    this.#regions = this.#regions.filter(({ from }) => from < mark);
  }

  override clear(): void {
    this.#check();
    super.clear();
    this.#regions = [];
  }

  override kernel<Exports>(wasm: WebAssembly.Module): Exports {
    const counted = this.#counted.get(wasm) ?? this.#counting(super.kernel<WebAssembly.Exports>(wasm));
    this.#counted.set(wasm, counted);
    return counted as Exports;
  }

  /** Whether every byte is zero, as it must be between jobs. */
  get clean(): boolean {
    const memory = Buffer.from(this.#memory ?? new ArrayBuffer(0));
    for (let at = 0; at < memory.length; at += ZEROS.length) {
      const part = memory.subarray(at, at + ZEROS.length);
      if (part.compare(ZEROS, 0, part.length) !== 0) return false;
    }
    return true;
  }

  #guard(from: number, bytes: number, before: number): void {
    const region = super.region(GUARD_BYTES);
    this.#memory = region.buffer;
    const guard = new Uint8Array(region.buffer, region.byteOffset - before, before + GUARD_BYTES).fill(GUARD);
    this.#regions.push({ from, bytes, guard });
  }

  #check(): void {
    const broken = this.#regions.filter(({ guard }) => guard.some((byte) => byte !== GUARD));
    for (const { bytes } of broken) this.faults.push(`something was written behind a region of ${bytes} bytes`);
  }

  #counting(exports: WebAssembly.Exports): WebAssembly.Exports {
    const count =
      (value: (...values: never[]) => unknown) =>
      (...values: never[]) => {
        this.calls++;
        return value(...values);
      };
    return Object.fromEntries(
      Object.entries(exports).map(([name, value]) => [
        name,
        typeof value === 'function' ? count(value as never) : value,
      ]),
    ) as WebAssembly.Exports;
  }
}
