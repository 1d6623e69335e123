import { BitReader } from '../bit-reader.ts';
import { BitWriter } from './bit-writer.ts';

/** What a sequence header of a still picture decides about its frame (AV1 specification §5.5). */
export interface SequenceParameters {
  /** Sides of the frame in pixels. */
  readonly width: number;
  readonly height: number;
  readonly chroma: '4:2:0' | '4:4:4' | 'none';
  /** Pixels a side of a superblock. */
  readonly superblock: 64 | 128;
  readonly filterIntra: boolean;
  readonly intraEdgeFilter: boolean;
}

/** Code points of ITU-T H.273: BT.709 primaries, sRGB transfer, BT.601 matrix. The colours are sRGB's. */
export const codePoints = { primaries: 1, transfer: 13, matrix: 6 } as const;

/**
 * Reads the header that the encoder writes for a still picture (reduced_still_picture_header).
 * @throws RangeError for any other one, and for tools that the encoder does not use with the settings of this project
 */
export function readSequenceParameters(payload: Uint8Array): SequenceParameters {
  const reader = new BitReader(payload);
  const profile = reader.bits(3);
  if (reader.bits(2) !== 0b11) throw new RangeError('not the sequence header of a still picture');
  reader.bits(5); // level
  const widthBits = reader.bits(4) + 1;
  const heightBits = reader.bits(4) + 1;
  const width = reader.bits(widthBits) + 1;
  const height = reader.bits(heightBits) + 1;
  const superblock = reader.flag() ? 128 : 64;
  const filterIntra = reader.flag();
  const intraEdgeFilter = reader.flag();
  if (reader.bits(3) !== 0) throw new RangeError('super-resolution, CDEF or loop restoration');
  const chroma = readColour(reader, profile);
  if (reader.flag()) throw new RangeError('film grain');
  if (reader.exhausted) throw new RangeError('a sequence header that is cut');
  return { width, height, chroma, superblock, filterIntra, intraEdgeFilter };
}

/** color_config() of §5.5.2: 8 bits a sample, full range. */
function readColour(reader: BitReader, profile: number): SequenceParameters['chroma'] {
  if (profile > 1 || reader.flag()) throw new RangeError('not 8 bits a sample');
  const monochrome = profile === 0 && reader.flag();
  if (reader.flag() && reader.bits(24) % 256 !== codePoints.matrix) throw new RangeError('another matrix');
  if (!reader.flag()) throw new RangeError('limited range');
  if (monochrome) return 'none';
  if (profile === 0) reader.bits(2); // chroma sample position
  if (reader.flag()) throw new RangeError('quantisers of their own for the second chroma plane');
  return profile === 0 ? '4:2:0' : '4:4:4';
}

/** Writes such a header. `level` is seq_level_idx (§A.3). */
export function writeSequenceHeader(sequence: SequenceParameters, level: number): Uint8Array {
  const writer = new BitWriter();
  writer.bits(profileOf(sequence), 3);
  writer.bits(0b11, 2); // still picture, reduced header
  writer.bits(level, 5);
  for (const side of [sequence.width, sequence.height]) writer.bits(bitsFor(side) - 1, 4);
  for (const side of [sequence.width, sequence.height]) writer.bits(side - 1, bitsFor(side));
  writer.flag(sequence.superblock === 128);
  writer.flag(sequence.filterIntra);
  writer.flag(sequence.intraEdgeFilter);
  writer.bits(0, 3); // super-resolution, CDEF, loop restoration
  writeColour(writer, sequence);
  writer.flag(false); // film grain
  writer.trailing();
  return writer.toBytes();
}

/** seq_profile: 0 (Main) has no 4:4:4. */
export function profileOf({ chroma }: SequenceParameters): 0 | 1 {
  return chroma === '4:4:4' ? 1 : 0;
}

/** Transparency has no colours, so its code points stay unspecified. */
function writeColour(writer: BitWriter, { chroma }: SequenceParameters): void {
  writer.flag(false); // high bit depth
  if (chroma !== '4:4:4') writer.flag(chroma === 'none');
  writer.flag(chroma !== 'none');
  if (chroma !== 'none') for (const point of Object.values(codePoints)) writer.bits(point, 8);
  writer.flag(true); // full range
  if (chroma === '4:2:0') writer.bits(0, 2); // chroma sample position: unknown
  if (chroma !== 'none') writer.flag(false); // separate quantisers
}

/** Bits of the largest number below `side`, at least one. */
function bitsFor(side: number): number {
  return Math.max(1, Math.ceil(Math.log2(side)));
}
