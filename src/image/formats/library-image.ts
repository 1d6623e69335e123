/** What the library decoders return: RGBA, height × width × 4, straight alpha. */
export class LibraryImage {
  readonly data: Uint8ClampedArray;
  readonly width: number;
  readonly height: number;

  constructor(data: Uint8ClampedArray, width: number, height: number) {
    this.data = data;
    this.width = width;
    this.height = height;
  }
}

/** The library decoders build their result with the browser's `ImageData`, which Workers do not have. */
export function provideImageData(): void {
  const scope = globalThis as { ImageData?: unknown };
  scope.ImageData ??= LibraryImage;
}

/**
 * What a library decodes: RGBA, height × width × 4, without a copy; undefined when the data is damaged. For that the
 * libraries return null or trap, or give a picture of another size than the header says.
 */
export function decodeWithLibrary(
  decode: () => LibraryImage | null,
  size: { readonly width: number; readonly height: number },
): Uint8Array | undefined {
  try {
    const image = decode();
    if (image === null || image.width !== size.width || image.height !== size.height) return undefined;
    return new Uint8Array(image.data.buffer, image.data.byteOffset, image.data.byteLength);
  } catch {
    return undefined;
  }
}
