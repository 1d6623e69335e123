import type { Extent } from './item-extents.ts';

/** obu_type of frames and of frame headers whose tiles follow apart (AV1 specification §6.2.2). */
const FRAME = 6;
const FRAME_HEADER = 3;

/**
 * Counts the frames that a decoder would decode of a coded item, up to a limit. As decoders do, it passes over zeros between
 * units, and ends at a unit without a size.
 * @param limit frames after which it does not matter how many more there are
 */
export function countCodedFrames(file: Uint8Array, extents: readonly Extent[], limit: number): number {
  const cursor = new ItemCursor(file, extents);
  let frames = 0;
  while (frames < limit) {
    const head = cursor.byte();
    if (head === undefined) break;
    if (head === 0) continue;
    const type = (head >> 3) & 15;
    if (type === FRAME || type === FRAME_HEADER) frames++;
    if ((head & 4) !== 0) cursor.byte();
    if ((head & 2) === 0) break;
    cursor.skip(cursor.leb128());
  }
  return frames;
}

/** Reads the bytes of an item in order, wherever in the file they are. */
class ItemCursor {
  readonly #file: Uint8Array;
  readonly #extents: readonly Extent[];
  #extent = 0;
  /** Offset in the extent. */
  #at = 0;

  constructor(file: Uint8Array, extents: readonly Extent[]) {
    this.#file = file;
    this.#extents = extents;
  }

  /** The next byte; undefined at the end. */
  byte(): number | undefined {
    this.skip(0);
    const extent = this.#extents[this.#extent];
    return extent && this.#file[extent.start + this.#at++];
  }

  skip(count: number): void {
    this.#at += count;
    for (;;) {
      const extent = this.#extents[this.#extent];
      if (extent === undefined || this.#at < extent.end - extent.start) return;
      this.#at -= extent.end - extent.start;
      this.#extent++;
    }
  }

  /** leb128() of §4.10.5; what is cut counts as it is. */
  leb128(): number {
    let value = 0;
    for (let index = 0; index < 8; index++) {
      const byte = this.byte() ?? 0;
      value += (byte & 0x7f) * 2 ** (7 * index);
      if (byte < 0x80) break;
    }
    return value;
  }
}
