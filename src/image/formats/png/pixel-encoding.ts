import type { BitDepth, ColourType, Layout } from './layout.ts';
import type { PixelFacts } from './pixel-census.ts';

/** One way to write pixels: the layout and what it needs beside the rows. */
export interface PixelEncoding {
  readonly layout: Layout;
  /** RGBA of the palette entries, four bytes each. */
  readonly palette?: Uint8Array;
  /** The colour that stands for transparent, as one grey or three RGB samples of the layout's depth. */
  readonly key?: readonly number[];
}

/**
 * The lossless encodings that are worth trying for pixels with these facts, the likeliest first.
 * @param key the one colour that all transparent pixels have and no opaque one, as 16-bit RGB, where the picture is known to be so
 */
export function losslessEncodings(facts: PixelFacts, key?: readonly number[]): PixelEncoding[] {
  const direct = directEncodings(facts, key);
  if (!facts.colours) return direct;
  const greyDepth = direct[0]!.layout.colourType === 0 ? direct[0]!.layout.bitDepth : 16;
  const depth = paletteDepth(facts.colours.length / 4);
  if (greyDepth <= depth && facts.opaque) return direct;
  const palettes = [orderPalette(facts.colours, compareLuminance), orderPalette(facts.colours, () => 0)].map(
    (palette): PixelEncoding => ({ layout: { colourType: 3, bitDepth: depth }, palette }),
  );
  return facts.grey ? [...direct, ...palettes] : [...palettes, ...direct];
}

/** Encodings without a palette. */
function directEncodings(facts: PixelFacts, key: readonly number[] | undefined): PixelEncoding[] {
  const { grey, opaque, wide } = facts;
  const sampleDepth = wide ? 16 : 8;
  const opaqueType: ColourType = grey ? 0 : 2;
  const opaqueDepth: BitDepth = grey && !wide ? facts.greyDepth : sampleDepth;
  if (opaque) return [{ layout: { colourType: opaqueType, bitDepth: opaqueDepth } }];
  const withAlpha: PixelEncoding = { layout: { colourType: grey ? 4 : 6, bitDepth: sampleDepth } };
  if (!key) return [withAlpha];
  const samples = (grey ? key.slice(0, 1) : key).map((sample) => sample >> (16 - opaqueDepth));
  return [{ layout: { colourType: opaqueType, bitDepth: opaqueDepth }, key: samples }, withAlpha];
}

function paletteDepth(colours: number): 1 | 2 | 4 | 8 {
  if (colours <= 2) return 1;
  if (colours <= 4) return 2;
  return colours <= 16 ? 4 : 8;
}

type Compare = (a: Uint8Array, b: Uint8Array) => number;

/** The palette with its transparent entries first, so that tRNS is short, and otherwise in the given order. */
function orderPalette(colours: Uint8Array, compare: Compare): Uint8Array {
  const entries: Uint8Array[] = [];
  for (let at = 0; at < colours.length; at += 4) entries.push(colours.subarray(at, at + 4));
  entries.sort((a, b) => Number(a[3] === 255) - Number(b[3] === 255) || compare(a, b));
  const palette = new Uint8Array(colours.length);
  for (const [index, entry] of entries.entries()) palette.set(entry, index * 4);
  return palette;
}

function compareLuminance(a: Uint8Array, b: Uint8Array): number {
  return luminance(a) - luminance(b) || a[3]! - b[3]!;
}

/** Luma of ITU-R BT.601 in thousandths. */
function luminance(pixel: Uint8Array): number {
  return 299 * pixel[0]! + 587 * pixel[1]! + 114 * pixel[2]!;
}
