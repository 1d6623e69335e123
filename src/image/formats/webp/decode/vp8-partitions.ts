import type { FileError } from '../../../../errors.ts';
import { type FileRange, fileWindowBytes } from '../../../file-window.ts';
import { aligned } from '../../../kernels/aligned.ts';
import { VP8_HEADER_BYTES } from '../bitstream.ts';
import { brokenWebp } from '../chunks.ts';

/** A VP8 frame and the bytes of its first partition, which does not end behind it. */
export interface Vp8Frame extends FileRange {
  readonly firstPartition: number;
}

const MOST_PARTITIONS = 8;
/** Bytes of one partition's size (RFC 6386 §9.5). */
const SIZE_BYTES = 3;

/** The first partition, and behind it whatever may be sizes of token partitions: it is not known yet how many there are. */
export function firstPartitionRange({ start, end, firstPartition }: Vp8Frame): FileRange {
  const first = start + VP8_HEADER_BYTES;
  return { start: first, end: Math.min(first + firstPartition + (MOST_PARTITIONS - 1) * SIZE_BYTES, end) };
}

/**
 * Where `count` token partitions are in the file (RFC 6386 §9.5). Sizes of all but the last come first; those that say more
 * than there is are cut.
 * @param sizes what is behind the first partition
 * @throws FileError broken_image when there is nothing left for the last one
 */
export function tokenPartitions(frame: Vp8Frame, count: number, sizes: Uint8Array): FileRange[] {
  const { end } = frame;
  const ranges: FileRange[] = [];
  let start = frame.start + VP8_HEADER_BYTES + frame.firstPartition + (count - 1) * SIZE_BYTES;
  if (start >= end) throw brokenVp8Header();
  for (let i = 0; i < count - 1; i++) {
    const [low, middle, high] = sizes.subarray(i * SIZE_BYTES);
    const next = Math.min(start + (low! | (middle! << 8) | (high! << 16)), end);
    ranges.push({ start, end: next });
    start = next;
  }
  if (start >= end) throw brokenVp8Header();
  ranges.push({ start, end });
  return ranges;
}

export function brokenVp8Header(): FileError {
  return brokenWebp('the header of its picture data is wrong');
}

/** Bytes of the window of each of `count` token partitions, which share those of one. */
export function tokenWindow(window: number, count: number): number {
  return Math.floor(window / count);
}

/** Bytes of the arena that the windows of a frame take at the most. */
export function vp8WindowBytes(frame: Vp8Frame, window: number): number {
  const first = firstPartitionRange(frame);
  const rest = frame.end - frame.start - VP8_HEADER_BYTES - frame.firstPartition;
  return fileWindowBytes(first, first.end - first.start) + aligned(Math.min(window, rest)) + MOST_PARTITIONS * 16;
}
