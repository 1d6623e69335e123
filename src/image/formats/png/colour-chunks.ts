import { inflateSync } from 'node:zlib';
import { MAX_PROFILE_BYTES } from '../../colour/icc-profile.ts';
import type { ColourProfile } from '../../header.ts';
import type { ColourType } from './layout.ts';

/** ICC.1:2022, 7.2: bytes of the profile header, and where the data colour space and the `acsp` mark are in it. */
const ICC_HEADER_BYTES = 128;
const ICC_SPACE = 16;
const ICC_MARK = 36;

/**
 * The profile of an iCCP chunk (third edition, 11.3.2.3): name, zero, method 0, zlib stream. Undefined where anything is wrong
 * with it or where it describes other samples than the picture has: a broken profile is treated as none.
 */
export function readIccChunk(data: Uint8Array, colourType: ColourType): ColourProfile | undefined {
  const nameEnd = data.subarray(0, 80).indexOf(0);
  if (nameEnd < 1 || data[nameEnd + 1] !== 0) return undefined;
  const bytes = inflateBounded(data.subarray(nameEnd + 2));
  if (bytes === undefined || bytes.length < ICC_HEADER_BYTES + 4) return undefined;
  const size = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0);
  if (size < ICC_HEADER_BYTES + 4 || size > bytes.length || ascii(bytes, ICC_MARK) !== 'acsp') return undefined;
  const isGrey = colourType === 0 || colourType === 4;
  if (ascii(bytes, ICC_SPACE) !== (isGrey ? 'GRAY' : 'RGB ')) return undefined;
  return { kind: 'icc', bytes: Uint8Array.from(bytes.subarray(0, size)) };
}

function inflateBounded(stream: Uint8Array): Uint8Array | undefined {
  try {
    return inflateSync(stream, { maxOutputLength: MAX_PROFILE_BYTES });
  } catch {
    return undefined;
  }
}

function ascii(bytes: Uint8Array, offset: number): string {
  return String.fromCharCode(...bytes.subarray(offset, offset + 4));
}

/**
 * The code points of a cICP chunk (11.3.2.6). `valid` is false where they say nothing usable: reserved or unspecified values, a
 * matrix (PNG holds RGB), narrow range. A valid chunk without a profile is sRGB itself (H.273 primaries 1, transfer 13).
 */
export function readCicpChunk(data: Uint8Array): { readonly valid: boolean; readonly profile?: ColourProfile } {
  const [primaries = 0, transfer = 0, matrix, fullRange] = data;
  const known = (code: number): boolean => code !== 0 && code !== 2 && code !== 3;
  if (data.length !== 4 || matrix !== 0 || fullRange !== 1 || !known(primaries) || !known(transfer)) {
    return { valid: false };
  }
  if (primaries === 1 && transfer === 13) return { valid: true };
  return { valid: true, profile: { kind: 'cicp', primaries, transfer } };
}
