import { BitReader } from '../bit-reader.ts';
import type { SequenceParameters } from './sequence-parameters.ts';

/** What the frame header of a still picture decides, in bits. Pictures in which both parts are equal can share one header. */
export interface FrameParameters {
  /** In front of the tile info: which tools are allowed. There are no sides in it. */
  readonly start: string;
  /** Behind the tile info: quantisers, filters, transforms. */
  readonly end: string;
}

/**
 * Reads the uncompressed header at the start of an OBU_FRAME that has a single tile (AV1 specification §5.9.2, with
 * reduced_still_picture_header), and says where the tile's data starts, in bytes.
 * @throws RangeError for what the encoder does not write with the settings of this project
 */
export function readFrameParameters(
  payload: Uint8Array,
  sequence: SequenceParameters,
): FrameParameters & { readonly dataStart: number } {
  const reader = new BitReader(payload);
  reader.bits(1); // disable_cdf_update
  const screenContent = reader.flag();
  if (screenContent) reader.bits(1); // force_integer_mv
  if (reader.flag()) throw new RangeError('a render size');
  const intraBlockCopy = screenContent && reader.flag();
  const startEnd = reader.position;
  skipSingleTile(reader, sequence);
  const endStart = reader.position;
  skipQuantisers(reader, sequence, intraBlockCopy);
  if (reader.exhausted) throw new RangeError('a frame header that is cut');
  return {
    start: bitString(payload, 0, startEnd),
    end: bitString(payload, endStart, reader.position),
    dataStart: Math.ceil(reader.position / 8),
  };
}

/** tile_info() of §5.9.15 with uniform spacing and one tile: a zero for each direction that could be split. */
function skipSingleTile(reader: BitReader, { width, height, superblock }: SequenceParameters): void {
  const splits = [true, width > superblock, height > superblock].filter(Boolean).length;
  const bits = Array.from({ length: splits }, () => reader.flag());
  if (!bits[0] || bits.slice(1).includes(true)) throw new RangeError('more than one tile');
}

/** From quantization_params() on, §5.9.2. */
function skipQuantisers(reader: BitReader, { chroma }: SequenceParameters, intraBlockCopy: boolean): void {
  const base = reader.bits(8);
  const deltas = Array.from({ length: chroma === 'none' ? 1 : 3 }, () => (reader.flag() ? reader.bits(7) : 0));
  if (reader.flag()) reader.bits(8); // quantiser matrices
  if (reader.flag()) throw new RangeError('segmentation');
  if (base > 0 && reader.flag()) throw new RangeError('quantisers of blocks');
  const lossless = base === 0 && deltas.every((delta) => delta === 0);
  if (!lossless && !intraBlockCopy) skipLoopFilter(reader, chroma === 'none');
  reader.bits(lossless ? 1 : 2); // tx_mode_select unless lossless, reduced_tx_set
}

/** loop_filter_params() of §5.9.11. */
function skipLoopFilter(reader: BitReader, monochrome: boolean): void {
  const levels = reader.bits(6) + reader.bits(6);
  if (!monochrome && levels > 0) reader.bits(12);
  reader.bits(3); // sharpness
  if (!reader.flag() || !reader.flag()) return;
  for (let delta = 0; delta < 8 + 2; delta++) if (reader.flag()) reader.bits(7);
}

/** Bits of data as a text of zeros and ones: short, comparable. */
function bitString(data: Uint8Array, from: number, to: number): string {
  let text = '';
  for (let at = from; at < to; at++) text += (data[at >> 3]! >> (7 - (at & 7))) & 1;
  return text;
}
