/** Converts `count` four-byte pixels of the arena to sRGB RGBA in place. Alpha stays; CMYK becomes opaque. */
export type PixelTransform = (pixels: Uint8Array, count: number) => void;
