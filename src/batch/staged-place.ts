import { limits } from '../limits.ts';

/** Where a small file is that is not in R2. */
export interface HeldPlace {
  /** The id of the object of its batch. */
  readonly by: string;
  /** Which of the batch's files: its index, or `limits.files` for the watermark. */
  readonly part: number;
}

/** Where a file is staged, and its size in bytes. Plain data: it crosses to other isolates. */
export interface StagedPlace {
  readonly key: string;
  readonly size: number;
  /** Where it is instead of in R2 under `key`. */
  readonly held?: HeldPlace;
  /** Bytes of each of its segments, where any but the last is not full. */
  readonly segments?: readonly number[];
}

/** A run of bytes within one segment. */
export interface SegmentRange {
  readonly key: string;
  readonly offset: number;
  readonly length: number;
}

/** A file that was cut into segments of these sizes: in the usual case, all full but the last, they need not be named. */
export function stagedPlace(key: string, size: number, segments: readonly number[]): StagedPlace {
  const usual = segments.slice(0, -1).every((bytes) => bytes === limits.segmentBytes);
  return usual ? { key, size } : { key, size, segments };
}

/** The key of one segment. */
export function segmentKey(key: string, number: number): string {
  return `${key}/${number}`;
}

/** The keys of all segments; none of a file that is not in R2. */
export function stagedKeys({ key, size, segments, held }: StagedPlace): string[] {
  if (held !== undefined) return [];
  const count = segments?.length ?? Math.ceil(size / limits.segmentBytes);
  return Array.from({ length: count }, (_, number) => segmentKey(key, number));
}

/** What has to be read of which segments for `length` bytes from `offset` on, in order. Past the end of the file there is nothing. */
export function segmentRanges(place: StagedPlace, offset: number, length: number): SegmentRange[] {
  const end = offset + length;
  const ranges: SegmentRange[] = [];
  let start = 0;
  for (const [number, size] of segmentSizes(place).entries()) {
    const [from, to] = [Math.max(offset, start), Math.min(end, start + size)];
    if (from < to) ranges.push({ key: segmentKey(place.key, number), offset: from - start, length: to - from });
    start += size;
  }
  return ranges;
}

function segmentSizes({ size, segments }: StagedPlace): readonly number[] {
  if (segments !== undefined) return segments;
  const count = Math.ceil(size / limits.segmentBytes);
  return Array.from({ length: count }, (_, at) => Math.min(limits.segmentBytes, size - at * limits.segmentBytes));
}
