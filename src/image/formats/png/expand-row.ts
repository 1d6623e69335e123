import type { PngDetail } from './header.ts';

/** Turns one row as the file holds it into RGBA with straight alpha: four samples a pixel. */
export type RowExpander = (row: Uint8Array, rgba: Uint8Array, width: number) => void;

/**
 * The expander to 8 bits a sample. Samples below 8 bits are scaled to the full range, of 16-bit ones the upper byte is taken (what
 * libvips and browsers do); a transparent colour (tRNS) is compared at full depth. Palette indices beyond the palette are opaque black.
 */
export function expanderTo8(detail: PngDetail): RowExpander {
  const { colourType, bitDepth } = detail.layout;
  if (bitDepth < 8 || colourType === 3) return tableExpander(pixelTable(detail), bitDepth as 1 | 2 | 4 | 8);
  const bytes = bitDepth >> 3;
  const key = transparentKey(detail);
  switch (colourType) {
    case 0:
      return (row, rgba, width) => expandGrey(row, rgba, width, bytes, key?.[0] ?? -1);
    case 4:
      return (row, rgba, width) => expandGreyAlpha(row, rgba, width, bytes);
    case 2:
      return (row, rgba, width) => expandRgb(row, rgba, width, bytes, key);
    default:
      return (row, rgba, width) => expandRgba(row, rgba, width, bytes);
  }
}

/**
 * The expander to 16 bits a sample, upper byte first, for pictures of 16 bits: nothing is lost. The other depths are whole in 8 bits.
 */
export function expanderTo16(detail: PngDetail): RowExpander {
  const { colourType } = detail.layout;
  const key = transparentKey(detail);
  const grey = colourType === 0 || colourType === 4;
  const alpha = colourType === 4 || colourType === 6;
  return (row, rgba, width) => {
    let from = 0;
    let to = 0;
    for (let x = 0; x < width; x++) {
      const start = from;
      for (let channel = 0; channel < 3; channel++) {
        rgba[to++] = row[from]!;
        rgba[to++] = row[from + 1]!;
        if (!grey) from += 2;
      }
      if (grey) from += 2;
      const hidden = key !== undefined && matchesKey(row, start, key);
      rgba[to++] = alpha ? row[from]! : hidden ? 0 : 255;
      rgba[to++] = alpha ? row[from + 1]! : hidden ? 0 : 255;
      if (alpha) from += 2;
    }
  };
}

/** The samples of tRNS in a grey (one) or RGB (three) picture, cut to its depth as the specification says. */
export function transparentKey({ layout, transparency }: PngDetail): number[] | undefined {
  if (!transparency || layout.colourType === 3) return undefined;
  const mask = (1 << layout.bitDepth) - 1;
  const key: number[] = [];
  for (let at = 0; at + 1 < transparency.length; at += 2) {
    key.push(((transparency[at]! << 8) | transparency[at + 1]!) & mask);
  }
  return key;
}

function matchesKey(row: Uint8Array, start: number, key: readonly number[]): boolean {
  for (let index = 0; index < key.length; index++) {
    const at = start + 2 * index;
    if (((row[at]! << 8) | row[at + 1]!) !== key[index]) return false;
  }
  return true;
}

/** RGBA of every value that a sample of up to 8 bits can have. */
function pixelTable(detail: PngDetail): Uint8Array {
  const { layout, palette, transparency } = detail;
  const table = new Uint8Array(256 * 4);
  const values = 1 << layout.bitDepth;
  const key = transparentKey(detail)?.[0];
  for (let value = 0; value < values; value++) {
    const grey = Math.round((value * 255) / (values - 1));
    for (let channel = 0; channel < 3; channel++) {
      table[value * 4 + channel] = layout.colourType === 3 ? (palette?.[value * 3 + channel] ?? 0) : grey;
    }
    const alpha = layout.colourType === 3 ? (transparency?.[value] ?? 255) : value === key ? 0 : 255;
    table[value * 4 + 3] = alpha;
  }
  return table;
}

function tableExpander(table: Uint8Array, bits: 1 | 2 | 4 | 8): RowExpander {
  const colours = new Uint32Array(table.buffer);
  const mask = (1 << bits) - 1;
  const perByte = 8 / bits;
  return (row, rgba, width) => {
    const pixels = new Uint32Array(rgba.buffer, rgba.byteOffset, width);
    if (bits === 8) {
      for (let x = 0; x < width; x++) pixels[x] = colours[row[x]!]!;
      return;
    }
    for (let x = 0, at = 0; x < width; at++) {
      const byte = row[at]!;
      const end = Math.min(width, x + perByte);
      for (let shift = 8 - bits; x < end; shift -= bits) pixels[x++] = colours[(byte >> shift) & mask]!;
    }
  };
}

function expandGrey(row: Uint8Array, rgba: Uint8Array, width: number, bytes: number, key: number): void {
  for (let x = 0, from = 0, to = 0; x < width; x++, from += bytes, to += 4) {
    const grey = row[from]!;
    const sample = bytes === 1 ? grey : (grey << 8) | row[from + 1]!;
    rgba[to] = grey;
    rgba[to + 1] = grey;
    rgba[to + 2] = grey;
    rgba[to + 3] = sample === key ? 0 : 255;
  }
}

function expandGreyAlpha(row: Uint8Array, rgba: Uint8Array, width: number, bytes: number): void {
  for (let x = 0, from = 0, to = 0; x < width; x++, from += 2 * bytes, to += 4) {
    const grey = row[from]!;
    rgba[to] = grey;
    rgba[to + 1] = grey;
    rgba[to + 2] = grey;
    rgba[to + 3] = row[from + bytes]!;
  }
}

function expandRgb(row: Uint8Array, rgba: Uint8Array, width: number, bytes: number, key: number[] | undefined): void {
  for (let x = 0, from = 0, to = 0; x < width; x++, from += 3 * bytes, to += 4) {
    rgba[to] = row[from]!;
    rgba[to + 1] = row[from + bytes]!;
    rgba[to + 2] = row[from + 2 * bytes]!;
    rgba[to + 3] = 255;
  }
  if (!key) return;
  const [red, green, blue] = key;
  const sample = (at: number): number => (bytes === 1 ? row[at]! : (row[at]! << 8) | row[at + 1]!);
  for (let x = 0, from = 0; x < width; x++, from += 3 * bytes) {
    if (sample(from) !== red || sample(from + bytes) !== green || sample(from + 2 * bytes) !== blue) continue;
    rgba[x * 4 + 3] = 0;
  }
}

function expandRgba(row: Uint8Array, rgba: Uint8Array, width: number, bytes: number): void {
  if (bytes === 1) {
    rgba.set(row.subarray(0, width * 4));
    return;
  }
  for (let at = 0; at < width * 4; at++) rgba[at] = row[2 * at]!;
}
