export interface ExifOptions {
  readonly little?: boolean;
  /** TIFF field type: 1 BYTE, 3 SHORT, 4 LONG, others are wrong on purpose. */
  readonly type?: number;
  readonly count?: number;
  readonly tag?: number;
}

/** A TIFF block with two entries, the second of which is the orientation (or another tag). */
export function exifBlock(orientation: number, options: ExifOptions = {}): Uint8Array {
  const { little = false, type = 3, count = 1, tag = 0x0112 } = options;
  const bytes = new Uint8Array(38);
  const view = new DataView(bytes.buffer);
  view.setUint16(0, little ? 0x4949 : 0x4d4d);
  view.setUint16(2, 42, little);
  view.setUint32(4, 8, little);
  view.setUint16(8, 2, little);
  view.setUint16(10, 0x010f, little);
  view.setUint16(12, 2, little);
  view.setUint32(14, 4, little);
  view.setUint16(22, tag, little);
  view.setUint16(24, type, little);
  view.setUint32(26, count, little);
  if (type === 4) view.setUint32(30, orientation, little);
  else if (type === 1) view.setUint8(30, orientation);
  else view.setUint16(30, orientation, little);
  return bytes;
}
