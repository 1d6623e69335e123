/** Colour types of PNG (third edition, 11.2.1): grey, RGB, palette, grey with alpha, RGB with alpha. */
export type ColourType = 0 | 2 | 3 | 4 | 6;
export type BitDepth = 1 | 2 | 4 | 8 | 16;

/** How the samples of a PNG lie in its rows. */
export interface Layout {
  readonly colourType: ColourType;
  readonly bitDepth: BitDepth;
}

const channelsOf = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 } as const;

/** The bit depths that each colour type allows (third edition, table 12). */
const depthsOf: Readonly<Record<ColourType, readonly number[]>> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
};

/** The layout that an IHDR declares, or undefined where the specification has none such. */
export function layoutOf(colourType: number, bitDepth: number): Layout | undefined {
  const depths = depthsOf[colourType as ColourType] as readonly number[] | undefined;
  if (!depths?.includes(bitDepth)) return undefined;
  return { colourType: colourType as ColourType, bitDepth: bitDepth as BitDepth };
}

export function bitsPerPixel(layout: Layout): number {
  return channelsOf[layout.colourType] * layout.bitDepth;
}

/** The distance in bytes that the filters look back: one pixel, rounded up. */
export function bytesPerPixel(layout: Layout): number {
  return Math.max(1, bitsPerPixel(layout) >> 3);
}

/** Bytes of one row without its filter byte. Rows start on whole bytes. */
export function rowBytes(layout: Layout, width: number): number {
  return Math.ceil((width * bitsPerPixel(layout)) / 8);
}
