import type { ImageHeader } from '../../header.ts';
import { brokenJpeg } from './broken-jpeg.ts';
import { isAdobe, isJfif } from './header.ts';
import { entropyCodedEnd, marker, type Segment, segments } from './segments.ts';

/**
 * The picture's tables, frame and scans byte for byte, without comments, application segments, thumbnails, gain maps and
 * whatever follows the primary image. The two application segments that decide how components are read as colour stay,
 * cut to their defined fields. A missing EOI is added.
 * @throws FileError broken_image
 */
export function stripJpegMetadata(file: Uint8Array, _header: ImageHeader): Uint8Array[] {
  const kept = new KeptPieces(file);
  kept.copy(0, 2);
  let inScans = false;
  for (const segment of segments(file)) {
    const data = file.subarray(segment.dataStart, segment.end);
    if (isCoding(segment)) kept.copy(segment.start, segment.end);
    else if (!inScans && segment.code === marker.APP0 && isJfif(data)) kept.add(minimalJfif(data));
    else if (!inScans && segment.code === marker.APP14 && isAdobe(data)) kept.add(minimalAdobe(data));
    if (segment.code === marker.SOS) {
      inScans = true;
      kept.copy(segment.end, entropyCodedEnd(file, segment.end));
    }
  }
  kept.add(Uint8Array.of(0xff, marker.EOI));
  return kept.pieces;
}

/** A file has two pieces and one more behind each segment that is dropped; thousands of those are an attack. */
const MAX_PIECES = 32_768;

/** Collects the new file; neighbouring runs of the old one become one piece. */
class KeptPieces {
  readonly pieces: Uint8Array[] = [];
  readonly #file: Uint8Array;
  #start = 0;
  #end = -1;

  constructor(file: Uint8Array) {
    this.#file = file;
  }

  /** Appends a run of the old file. */
  copy(start: number, end: number): void {
    const extended = start === this.#end;
    if (extended) this.pieces.pop();
    else this.#start = start;
    this.add(this.#file.subarray(this.#start, end));
    this.#end = end;
  }

  /** Appends new bytes. */
  add(bytes: Uint8Array): void {
    if (this.pieces.length === MAX_PIECES) throw brokenJpeg('it has more segments than a picture needs');
    this.pieces.push(bytes);
    this.#end = -1;
  }
}

/** Frames, tables, scans and restart intervals (T.81 table B.1: C0–DD without RSTn, SOI and EOI). */
function isCoding({ code }: Segment): boolean {
  return (code >= marker.SOF0 && code <= marker.SOF15) || (code >= marker.SOS && code <= marker.DRI);
}

/** T.871 §10.1: identifier, version, density; no thumbnail. */
function minimalJfif(data: Uint8Array): Uint8Array {
  const segment = new Uint8Array(18);
  segment.set([0xff, marker.APP0, 0, 16]);
  segment.set(data.subarray(0, 12), 4);
  return segment;
}

/** Adobe Technical Note 5116 §18: identifier, version, flags, colour transform. */
function minimalAdobe(data: Uint8Array): Uint8Array {
  const segment = new Uint8Array(16);
  segment.set([0xff, marker.APP14, 0, 14]);
  segment.set(data.subarray(0, 12), 4);
  return segment;
}
