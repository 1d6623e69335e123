import { aligned } from '../../kernels/aligned.ts';
import type { Workspace } from '../../workspace.ts';
import { type Deflater, deflateEfforts } from './deflater.ts';
import { Inflater, inflaterBytes } from './inflater.ts';
import type { PixelCensus } from './pixel-census.ts';
import { rowsKernel } from './rows-kernel.ts';
import { setPattern, VECTOR_BYTES, type WriteKernel, writeKernel } from './write-kernel.ts';

/** How pixels lie in the spool: what they were all known to be when they came. */
type Kind = 'grey' | 'indexed' | 'rgb' | 'rgba';

const bytesOf = { grey: 1, indexed: 1, rgb: 3, rgba: 4 } as const;
const keptOf = { grey: [0], indexed: [0], rgb: [0, 1, 2], rgba: [0, 1, 2, 3] } as const;

interface Run {
  readonly kind: Kind;
  rows: number;
}

/** What the deflater may still hold back: 16,384 symbols in fixed codes, and the bytes that it looks ahead. */
const PENDING_BYTES = 68 * 1024;

/** Bytes of the store in which a picture of so many bytes always fits. */
export function spoolRoom(rgbaBytes: number): number {
  return rgbaBytes + (rgbaBytes >> 8) + PENDING_BYTES;
}

/** Bytes of the arena that a `PixelSpool` takes. */
export function pixelSpoolBytes(capacity: number, width: number): number {
  return aligned(capacity) + rowBytes(width) + VECTOR_BYTES + inflaterBytes(width * 4);
}

function rowBytes(width: number): number {
  return aligned(width * 4) + VECTOR_BYTES;
}

/**
 * Pixels kept deflated until it is known how to write them, each as small as what is known when it comes: as the index of its colour
 * while there are few. Graphics, for which that matters most, shrink to a few per cent, so a small store holds large ones.
 */
export class PixelSpool {
  readonly #kernel: WriteKernel;
  readonly #workspace: Workspace;
  readonly #deflater: Deflater;
  readonly #census: PixelCensus;
  readonly #width: number;
  readonly #store: Uint8Array;
  readonly #row: Uint8Array;
  readonly #pattern: Uint8Array;
  readonly #runs: Run[] = [];
  #filled = 0;

  /**
   * Takes `pixelSpoolBytes` of the arena.
   * @param deflater the spool's until `replay`
   * @param census of the pixels that come, each before it is stored
   */
  constructor(capacity: number, width: number, deflater: Deflater, census: PixelCensus, workspace: Workspace) {
    this.#kernel = writeKernel(workspace);
    this.#workspace = workspace;
    this.#deflater = deflater;
    this.#census = census;
    this.#width = width;
    this.#store = workspace.arena(capacity);
    this.#row = workspace.arena(rowBytes(width));
    this.#pattern = workspace.arena(VECTOR_BYTES);
    deflater.begin(deflateEfforts.fastest);
  }

  /** Stores rows of RGBA that lie in the arena, or returns false where they might not fit. */
  store(rgba: Uint8Array): boolean {
    const kind = this.#kind;
    const rows = rgba.length / 4 / this.#width;
    if (this.#deflater.size + spoolRoom(rows * this.#width * bytesOf[kind]) > this.#store.length) return false;
    setPattern(this.#pattern, keptOf[kind], 4);
    for (let y = 0; y < rows; y++) this.#storeRow(rgba.byteOffset + y * this.#width * 4, kind);
    const last = this.#runs.at(-1);
    if (last?.kind === kind) last.rows += rows;
    else this.#runs.push({ kind, rows });
    return true;
  }

  get #kind(): Kind {
    const { grey, opaque, few } = this.#census;
    if (grey && opaque) return 'grey';
    if (few) return 'indexed';
    return opaque ? 'rgb' : 'rgba';
  }

  #storeRow(rgba: number, kind: Kind): void {
    const out = this.#row.byteOffset;
    const { address } = this.#census;
    if (kind === 'indexed') this.#kernel.indexPixels(address, rgba, out, this.#width);
    else this.#kernel.selectBytes(rgba, out, this.#width, this.#pattern.byteOffset, 4, bytesOf[kind]);
    this.#keep(this.#deflater.deflate(out, this.#width * bytesOf[kind]));
  }

  #keep(pieces: Iterable<Uint8Array>): void {
    for (const piece of pieces) {
      this.#store.set(piece, this.#filled);
      this.#filled += piece.length;
    }
  }

  /** Ends the stream: nothing can be stored any more, and the deflater is free. */
  close(): void {
    this.#keep(this.#deflater.end());
  }

  /** The rows again, in order, as RGBA in the arena, each until the next one is asked for. Only once. */
  *replay(): Generator<Uint8Array> {
    const pieces = [this.#store.subarray(0, this.#filled)][Symbol.iterator]();
    const inflater = new Inflater(pieces, this.#width * 4, this.#workspace);
    const rgba = this.#row.subarray(0, this.#width * 4);
    for (const { kind, rows } of this.#runs) {
      for (let y = 0; y < rows; y++) {
        const at = inflater.take(this.#width * bytesOf[kind]);
        if (typeof at !== 'number') throw new TypeError('a spool that does not hold what it was given');
        yield this.#expanded(at, kind, rgba);
      }
    }
  }

  #expanded(at: number, kind: Kind, rgba: Uint8Array): Uint8Array {
    const width = this.#width;
    switch (kind) {
      case 'grey':
        this.#kernel.expandGreys(at, rgba.byteOffset, width);
        return rgba;
      case 'indexed':
        this.#kernel.expandIndexes(this.#census.address, at, rgba.byteOffset, width);
        return rgba;
      case 'rgb':
        rowsKernel(this.#workspace).expandRgb(at, rgba.byteOffset, width);
        return rgba;
      default:
        return new Uint8Array(rgba.buffer, at, width * 4);
    }
  }
}
