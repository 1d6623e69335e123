import { brokenJpeg } from './broken-jpeg.ts';

/** Marker codes of ITU-T T.81 table B.1: the byte after 0xFF. */
export const marker = {
  TEM: 0x01,
  SOF0: 0xc0,
  DHT: 0xc4,
  JPG: 0xc8,
  DAC: 0xcc,
  SOF15: 0xcf,
  RST0: 0xd0,
  RST7: 0xd7,
  SOI: 0xd8,
  EOI: 0xd9,
  SOS: 0xda,
  DQT: 0xdb,
  DNL: 0xdc,
  DRI: 0xdd,
  APP0: 0xe0,
  APP1: 0xe1,
  APP2: 0xe2,
  APP14: 0xee,
  APP15: 0xef,
  COM: 0xfe,
} as const;

/** One marker segment. Offsets are in the file, in bytes. */
export interface Segment {
  readonly code: number;
  /** Of the 0xFF right before the code. */
  readonly start: number;
  /** Of the first parameter byte, after the two length bytes; for EOI the same as `end`. */
  readonly dataStart: number;
  /** Behind the last parameter byte. For SOS, the entropy-coded data begins here. */
  readonly end: number;
}

/** Segments of one file: metadata in 255 pieces and a thousand scans with tables of their own are far fewer. */
const MAX_SEGMENTS = 20_000;

/** Offset of the first byte behind the entropy-coded data that starts at `from`. */
export type DataEnd = (file: Uint8Array, from: number) => number;

/**
 * Walks the marker segments of the primary image (T.81 annex B), from behind SOI to EOI, stepping over the entropy-coded
 * data behind each SOS. Garbage between segments and missing bytes after the last scan are stepped over as libjpeg does;
 * a file that ends without EOI simply ends the walk, as does one that was cut off inside a segment behind the first scan.
 * @param dataEnd finds the end of entropy-coded data; a kernel does it faster
 * @throws FileError broken_image when SOI is missing or a segment's declared length is impossible
 */
export function* segments(file: Uint8Array, dataEnd: DataEnd = entropyCodedEnd): Generator<Segment, void, undefined> {
  if (file[0] !== 0xff || file[1] !== marker.SOI) throw brokenJpeg('it does not start with a JPEG signature');
  let offset = 2;
  let inScans = false;
  let count = 0;
  for (;;) {
    if (++count > MAX_SEGMENTS) throw brokenJpeg(`it has more than ${MAX_SEGMENTS} segments`);
    const start = nextMarker(file, offset);
    if (start < 0 || (inScans && isCut(file, start))) return;
    const segment = segmentAt(file, start);
    yield segment;
    if (segment.code === marker.EOI) return;
    const isScan = segment.code === marker.SOS;
    inScans ||= isScan;
    offset = isScan ? dataEnd(file, segment.end) : segment.end;
  }
}

/**
 * Offset of the first byte behind the entropy-coded data that starts at `from`: the 0xFF of the next marker that is not
 * RSTn, or the end of the file.
 */
export function entropyCodedEnd(file: Uint8Array, from: number): number {
  for (let at = prefixFrom(file, from); at >= 0; at = prefixFrom(file, at + 1)) {
    const code = file[at + 1];
    if (code === undefined) break;
    const insideScan = code === 0x00 || code === 0xff || (code >= marker.RST0 && code <= marker.RST7);
    if (!insideScan) return at;
  }
  return file.length;
}

/** Bytes that are looked at one by one, since `indexOf` is fast over long distances only. */
const NEAR = 16;

/** Offset of the next 0xFF; -1 at the end. Not slow where all bytes are. */
function prefixFrom(file: Uint8Array, from: number): number {
  const far = Math.min(from + NEAR, file.length);
  for (let at = from; at < far; at++) if (file[at] === 0xff) return at;
  return file.indexOf(0xff, far);
}

/** Offset of the 0xFF of the next marker that is not a stuffed byte, a fill byte, RSTn or TEM; -1 at the end. */
function nextMarker(file: Uint8Array, from: number): number {
  for (let at = prefixFrom(file, from); at >= 0; at = prefixFrom(file, at + 1)) {
    const code = file[at + 1];
    if (code === undefined) break;
    const standsAlone = code === marker.TEM || (code >= marker.RST0 && code <= marker.RST7);
    if (code !== 0x00 && code !== 0xff && !standsAlone) return at;
  }
  return -1;
}

/** Whether the file ends inside the segment that starts at `start`. */
function isCut(file: Uint8Array, start: number): boolean {
  if (file[start + 1] === marker.EOI) return false;
  const high = file[start + 2];
  const low = file[start + 3];
  return high === undefined || low === undefined || start + 2 + ((high << 8) | low) > file.length;
}

function segmentAt(file: Uint8Array, start: number): Segment {
  const code = file[start + 1]!;
  if (code === marker.EOI) return { code, start, dataStart: start + 2, end: start + 2 };
  if (code === marker.SOI) throw brokenJpeg('a second picture starts inside it');
  const high = file[start + 2];
  const low = file[start + 3];
  if (high === undefined || low === undefined) throw brokenJpeg('it ends inside a segment');
  const length = (high << 8) | low;
  if (length < 2) throw brokenJpeg('a segment has an impossible length');
  const end = start + 2 + length;
  if (end > file.length) throw brokenJpeg('it ends inside a segment');
  return { code, start, dataStart: start + 4, end };
}
