import wasm from '../../../../build/inflate.wasm';
import { aligned } from '../../kernels/aligned.ts';
import type { Workspace } from '../../workspace.ts';
import { brokenPng } from './broken-png.ts';

interface InflateKernel {
  start(work: number, window: number, windowBytes: number): void;
  give(work: number, input: number, bytes: number): void;
  inflate(work: number): number;
  filled(work: number): number;
  slide(work: number, offset: number): number;
}

/** What the kernel asks for or says. */
const STARVED = 0;
const FULL = 1;
const DONE = 2;

/** Bytes given to the kernel at once. */
const INPUT_BYTES = 16 * 1024;
/** The kernel's tables. */
const WORK_BYTES = 28 * 1024;
/** What copies reach back (RFC 1951), and room for one more symbol. */
const HISTORY_BYTES = 32 * 1024 + 512;
/** Bytes that are inflated at once, so that the window slides seldom. */
const STRETCH_BYTES = 64 * 1024;

function windowBytes(most: number): number {
  return aligned(HISTORY_BYTES + STRETCH_BYTES + most);
}

/** Bytes of the arena that an `Inflater` takes. @param most bytes that are asked for at once */
export function inflaterBytes(most: number): number {
  return INPUT_BYTES + WORK_BYTES + windowBytes(most);
}

/** Reads a zlib stream (RFC 1950) so many bytes at a time; nothing is inflated far ahead of the reader. All of it lies in the arena. */
export class Inflater {
  readonly #kernel: InflateKernel;
  readonly #pieces: Iterator<Uint8Array>;
  readonly #input: Uint8Array;
  readonly #work: number;
  readonly #window: number;
  readonly #most: number;
  /** Offset in the window of what is read next. */
  #read = 0;
  #piece: Uint8Array = new Uint8Array(0);
  #given = 0;

  /**
   * @param pieces the stream, cut anywhere
   * @param most bytes that are asked for at once
   */
  constructor(pieces: Iterator<Uint8Array>, most: number, workspace: Workspace) {
    this.#kernel = workspace.kernel<InflateKernel>(wasm);
    this.#pieces = pieces;
    this.#most = most;
    this.#input = workspace.arena(INPUT_BYTES);
    this.#work = workspace.arena(WORK_BYTES).byteOffset;
    this.#window = workspace.arena(windowBytes(most)).byteOffset;
    this.#kernel.start(this.#work, this.#window, windowBytes(most));
  }

  /**
   * The next bytes: where they lie in the arena, until the next call. Undefined where the stream ends before; its checksum is
   * then verified.
   * @param bytes at most what the inflater was made for
   * @throws FileError broken_image
   */
  take(bytes: number): number | undefined {
    if (bytes > this.#most) throw new RangeError(`${bytes} bytes at once, of ${this.#most}`);
    while (this.#ready < bytes) {
      if (!this.#inflate() && this.#ready < bytes) return undefined;
    }
    const at = this.#window + this.#read;
    this.#read += bytes;
    return at;
  }

  /** Passes over bytes; returns whether there were so many. @throws FileError broken_image */
  skip(bytes: number): boolean {
    for (let left = bytes; left > 0; left -= this.#most) {
      if (this.take(Math.min(left, this.#most)) === undefined) return false;
    }
    return true;
  }

  /** Bytes that are inflated and not read yet. */
  get #ready(): number {
    return this.#kernel.filled(this.#work) - this.#read;
  }

  /** Inflates as far as input and room go; returns whether there may be more. */
  #inflate(): boolean {
    switch (this.#kernel.inflate(this.#work)) {
      case STARVED:
        this.#feed();
        return true;
      case FULL:
        this.#read -= this.#kernel.slide(this.#work, this.#read);
        return true;
      case DONE:
        return false;
      default:
        throw brokenPng('its compressed picture data cannot be read');
    }
  }

  #feed(): void {
    while (this.#given === this.#piece.length) {
      const next = this.#pieces.next();
      if (next.done) throw brokenPng('its compressed picture data cannot be read');
      this.#piece = next.value;
      this.#given = 0;
    }
    const bytes = Math.min(INPUT_BYTES, this.#piece.length - this.#given);
    this.#input.set(this.#piece.subarray(this.#given, this.#given + bytes));
    this.#given += bytes;
    this.#kernel.give(this.#work, this.#input.byteOffset, bytes);
  }
}
