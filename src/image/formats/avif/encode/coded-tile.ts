import { type FrameParameters, readFrameParameters } from './frame-parameters.ts';
import { obuType, readUnits } from './open-bitstream-units.ts';
import { readSequenceParameters, type SequenceParameters } from './sequence-parameters.ts';

/** One rectangle as the encoder coded it: the data of a tile and what its decoder must know. */
export interface CodedTile {
  readonly sequence: SequenceParameters;
  readonly frame: FrameParameters;
  /** A view on the encoder's file. */
  readonly data: Uint8Array;
}

/**
 * Takes the tile out of a file that the encoder made of an opaque rectangle: one item, one frame, one tile.
 * @throws RangeError when it is anything else
 */
export function readCodedTile(file: Uint8Array): CodedTile {
  const units = readUnits(itemData(file));
  const header = units.find(({ type }) => type === obuType.sequenceHeader);
  const frames = units.filter(({ type }) => type === obuType.frame);
  if (header === undefined || frames.length !== 1) throw new RangeError('not one frame behind a sequence header');
  const sequence = readSequenceParameters(header.payload);
  const { payload } = frames[0]!;
  const { dataStart, ...frame } = readFrameParameters(payload, sequence);
  return { sequence, frame, data: payload.subarray(dataStart) };
}

/** The data of the only item: all of the last box, which is `mdat`. */
function itemData(file: Uint8Array): Uint8Array {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  for (let at = 0; at + 8 <= file.length; ) {
    const size = view.getUint32(at);
    if (view.getUint32(at + 4) === MDAT) return file.subarray(at + 8, at + size);
    if (size < 8) break;
    at += size;
  }
  throw new RangeError('a file without data');
}

/** 'mdat' */
const MDAT = 0x6d646174;
