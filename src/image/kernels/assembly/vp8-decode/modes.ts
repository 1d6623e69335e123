import { exhausted, readBool } from './reader';
import { Decoder, Macroblock, MACROBLOCK_BYTES, Reader, Segment, SEGMENT_BYTES, Table } from './state';

/** Prediction modes of a whole macroblock and of chroma; the same numbers as the subblock modes that stand for them. */
export namespace Mode {
  export const dc: i32 = 0;
  export const tm: i32 = 1;
  export const vertical: i32 = 2;
  export const horizontal: i32 = 3;
}

/** Subblock modes in the RFC's order (§8.1). */
export namespace Submode {
  export const dc: i32 = 0;
  export const tm: i32 = 1;
  export const vertical: i32 = 2;
  export const horizontal: i32 = 3;
  export const leftDown: i32 = 4;
  export const rightDown: i32 = 5;
  export const verticalRight: i32 = 6;
  export const verticalLeft: i32 = 7;
  export const horizontalDown: i32 = 8;
  export const horizontalUp: i32 = 9;
}

/** Reads the headers of one row of macroblocks: RFC 6386 §19.3. Returns whether the partition has them all. */
export function readModes(decoder: Decoder): bool {
  const reader = changetype<Reader>(decoder.readers);
  let left: u32 = 0;
  for (let column = 0; column < decoder.columns; column++) {
    const block = changetype<Macroblock>(decoder.macroblocks + <usize>column * MACROBLOCK_BYTES);
    const above = decoder.modesAbove + ((<usize>column) << 2);
    let segment = 0;
    if (decoder.updateMap) {
      segment = readBool(reader, decoder.segmentTree0)
        ? 2 + readBool(reader, decoder.segmentTree2)
        : readBool(reader, decoder.segmentTree1);
    }
    block.segment = <u8>segment;
    block.skipped = decoder.useSkip ? <u8>readBool(reader, decoder.skipProbability) : 0;
    const split = !readBool(reader, 145);
    block.split = <u8>split;
    left = split ? readSubmodes(decoder, reader, block, above, left) : readWholeMode(reader, block, above);
    block.chromaMode = <u8>readChromaMode(reader);
    const parameters = changetype<Segment>(decoder.segments + <usize>segment * SEGMENT_BYTES);
    block.filter = split ? parameters.filter4 : parameters.filter16;
    block.inner = split ? 1 : 0;
  }
  return !exhausted(reader);
}

/** Returns the mode four times, as context for the macroblock to the right. */
function readWholeMode(reader: Reader, block: Macroblock, above: usize): u32 {
  const mode = readBool(reader, 156)
    ? readBool(reader, 128) ? Mode.tm : Mode.horizontal
    : readBool(reader, 163) ? Mode.vertical : Mode.dc;
  const four = <u32>mode * 0x01010101;
  block.modes = <u64>mode;
  store<u32>(above, four);
  return four;
}

function readChromaMode(reader: Reader): i32 {
  if (!readBool(reader, 142)) return Mode.dc;
  if (!readBool(reader, 114)) return Mode.vertical;
  return readBool(reader, 183) ? Mode.tm : Mode.horizontal;
}

/** Reads 16 modes, each in the context of those above and to the left; returns the rightmost four, one a byte. */
function readSubmodes(decoder: Decoder, reader: Reader, block: Macroblock, above: usize, left: u32): u32 {
  const table = decoder.tables + Table.subblockModes;
  const modes = changetype<usize>(block) + offsetof<Macroblock>('modes');
  let right: u32 = 0;
  for (let y: usize = 0; y < 4; y++) {
    let mode = <i32>((left >> (<u32>y * 8)) & 255);
    for (let x: usize = 0; x < 4; x++) {
      mode = readSubmode(reader, table + <usize>((<i32>load<u8>(above + x) * 10 + mode) * 9));
      store<u8>(above + x, mode);
      store<u8>(modes + y * 4 + x, mode);
    }
    right |= <u32>mode << (<u32>y * 8);
  }
  return right;
}

/** The tree of §8.1 and §11.2. */
function readSubmode(reader: Reader, p: usize): i32 {
  if (!readBool(reader, load<u8>(p))) return Submode.dc;
  if (!readBool(reader, load<u8>(p, 1))) return Submode.tm;
  if (!readBool(reader, load<u8>(p, 2))) return Submode.vertical;
  if (!readBool(reader, load<u8>(p, 3))) {
    if (!readBool(reader, load<u8>(p, 4))) return Submode.horizontal;
    return readBool(reader, load<u8>(p, 5)) ? Submode.verticalRight : Submode.rightDown;
  }
  if (!readBool(reader, load<u8>(p, 6))) return Submode.leftDown;
  if (!readBool(reader, load<u8>(p, 7))) return Submode.verticalLeft;
  return readBool(reader, load<u8>(p, 8)) ? Submode.horizontalUp : Submode.horizontalDown;
}
