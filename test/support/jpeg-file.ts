/** A marker segment with its length, made for tests. */
export function jpegSegment(code: number, data: Uint8Array | readonly number[] | string): Uint8Array {
  const bytes = typeof data === 'string' ? new TextEncoder().encode(data) : data;
  const length = bytes.length + 2;
  return Uint8Array.from([0xff, code, length >> 8, length & 255, ...bytes]);
}

export interface JpegFrameOptions {
  readonly code?: number;
  readonly precision?: number;
  readonly width?: number;
  readonly height?: number;
  /** Component ids; sampling is 2×2 for the first, 1×1 for the rest. */
  readonly ids?: readonly number[];
}

/** SOFn. */
export function jpegFrame(options: JpegFrameOptions = {}): Uint8Array {
  const { code = 0xc0, precision = 8, width = 40, height = 30, ids = [1, 2, 3] } = options;
  const components = ids.flatMap((id, index) => [id, index === 0 ? 0x22 : 0x11, index === 0 ? 0 : 1]);
  return jpegSegment(code, [
    ...[precision, height >> 8, height & 255, width >> 8, width & 255, ids.length],
    ...components,
  ]);
}

export const SOI = Uint8Array.of(0xff, 0xd8);
export const EOI = Uint8Array.of(0xff, 0xd9);
/** A scan of one component with stuffed, restart and fill bytes in its data. */
export const scan = Uint8Array.from([
  ...jpegSegment(0xda, [1, 1, 0, 0, 63, 0]),
  ...[0x12, 0xff, 0x00, 0x34, 0xff, 0xd0, 0x56, 0xff, 0xff, 0x00, 0x78],
]);

/** JFIF 1.02, 72 dpi, with a 1×1 thumbnail. */
export const jfif = jpegSegment(0xe0, [0x4a, 0x46, 0x49, 0x46, 0, 1, 2, 1, 0, 72, 0, 72, 1, 1, 9, 9, 9]);

/** Adobe APP14 with a colour transform. */
export function adobe(transform: number): Uint8Array {
  return jpegSegment(0xee, [0x41, 0x64, 0x6f, 0x62, 0x65, 0, 100, 0, 0, 0, 0, transform]);
}

/** One APP2 piece of a profile. */
export function iccPiece(number: number, count: number, bytes: readonly number[]): Uint8Array {
  return jpegSegment(0xe2, [...new TextEncoder().encode('ICC_PROFILE\0'), number, count, ...bytes]);
}

/** Joins pieces into one file. */
export function joined(...parts: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}
