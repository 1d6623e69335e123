import type { ImageHeader } from '../../header.ts';
import { isAdobe, isJfif } from './header.ts';
import { entropyCodedEnd, marker, type Segment, segments } from './segments.ts';

/**
 * The picture's tables, frame and scans byte for byte, without comments, application segments, thumbnails, gain maps and
 * whatever follows the primary image. The two application segments that decide how components are read as colour stay,
 * cut to their defined fields. A missing EOI is added.
 * @throws FileError broken_image
 */
export function stripJpegMetadata(file: Uint8Array, _header: ImageHeader): Uint8Array[] {
  const pieces: Uint8Array[] = [file.subarray(0, 2)];
  let inScans = false;
  for (const segment of segments(file)) {
    const data = file.subarray(segment.dataStart, segment.end);
    if (isCoding(segment)) pieces.push(file.subarray(segment.start, segment.end));
    else if (!inScans && segment.code === marker.APP0 && isJfif(data)) pieces.push(minimalJfif(data));
    else if (!inScans && segment.code === marker.APP14 && isAdobe(data)) pieces.push(minimalAdobe(data));
    if (segment.code === marker.SOS) {
      inScans = true;
      pieces.push(file.subarray(segment.end, entropyCodedEnd(file, segment.end)));
    }
  }
  pieces.push(Uint8Array.of(0xff, marker.EOI));
  return pieces;
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
