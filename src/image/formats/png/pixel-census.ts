import { aligned } from '../../kernels/aligned.ts';
import type { Workspace } from '../../workspace.ts';
import { type WriteKernel, writeKernel } from './write-kernel.ts';

/** What is known of a picture's pixels. */
export interface PixelFacts {
  /** Every pixel has equal red, green and blue. */
  readonly grey: boolean;
  /** Every pixel has full alpha. */
  readonly opaque: boolean;
  /** Some sample needs more than 8 bits: its two bytes differ. */
  readonly wide: boolean;
  /** The least depth of a grey sample, where `grey` and not `wide`. */
  readonly greyDepth: 1 | 2 | 4 | 8;
  /** The distinct pixels as RGBA, four bytes each, in order of appearance; absent where there are over 256 or samples are wide. */
  readonly colours?: Uint8Array;
}

const MAX_COLOURS = 256;

/** Bytes of the kernel's census, and where the colours are in it. */
export const CENSUS_BYTES = aligned(32 + 4 * MAX_COLOURS + 2 * 1024);
const COLOURS = 32;

/** Gathers facts of RGBA rows in the arena as they pass. */
export class PixelCensus {
  readonly #kernel: WriteKernel;
  readonly #bits: 8 | 16;
  readonly #census: Uint8Array;
  /** The kernel's words: coloured, translucent, wide, depth of greys, colours. */
  readonly #words: Uint32Array;

  /** Takes `CENSUS_BYTES` of the arena. */
  constructor(bitsPerSample: 8 | 16, workspace: Workspace) {
    this.#kernel = writeKernel(workspace);
    this.#bits = bitsPerSample;
    this.#census = workspace.arena(CENSUS_BYTES);
    this.#words = new Uint32Array(this.#census.buffer, this.#census.byteOffset, 5);
  }

  /** The kernel's census: where it finds the index of a colour. */
  get address(): number {
    return this.#census.byteOffset;
  }

  get facts(): PixelFacts {
    return {
      grey: this.grey,
      opaque: this.opaque,
      wide: this.#words[2] !== 0,
      greyDepth: Math.max(1, this.#words[3]!) as 1 | 2 | 4 | 8,
      ...(this.few && { colours: this.#census.slice(COLOURS, COLOURS + 4 * this.#words[4]!) }),
    };
  }

  get grey(): boolean {
    return this.#words[0] === 0;
  }

  get opaque(): boolean {
    return this.#words[1] === 0;
  }

  /** Whether a palette holds the colours. */
  get few(): boolean {
    return this.#words[4]! <= MAX_COLOURS;
  }

  /** Takes in whole pixels: a row or several. */
  add(rgba: Uint8Array): void {
    this.#kernel.addPixels(this.address, rgba.byteOffset, (rgba.length * 2) / this.#bits, this.#bits);
  }
}
