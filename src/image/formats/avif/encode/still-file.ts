import { characters, u32 } from '../box-writer.ts';
import type { CodedPlane } from './coded-plane.ts';
import { sum } from './tile-grid.ts';
import { type ItemLocation, type StillItem, writeStillFileType, writeStillMeta } from './write-still-meta.ts';

const BOX_HEADER_BYTES = 8;

/**
 * The file around coded planes. As long as they can be held, it is written at the end, in the customary order: description,
 * then data. What cannot be held is written as it comes, in data boxes of its own, and the description behind them.
 */
export class StillFile {
  readonly #colour: CodedPlane;
  readonly #alpha: CodedPlane;
  readonly #locations = { colour: [] as ItemLocation[], alpha: [] as ItemLocation[] };
  #written = 0;

  /** @param alpha stays without tiles when there is no transparency */
  constructor(colour: CodedPlane, alpha: CodedPlane) {
    this.#colour = colour;
    this.#alpha = alpha;
  }

  /** Writes what the planes hold, to be rid of it. */
  flush(): Uint8Array[] {
    const start = this.#written === 0 ? [writeStillFileType(this.#colour)] : [];
    return this.#count([...start, ...this.#data(this.#written + byteLength(start))]);
  }

  /** Writes the rest. `transparent`: whether the alpha plane is part of the picture. */
  finish(transparent: boolean): Uint8Array[] {
    if (this.#written > 0) {
      const data = this.#data(this.#written);
      return [...data, this.#meta(transparent)];
    }
    const fileType = writeStillFileType(this.#colour);
    const colour = this.#colour.handOut();
    const alpha = transparent ? this.#alpha.handOut() : [];
    const bytes = { colour: byteLength(colour), alpha: byteLength(alpha) };
    const place = (start: number) => {
      this.#locations.colour = [{ offset: start, length: bytes.colour }];
      this.#locations.alpha = [{ offset: start + bytes.colour, length: bytes.alpha }];
      return this.#meta(transparent);
    };
    const meta = place(fileType.length + place(0).length + BOX_HEADER_BYTES);
    return [fileType, meta, dataHeader(bytes.colour + bytes.alpha), ...colour, ...alpha];
  }

  /** What the planes hold as one data box that starts at `at` in the file. */
  #data(at: number): Uint8Array[] {
    const pieces: Uint8Array[] = [];
    let offset = at + BOX_HEADER_BYTES;
    for (const name of ['colour', 'alpha'] as const) {
      const plane = name === 'colour' ? this.#colour : this.#alpha;
      if (plane.heldBytes === 0) continue;
      const units = plane.handOut();
      const length = byteLength(units);
      this.#locations[name].push({ offset, length });
      pieces.push(...units);
      offset += length;
    }
    return pieces.length === 0 ? [] : [dataHeader(byteLength(pieces)), ...pieces];
  }

  #meta(transparent: boolean): Uint8Array {
    const item = (plane: CodedPlane, locations: readonly ItemLocation[]): StillItem => ({
      sequence: plane.sequence,
      level: plane.level,
      sequenceHeader: plane.sequenceHeader(),
      locations,
    });
    const alpha = transparent ? item(this.#alpha, this.#locations.alpha) : undefined;
    return writeStillMeta(item(this.#colour, this.#locations.colour), alpha);
  }

  #count(pieces: Uint8Array[]): Uint8Array[] {
    this.#written += byteLength(pieces);
    return pieces;
  }
}

function byteLength(pieces: readonly Uint8Array[]): number {
  return sum(pieces.map(({ length }) => length));
}

function dataHeader(bytes: number): Uint8Array {
  return Uint8Array.from([...u32(BOX_HEADER_BYTES + bytes), ...characters('mdat')]);
}
