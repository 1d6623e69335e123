import type { Frame } from '../../../frame.ts';
import { aligned } from '../../../kernels/aligned.ts';
import { chromaSubsampling } from '../../chroma-subsampling.ts';
import type { Cost, EncodeOptions } from '../../format.ts';
import type { Haste } from '../../haste.ts';
import { avifQuality } from '../../quality.ts';
import type { Speed } from './encode-rectangle.ts';
import { encoderSeconds } from './encoder-cpu.ts';
import { type ColourSettings, rectangleMemory, rectangleOutput } from './encoder-memory.ts';
import { chooseTileGrid, sum, type TileGrid, tileCount } from './tile-grid.ts';
import { windowBytes } from './tile-window.ts';

const MIB = 1024 * 1024;
/** The library's part of the arena is whole pages. */
const PAGE = 65_536;

/** How a picture will be cut and encoded. Pure: the plan and the run make the same. */
export interface EncodingPlan {
  readonly settings: ColourSettings;
  readonly grid: TileGrid;
  /** Rows of tiles that are gathered before they are encoded. */
  readonly tileRows: number;
  /** Bytes of the picture's own transparency in a rectangle, kept while its colours are encoded; 0: opaque. */
  readonly alphaBytes: number;
  readonly cost: Cost & { readonly library: number };
  /** CPU seconds at the most. */
  readonly cpu: number;
}

/** Bytes of the arena that the encoder may use for one rectangle. */
const LIBRARY_LIMIT = { '4:2:0': 32 * MIB, '4:4:4': 40 * MIB };
/** Bytes of the arena in which rows of tiles are gathered: one row of them if it must be, more as long as they fit this. */
const WINDOW_AIM = 16 * MIB;
/**
 * Bytes of the arena in all, by speed. The rest is for the source file or its windows, its decoder, which keeps rows of the
 * picture, and the parts of a picture that is turned, of which the largest ones, made at the faster speed, have the most.
 */
const ARENA_LIMIT: Readonly<Record<Speed, number>> = { 6: 46 * MIB, 8: 41 * MIB, 9: 41 * MIB };
const DECODER_BYTES_PER_COLUMN = 128;
/** Bytes of coded tiles that wait on the heap for the end, so that the file is in the customary order. */
export const HELD_LIMIT = 6 * MIB;
/**
 * Pixels up to which the better speed is taken: it saves a tenth of the bytes and takes about a second a megapixel, three
 * times as long as the other. Beyond, a batch of 20 pictures of 24 megapixels must end within the 300 s that a lane may compute.
 */
const BETTER_SPEED_PIXELS = 20_500_000;

/** Takes smaller tiles where there is little room; where even those do not fit it, as much as they take. */
export function planEncoding(frame: Frame, { quality, room, haste }: EncodeOptions): EncodingPlan {
  return planWithSettings(frame, settingsFor(frame, quality, haste), room);
}

/** @param quality 40–100 on the interface's scale */
export function settingsFor(frame: Frame, quality: number, haste: Haste = 0): ColourSettings {
  return {
    quality: avifQuality(quality),
    speed: hastySpeeds[haste] ?? usualSpeed(frame),
    chroma: chromaSubsampling(quality, haste),
  };
}

/** @param room bytes of the arena that there are; undefined: as many as its limit allows */
export function planWithSettings(
  frame: Frame,
  settings: ColourSettings,
  room = Number.POSITIVE_INFINITY,
): EncodingPlan {
  const grid =
    chooseTileGrid(frame, settings.speed, (candidate) => fits(candidate, frame, settings, room)) ??
    chooseTileGrid(frame, settings.speed, (candidate) => fits(candidate, frame, settings, Number.POSITIVE_INFINITY));
  if (grid === undefined) throw new RangeError(`no tiles for ${frame.width} × ${frame.height} pixels`);
  const tile = largestTile(grid);
  const library = rectangleMemory(tile, settings);
  const tileRows = tileRowsAtOnce(grid, windowLimit(grid, library, frame, settings, room));
  const alphaBytes = alphaBytesOf(grid, frame);
  return {
    settings,
    grid,
    tileRows,
    alphaBytes,
    cpu: encoderSeconds(frame, settings, grid),
    cost: {
      arena: windowBytes(grid, tileRows) + aligned(alphaBytes) + 16,
      library: wholePages(library),
      buffers: heldBytes(frame, grid, settings) + outputBytes(tile, frame.alpha, settings),
    },
  };
}

/** Coded tiles that wait at the most. */
function heldBytes(frame: Frame, grid: TileGrid, settings: ColourSettings): number {
  return Math.min(
    HELD_LIMIT,
    outputBytes(frame, frame.alpha, settings) + tileCount(grid) * outputBytes(NOTHING, frame.alpha, settings),
  );
}

const NOTHING = { width: 0, height: 0 };

/** What a rectangle can become at the most, its transparency included. */
function outputBytes(sides: typeof NOTHING, alpha: boolean, settings: ColourSettings): number {
  return rectangleOutput(sides, settings) + (alpha ? rectangleOutput(sides, { ...settings, chroma: 'none' }) : 0);
}

/** Speeds where there is haste. 9 takes a third of the time of 8, and a twentieth more bytes for photographs. */
const hastySpeeds: readonly (Speed | undefined)[] = [undefined, 8, 9, 9];

function usualSpeed({ width, height }: Frame): Speed {
  return width * height <= BETTER_SPEED_PIXELS ? 6 : 8;
}

function fits(grid: TileGrid, frame: Frame, settings: ColourSettings, room: number): boolean {
  const library = rectangleMemory(largestTile(grid), settings);
  return (
    library <= LIBRARY_LIMIT[settings.chroma] &&
    windowBytes(grid, 1) <= windowLimit(grid, library, frame, settings, room)
  );
}

/** Bytes of the arena that rows of tiles may take. */
function windowLimit(grid: TileGrid, library: number, frame: Frame, settings: ColourSettings, room: number): number {
  const usual = ARENA_LIMIT[settings.speed] - library - sum(grid.widths) * DECODER_BYTES_PER_COLUMN;
  return Math.min(usual, room - wholePages(library) - aligned(alphaBytesOf(grid, frame)) - 16);
}

function alphaBytesOf(grid: TileGrid, { alpha }: Frame): number {
  const { width, height } = largestTile(grid);
  return alpha ? width * height : 0;
}

function wholePages(bytes: number): number {
  return Math.ceil(bytes / PAGE) * PAGE;
}

function largestTile({ widths, heights }: TileGrid): { readonly width: number; readonly height: number } {
  return { width: Math.max(...widths), height: Math.max(...heights) };
}

/** As many rows of tiles as fit: the more is seen at once, the better is judged whether the picture is graphics. */
function tileRowsAtOnce(grid: TileGrid, limit: number): number {
  const rowBytes = windowBytes(grid, 1);
  const most = Math.min(WINDOW_AIM, limit);
  return Math.min(grid.heights.length, Math.max(1, Math.floor(most / rowBytes)));
}
