import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Workspace } from '../../workspace.ts';

/** How a stored band lies: one byte a pixel where all were opaque grey, else RGBA. */
interface StoredBand {
  readonly start: number;
  readonly end: number;
  readonly grey: boolean;
}

/**
 * Bands kept deflated until it is known how to write them. Graphics, for which that matters most, shrink to a few per cent, so a
 * small store holds large ones.
 */
export class BandSpool {
  readonly #store: Uint8Array;
  readonly #workspace: Workspace;
  readonly #bands: StoredBand[] = [];
  #filled = 0;
  #released = false;

  constructor(capacity: number, workspace: Workspace) {
    this.#store = workspace.buffer(capacity);
    this.#workspace = workspace;
  }

  /** Stores RGBA pixels, or returns false where there is no room left. @param grey whether all of them are opaque grey */
  store(rgba: Uint8Array, grey: boolean): boolean {
    const pixels = grey ? greyOf(rgba) : rgba;
    const deflated = deflateRawSync(pixels, { level: 1 });
    const start = this.#filled;
    const end = start + deflated.length;
    if (end > this.#store.length) return false;
    this.#store.set(deflated, start);
    this.#bands.push({ start, end, grey });
    this.#filled = end;
    return true;
  }

  /** The bands again, in order, as RGBA. */
  *replay(): Generator<Uint8Array> {
    for (const { start, end, grey } of this.#bands) {
      const pixels = inflateRawSync(this.#store.subarray(start, end));
      yield grey ? rgbaOf(pixels) : pixels;
    }
  }

  /** Gives the store back; may be repeated. */
  release(): void {
    if (!this.#released) this.#workspace.release(this.#store);
    this.#released = true;
  }
}

function greyOf(rgba: Uint8Array): Uint8Array {
  const grey = new Uint8Array(rgba.length >> 2);
  for (let index = 0; index < grey.length; index++) grey[index] = rgba[index << 2]!;
  return grey;
}

function rgbaOf(grey: Uint8Array): Uint8Array {
  const rgba = new Uint8Array(grey.length << 2).fill(255);
  for (let index = 0, at = 0; index < grey.length; index++, at += 4) {
    const value = grey[index]!;
    rgba[at] = value;
    rgba[at + 1] = value;
    rgba[at + 2] = value;
  }
  return rgba;
}
