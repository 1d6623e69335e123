import { exhausted, readFlag, readLiteral, readOptionalSigned, readSigned, startReader } from './reader';
import { Decoder, Reader, Segment, SEGMENT_BYTES, Table } from './state';

@inline
function segmentAt(decoder: Decoder, index: i32): Segment {
  return changetype<Segment>(decoder.segments + <usize>index * SEGMENT_BYTES);
}

/**
 * Reads the frame header behind the ten bytes of tag, start code and sides: RFC 6386 §9.2–9.11, §19.2. The first
 * partition is `at`–`end`. Returns 0, or a negative number when it is damaged.
 */
export function readFrameHeader(decoder: Decoder, at: usize, end: usize): i32 {
  const reader = changetype<Reader>(decoder.readers);
  startReader(reader, at, end);
  readLiteral(reader, 2); // Colour space and clamping: decoders of pictures clamp always.
  const absolute = readSegmentation(decoder, reader);
  const simple = readFlag(reader);
  const level = readLiteral(reader, 6);
  decoder.sharpness = readLiteral(reader, 3);
  decoder.filterType = level == 0 ? 0 : simple ? 1 : 2;
  const deltas = readFilterDeltas(reader);
  decoder.partitions = 1 << readLiteral(reader, 2);
  readQuantisers(decoder, reader, absolute);
  setFilters(decoder, level, absolute, <i32>(deltas >> 32), <i32>deltas);
  readFlag(reader); // Whether probabilities outlive the frame; there is one only.
  readTokenProbabilities(decoder, reader);
  decoder.useSkip = readFlag(reader);
  decoder.skipProbability = decoder.useSkip ? readLiteral(reader, 8) : 0;
  return exhausted(reader) ? -1 : 0;
}

/** Returns whether the segments' values are absolute: §9.3. */
function readSegmentation(decoder: Decoder, reader: Reader): i32 {
  for (let i = 0; i < 4; i++) {
    segmentAt(decoder, i).quantiser = 0;
    segmentAt(decoder, i).strength = 0;
  }
  decoder.updateMap = 0;
  decoder.useSegments = readFlag(reader);
  if (!decoder.useSegments) return 0;
  // As libwebp has it: absolute until said otherwise.
  let absolute = 1;
  decoder.updateMap = readFlag(reader);
  if (readFlag(reader)) {
    absolute = readFlag(reader);
    for (let i = 0; i < 4; i++) segmentAt(decoder, i).quantiser = readOptionalSigned(reader, 7);
    for (let i = 0; i < 4; i++) segmentAt(decoder, i).strength = readOptionalSigned(reader, 6);
  }
  if (decoder.updateMap) {
    decoder.segmentTree0 = readFlag(reader) ? readLiteral(reader, 8) : 255;
    decoder.segmentTree1 = readFlag(reader) ? readLiteral(reader, 8) : 255;
    decoder.segmentTree2 = readFlag(reader) ? readLiteral(reader, 8) : 255;
  }
  return absolute;
}

/** The deltas that matter to key frames: intra reference in the upper half, split mode in the lower; §9.6. */
function readFilterDeltas(reader: Reader): i64 {
  if (!readFlag(reader)) return 0;
  let reference = 0;
  let mode = 0;
  if (readFlag(reader)) {
    for (let i = 0; i < 8; i++) {
      if (!readFlag(reader)) continue;
      const delta = readSigned(reader, 6);
      if (i == 0) reference = delta;
      if (i == 4) mode = delta;
    }
  }
  return (<i64>reference << 32) | (<i64>mode & 0xffffffff);
}

@inline
function clampTo(value: i32, most: i32): i32 {
  return min(max(value, 0), most);
}

/** §9.6, §14.1. */
function readQuantisers(decoder: Decoder, reader: Reader, absolute: i32): void {
  const base = readLiteral(reader, 7);
  const y1Dc = readOptionalSigned(reader, 4);
  const y2Dc = readOptionalSigned(reader, 4);
  const y2Ac = readOptionalSigned(reader, 4);
  const uvDc = readOptionalSigned(reader, 4);
  const uvAc = readOptionalSigned(reader, 4);
  for (let i = 0; i < 4; i++) {
    const segment = segmentAt(decoder, i);
    const q = absolute ? segment.quantiser : base + segment.quantiser;
    segment.y1Dc = step(decoder, Table.dcSteps, q + y1Dc, 127);
    segment.y1Ac = step(decoder, Table.acSteps, q, 127);
    segment.y2Dc = step(decoder, Table.dcSteps, q + y2Dc, 127) * 2;
    segment.y2Ac = max((step(decoder, Table.acSteps, q + y2Ac, 127) * 155) / 100, 8);
    segment.uvDc = step(decoder, Table.dcSteps, q + uvDc, 117);
    segment.uvAc = step(decoder, Table.acSteps, q + uvAc, 127);
  }
}

function step(decoder: Decoder, table: usize, index: i32, most: i32): i32 {
  return load<u16>(decoder.tables + table + ((<usize>clampTo(index, most)) << 1));
}

/** §9.6, §15.2–15.4. */
function setFilters(decoder: Decoder, frameLevel: i32, absolute: i32, reference: i32, mode: i32): void {
  for (let i = 0; i < 4; i++) {
    const segment = segmentAt(decoder, i);
    let level = frameLevel;
    if (decoder.useSegments) level = absolute ? segment.strength : level + segment.strength;
    segment.filter16 = filterParameters(level + reference, decoder.sharpness);
    segment.filter4 = filterParameters(level + reference + mode, decoder.sharpness);
  }
}

function filterParameters(wanted: i32, sharpness: i32): u32 {
  const level = clampTo(wanted, 63);
  if (level == 0) return 0;
  let interior = level;
  if (sharpness > 0) interior = min(interior >> (sharpness > 4 ? 2 : 1), 9 - sharpness);
  interior = max(interior, 1);
  const variance = level >= 40 ? 2 : level >= 15 ? 1 : 0;
  return (2 * level + interior) | (interior << 8) | (variance << 16);
}

/** Bands of the coefficients (§13.3), four bits each from position 0. */
const BANDS: u64 = 0x7666666665463210;

/** §13.4, spread by position: the entropy decoder then needs no look-up of bands. */
function readTokenProbabilities(decoder: Decoder, reader: Reader): void {
  const updates = decoder.tables + Table.tokenUpdates;
  const fresh = decoder.tables + Table.tokens;
  for (let type: usize = 0; type < 4; type++) {
    for (let band: usize = 0; band < 8; band++) {
      for (let i: usize = 0; i < 33; i++) {
        const at = (type * 8 + band) * 33 + i;
        const probability = readFlag(reader, load<u8>(updates + at)) ? readLiteral(reader, 8) : <i32>load<u8>(fresh + at);
        spread(decoder.tokens + type * 17 * 48 + (i / 11) * 16 + (i % 11), band, probability);
      }
    }
  }
}

function spread(at: usize, band: usize, probability: i32): void {
  for (let position: usize = 0; position < 17; position++) {
    if (bandOf(position) == band) store<u8>(at + position * 48, probability);
  }
}

@inline
function bandOf(position: usize): usize {
  if (position == 0 || position > 15) return 0;
  return <usize>((BANDS >> (<u64>position * 4)) & 15);
}
