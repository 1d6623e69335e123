import { bandRows, type Frame } from '../frame.ts';
import type { Orientation } from '../header.ts';

/** How the rows of an upright picture are kept until they are complete: as they are, or as Y, Cb and Cr 4:2:0 and transparency. */
export type Store = 'rgba' | 'planar';

/** Source rows that are turned together: sixteen pixels are one cache line of an upright row. */
export const GROUP_ROWS = 16;

/** How one picture is turned: in strips of `stripRows` upright rows (the last one may have fewer). Data: part of a plan. */
export interface Strips {
  readonly store: Store;
  readonly stripRows: number;
  /** For each of which the source is read again. */
  readonly passes: number;
}

/** Where everything lies while a picture is turned. Sizes in bytes unless said otherwise. */
export interface TurnLayout {
  /** Distance of two rows kept: pixels, or luma samples; chroma rows are half as far apart. */
  readonly stride: number;
  /** Distance of two source rows of a group, and of two rows of a turned group that waits to become planar. */
  readonly groupStride: number;
  readonly tileStride: number;
  /** Rows of the bands that come out. */
  readonly bandRows: number;
  /** The pieces of the region; what is not needed is empty. */
  readonly pieces: {
    readonly kept: number;
    readonly blue: number;
    readonly red: number;
    readonly alpha: number;
    readonly group: number;
    readonly tile: number;
    readonly band: number;
  };
  readonly bytes: number;
}

/** Whether the orientation exchanges width and height. */
export function swapsSides(orientation: Orientation): boolean {
  return orientation >= 5;
}

/** The frame after it was turned upright. */
export function uprightFrame(frame: Frame, orientation: Orientation): Frame {
  return swapsSides(orientation) ? { ...frame, width: frame.height, height: frame.width } : frame;
}

/**
 * Chooses what takes the fewest passes over the source; unchanged pixels where planes would save none.
 * @param planes whether 4:2:0 planes may be kept: the picture will be coded with such chroma anyway
 * @param most bytes of upright rows kept at once
 */
export function chooseStrips(frame: Frame, orientation: Orientation, planes: boolean, most: number): Strips {
  const upright = uprightFrame(frame, orientation);
  const rgba = passesOf(upright, 'rgba', most);
  const planar = planes ? passesOf(upright, 'planar', most) : rgba;
  const store = planar < rgba ? 'planar' : 'rgba';
  // Whole chroma rows in every strip but the last.
  const stripRows = Math.min(upright.height, roundUp(Math.ceil(upright.height / Math.min(planar, rgba)), 2));
  return { store, stripRows, passes: Math.ceil(upright.height / stripRows) };
}

function passesOf(upright: Frame, store: Store, most: number): number {
  const samples = store === 'rgba' ? 1 : upright.alpha ? 2.5 : 1.5;
  const perRow = rowStride(upright.width, store) * samples;
  const rows = Math.max(2, Math.floor(most / perRow) & ~1);
  return Math.ceil(upright.height / rows);
}

function rowStride(width: number, store: Store): number {
  return store === 'rgba' ? width * 4 : roundUp(width, 32);
}

export function layOutTurn(
  frame: Frame,
  orientation: Orientation,
  { store, stripRows }: Pick<Strips, 'store' | 'stripRows'>,
): TurnLayout {
  const upright = uprightFrame(frame, orientation);
  const planar = store === 'planar';
  const stride = rowStride(upright.width, store);
  const turnsColumns = swapsSides(orientation);
  const groupStride = oddLines((turnsColumns ? stripRows : upright.width) * 4);
  const tileStride = turnsColumns ? GROUP_ROWS * 4 : roundUp(upright.width, 4) * 4;
  const tileRows = turnsColumns ? roundUp(stripRows, 2) : GROUP_ROWS;
  const rows = Math.min(bandRows(upright.width), upright.height);
  let bytes = 0;
  const place = (length: number) => {
    const at = bytes;
    bytes += roundUp(length, 16);
    return at;
  };
  const chroma = planar ? (stride / 2) * (roundUp(stripRows, 2) / 2) : 0;
  const pieces = {
    kept: place(stride * (planar ? roundUp(stripRows, 2) : stripRows)),
    blue: place(chroma),
    red: place(chroma),
    alpha: place(planar && upright.alpha ? stride * stripRows : 0),
    group: place(groupStride * GROUP_ROWS),
    tile: place(planar ? tileStride * tileRows : 0),
    // Rows are unpacked eight pixels at a time.
    band: place(planar ? rows * upright.width * 4 + 32 : 0),
  };
  return { stride, groupStride, tileStride, bandRows: rows, pieces, bytes };
}

/** An odd number of cache lines: rows at such a distance do not share one set of the cache. */
function oddLines(bytes: number): number {
  return (Math.ceil(bytes / 64) | 1) * 64;
}

function roundUp(value: number, step: number): number {
  return Math.ceil(value / step) * step;
}
