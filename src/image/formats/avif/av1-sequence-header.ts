import { BitReader } from './bit-reader.ts';

/** What an AV1 sequence header says of the picture (AV1 specification §5.5). Colour code points are those of ITU-T H.273. */
export interface Av1SequenceHeader {
  /** Largest sides of a frame, in pixels. */
  readonly width: number;
  readonly height: number;
  readonly primaries: number;
  readonly transfer: number;
}

const OBU_SEQUENCE_HEADER = 1;
const UNSPECIFIED = 2;

/**
 * Finds and reads the sequence header at the start of coded data or in `av1C`. Undefined when there is none or it ends too
 * early: whether the data can be decoded is the decoder's to say.
 */
export function readAv1SequenceHeader(data: Uint8Array): Av1SequenceHeader | undefined {
  for (const { type, payload } of obus(data)) {
    if (type === OBU_SEQUENCE_HEADER) return parseSequenceHeader(payload);
  }
  return undefined;
}

/** Walks open bitstream units (§5.3); the last one may be cut. */
function* obus(data: Uint8Array): Generator<{ type: number; payload: Uint8Array }, void, undefined> {
  for (let at = 0; at < data.length; ) {
    const head = data[at]!;
    const type = (head >> 3) & 15;
    const hasSize = (head & 2) !== 0;
    at += (head & 4) === 0 ? 1 : 2;
    let size = data.length - at;
    if (hasSize) {
      const length = leb128(data, at);
      if (length === undefined) return;
      at = length.next;
      size = length.value;
    }
    yield { type, payload: data.subarray(at, at + size) };
    at += size;
  }
}

function leb128(data: Uint8Array, from: number): { value: number; next: number } | undefined {
  let value = 0;
  for (let index = 0; index < 8; index++) {
    const byte = data[from + index];
    if (byte === undefined) return undefined;
    value += (byte & 0x7f) * 2 ** (7 * index);
    if (byte < 0x80) return { value, next: from + index + 1 };
  }
  return undefined;
}

/** sequence_header_obu() of §5.5.1. */
function parseSequenceHeader(payload: Uint8Array): Av1SequenceHeader | undefined {
  const reader = new BitReader(payload);
  const profile = reader.bits(3);
  reader.bits(1);
  const reducedStill = reader.flag();
  if (reducedStill) reader.bits(5);
  else skipOperatingPoints(reader);
  const widthBits = reader.bits(4) + 1;
  const heightBits = reader.bits(4) + 1;
  const width = reader.bits(widthBits) + 1;
  const height = reader.bits(heightBits) + 1;
  skipTools(reader, reducedStill);
  const { primaries, transfer } = readColour(reader, profile);
  return reader.exhausted ? undefined : { width, height, primaries, transfer };
}

/** timing_info(), decoder_model_info() and the operating points. */
function skipOperatingPoints(reader: BitReader): void {
  let delayBits = 0;
  if (reader.flag()) {
    reader.bits(32);
    reader.bits(32);
    if (reader.flag()) reader.skipUvlc();
    if (reader.flag()) {
      delayBits = reader.bits(5) + 1;
      reader.bits(32 + 5 + 5);
    }
  }
  const hasDisplayDelay = reader.flag();
  const points = reader.bits(5) + 1;
  for (let index = 0; index < points; index++) {
    reader.bits(12);
    const level = reader.bits(5);
    if (level > 7) reader.bits(1);
    if (delayBits > 0 && reader.flag()) reader.bits(2 * delayBits + 1);
    if (hasDisplayDelay && reader.flag()) reader.bits(4);
  }
}

/** From frame ids to film grain's neighbour, §5.5.1. */
function skipTools(reader: BitReader, reducedStill: boolean): void {
  if (!reducedStill && reader.flag()) reader.bits(4 + 3);
  reader.bits(3); // 128-pixel superblocks, filter intra, intra edge filter
  if (!reducedStill) skipInterTools(reader);
  reader.bits(3); // superres, CDEF, restoration
}

function skipInterTools(reader: BitReader): void {
  reader.bits(4);
  const orderHint = reader.flag();
  if (orderHint) reader.bits(2);
  const chooseScreenContent = reader.flag();
  const screenContent = chooseScreenContent || reader.flag();
  if (screenContent) {
    const chooseIntegerMv = reader.flag();
    if (!chooseIntegerMv) reader.bits(1);
  }
  if (orderHint) reader.bits(3);
}

/** color_config() of §5.5.2, as far as the code points. */
function readColour(reader: BitReader, profile: number): { primaries: number; transfer: number } {
  const highDepth = reader.flag();
  if (profile === 2 && highDepth) reader.bits(1);
  if (profile !== 1) reader.bits(1); // monochrome
  if (!reader.flag()) return { primaries: UNSPECIFIED, transfer: UNSPECIFIED };
  return { primaries: reader.bits(8), transfer: reader.bits(8) };
}
