import wasm from '../../../../build/inflate.wasm';
import type { FileError } from '../../../errors.ts';
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
  return WORK_BYTES + windowBytes(most);
}

/**
 * A stream in pieces that lie in the arena, each until the next one is asked for. A promise in place of a piece is to be awaited
 * before the next piece is asked for.
 */
export type Pieces = Iterator<Uint8Array | Promise<void>, void>;

/** Reads a zlib stream (RFC 1950) so many bytes at a time; nothing is inflated far ahead of the reader. All of it lies in the arena. */
export class Inflater {
  readonly #kernel: InflateKernel;
  readonly #pieces: Pieces;
  readonly #workspace: Workspace;
  readonly #work: number;
  readonly #window: number;
  readonly #most: number;
  /** Offset in the window of what is read next. */
  #read = 0;

  /**
   * @param pieces the stream, cut anywhere
   * @param most bytes that are asked for at once
   */
  constructor(pieces: Pieces, most: number, workspace: Workspace) {
    this.#kernel = workspace.kernel<InflateKernel>(wasm);
    this.#pieces = pieces;
    this.#most = most;
    this.#workspace = workspace;
    this.#work = workspace.arena(WORK_BYTES).byteOffset;
    this.#window = workspace.arena(windowBytes(most)).byteOffset;
    this.#kernel.start(this.#work, this.#window, windowBytes(most));
  }

  /**
   * The next bytes: where they lie in the arena, until the next call. A promise where the stream has to be awaited first; the same
   * call then goes on. Undefined where the stream ends before; its checksum is then verified.
   * @param bytes at most what the inflater was made for
   * @throws FileError broken_image
   */
  take(bytes: number): number | Promise<void> | undefined {
    if (bytes > this.#most) throw new RangeError(`${bytes} bytes at once, of ${this.#most}`);
    while (this.#ready < bytes) {
      const outcome = this.#inflate();
      if (outcome instanceof Promise) return outcome;
      if (outcome === DONE && this.#ready < bytes) return undefined;
    }
    const at = this.#window + this.#read;
    this.#read += bytes;
    return at;
  }

  /**
   * Passes over bytes; returns whether there were so many. Yields what has to be awaited on the way.
   * @throws FileError broken_image
   */
  *skip(bytes: number): Generator<Promise<void>, boolean> {
    for (let left = bytes; left > 0; ) {
      const next = Math.min(left, this.#most);
      const at = this.take(next);
      if (at === undefined) return false;
      if (at instanceof Promise) yield at;
      else left -= next;
    }
    return true;
  }

  /** Bytes that are inflated and not read yet. */
  get #ready(): number {
    return this.#kernel.filled(this.#work) - this.#read;
  }

  /** Inflates as far as input and room go, and gets more of what is missing. */
  #inflate(): number | Promise<void> {
    const outcome = this.#kernel.inflate(this.#work);
    switch (outcome) {
      case STARVED:
        return this.#feed() ?? STARVED;
      case FULL:
        this.#read -= this.#kernel.slide(this.#work, this.#read);
        return FULL;
      case DONE:
        return DONE;
      default:
        throw unreadable();
    }
  }

  #feed(): Promise<void> | undefined {
    const { done, value } = this.#pieces.next();
    if (done || value === undefined) throw unreadable();
    if (value instanceof Promise) return value;
    if (!this.#workspace.inArena(value)) throw new TypeError('a piece of a stream that is not in the arena');
    this.#kernel.give(this.#work, value.byteOffset, value.length);
    return undefined;
  }
}

function unreadable(): FileError {
  return brokenPng('its compressed picture data cannot be read');
}
