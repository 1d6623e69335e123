import { BitWriter } from './bit-writer.ts';
import type { CodedTile } from './coded-tile.ts';
import type { FrameParameters } from './frame-parameters.ts';
import { levelOf } from './levels.ts';
import { obuType, writeUnitHeader } from './open-bitstream-units.ts';
import { type SequenceParameters, writeSequenceHeader } from './sequence-parameters.ts';
import { sum, type TileGrid, tileCount } from './tile-grid.ts';
import { tileNumberBits, writeFrameHeader } from './write-frame-header.ts';

/** Bytes of the size in front of a tile's data, wherever it is not known how large the largest one will be. */
const SIZE_BYTES = 4;

/**
 * One AV1 picture (the colours, or the transparency) that grows tile by tile, from left to right and from top to bottom. Its coded
 * form is handed out in runs of whole tiles, so that what has been coded need not be held until the end.
 */
export class CodedPlane {
  readonly #grid: TileGrid;
  #sequence: SequenceParameters | undefined;
  #frame: FrameParameters | undefined;
  #held: Uint8Array[] = [];
  #handedOut = 0;

  constructor(grid: TileGrid) {
    this.#grid = grid;
  }

  /** Bytes of tiles that have not been handed out. */
  get heldBytes(): number {
    return sum(this.#held.map(({ length }) => length));
  }

  /** @throws RangeError when the tile cannot be decoded with the same headers as those before it */
  add({ sequence, frame, data }: CodedTile): void {
    this.#frame ??= frame;
    const { width, height } = this.#sides();
    const shared = { ...sequence, width, height };
    this.#sequence ??= shared;
    const same = JSON.stringify([this.#sequence, this.#frame]) === JSON.stringify([shared, frame]);
    if (!same || sequence.superblock !== this.#grid.superblock) throw new RangeError('tiles that do not go together');
    this.#held.push(data);
  }

  /** The sequence header: the unit for `av1C` and for the start of the data. */
  sequenceHeader(): Uint8Array {
    const header = writeSequenceHeader(this.#parameters().sequence, this.level);
    return Uint8Array.from([...writeUnitHeader(obuType.sequenceHeader, header.length), ...header]);
  }

  /** seq_level_idx. */
  get level(): number {
    return levelOf({ ...this.#sides(), tiles: tileCount(this.#grid), columns: this.#grid.widths.length });
  }

  get sequence(): SequenceParameters {
    return this.#parameters().sequence;
  }

  /** What is held, as units; the first time with the headers in front. The pieces are the caller's. */
  handOut(): Uint8Array[] {
    const first = this.#handedOut;
    const tiles = this.#held;
    this.#held = [];
    this.#handedOut += tiles.length;
    const whole = tiles.length === tileCount(this.#grid);
    if (whole) return [this.sequenceHeader(), ...this.#frameUnit(tiles)];
    const headers = first === 0 ? [this.sequenceHeader(), this.#frameHeaderUnit()] : [];
    return [...headers, ...this.#tileGroupUnit(first, tiles)];
  }

  /** OBU_FRAME (§5.10): header and all tiles. */
  #frameUnit(tiles: readonly Uint8Array[]): Uint8Array[] {
    const sizeBytes = Math.ceil(Math.log2(Math.max(2, ...tiles.map(({ length }) => length))) / 8);
    const writer = writeFrameHeader(this.#parameters().frame, this.#grid, sizeBytes);
    writer.align();
    if (tiles.length > 1) writer.bits(0, 8); // all tiles are in this group
    return unit(obuType.frame, [writer.toBytes(), ...withSizes(tiles, sizeBytes)]);
  }

  /** OBU_FRAME_HEADER (§5.9.1). */
  #frameHeaderUnit(): Uint8Array {
    const writer = writeFrameHeader(this.#parameters().frame, this.#grid, SIZE_BYTES);
    writer.trailing();
    const header = writer.toBytes();
    return Uint8Array.from([...writeUnitHeader(obuType.frameHeader, header.length), ...header]);
  }

  /** OBU_TILE_GROUP (§5.11.1). */
  #tileGroupUnit(first: number, tiles: readonly Uint8Array[]): Uint8Array[] {
    const writer = new BitWriter();
    writer.flag(true);
    for (const tile of [first, first + tiles.length - 1]) writer.bits(tile, tileNumberBits(this.#grid));
    writer.align();
    return unit(obuType.tileGroup, [writer.toBytes(), ...withSizes(tiles, SIZE_BYTES)]);
  }

  #sides(): { readonly width: number; readonly height: number } {
    return { width: sum(this.#grid.widths), height: sum(this.#grid.heights) };
  }

  #parameters(): { readonly sequence: SequenceParameters; readonly frame: FrameParameters } {
    if (this.#sequence === undefined || this.#frame === undefined) throw new RangeError('a picture without tiles');
    return { sequence: this.#sequence, frame: this.#frame };
  }
}

function unit(type: number, parts: readonly Uint8Array[]): Uint8Array[] {
  return [Uint8Array.from(writeUnitHeader(type, sum(parts.map(({ length }) => length)))), ...parts];
}

/** tile_size_minus_1, little-endian, in front of every tile but the last of a group. */
function withSizes(tiles: readonly Uint8Array[], sizeBytes: number): Uint8Array[] {
  return tiles.flatMap((tile, index) => {
    if (index === tiles.length - 1) return [tile];
    const size = Array.from({ length: sizeBytes }, (_, byte) => Math.floor((tile.length - 1) / 256 ** byte) & 255);
    return [Uint8Array.from(size), tile];
  });
}
