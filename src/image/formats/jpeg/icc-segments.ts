/** One APP2 piece of an ICC profile (ICC.1:2022 §B.4). */
export interface IccSegment {
  /** 1-based. */
  readonly number: number;
  readonly count: number;
  readonly bytes: Uint8Array;
}

const IDENTIFIER = 'ICC_PROFILE\0';
const HEADER_BYTES = IDENTIFIER.length + 2;

/** Reads the data of an APP2 segment; undefined when it is something else (MPF, FlashPix, …). */
export function iccSegment(data: Uint8Array): IccSegment | undefined {
  if (data.length < HEADER_BYTES) return undefined;
  for (let index = 0; index < IDENTIFIER.length; index++) {
    if (data[index] !== IDENTIFIER.charCodeAt(index)) return undefined;
  }
  return { number: data[12]!, count: data[13]!, bytes: data.subarray(HEADER_BYTES) };
}

/**
 * Joins the pieces of a profile. A missing or repeated piece, or pieces that disagree on their number, make the profile
 * unusable: undefined, and the picture is taken as sRGB, as libjpeg's `jpeg_read_icc_profile` does.
 */
export function collectIccProfile(pieces: readonly IccSegment[]): Uint8Array | undefined {
  const count = pieces[0]?.count;
  if (count !== pieces.length) return undefined;
  const ordered = pieces.toSorted((a, b) => a.number - b.number);
  if (!ordered.every((piece, index) => piece.number === index + 1 && piece.count === count)) return undefined;
  return ordered.length === 1 ? ordered[0]!.bytes : concatenate(ordered.map((piece) => piece.bytes));
}

function concatenate(parts: readonly Uint8Array[]): Uint8Array | undefined {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}
