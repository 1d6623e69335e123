import { aligned } from '../../../kernels/aligned.ts';
import {
  acSteps,
  dcSteps,
  defaultTokenProbabilities,
  subblockModeProbabilities,
  tokenUpdateProbabilities,
} from '../vp8-tables.ts';

/** What `vp8-decode.ts` lays out at the start of its work region whatever the picture, in bytes. */
const FIXED_BYTES = 8192;
const TOKEN_BYTES = 4 * 17 * 48;
/** Free bytes left and right of every row. */
const PADS = 32;

/** Bytes of the VP8 decoder's work region: the neighbours of one row of macroblocks and the pixels of two. */
export function vp8WorkBytes(width: number): number {
  const columns = Math.ceil(width / 16);
  const perColumn = columns * (32 + 16) + 16 + aligned(columns * 4);
  const lumaRow = columns * 16 + PADS;
  const chromaRow = aligned(columns * 8) + PADS;
  return FIXED_BYTES + TOKEN_BYTES + perColumn + lumaRow * 33 + chromaRow * 34;
}

/** Writes the tables of RFC 6386 to where the kernel looks for them. */
export function writeVp8Tables(work: Uint8Array<ArrayBuffer>): void {
  work.set(defaultTokenProbabilities, 0);
  work.set(tokenUpdateProbabilities, 1056);
  work.set(subblockModeProbabilities, 2112);
  new Uint16Array(work.buffer, work.byteOffset + 3016, 128).set(dcSteps);
  new Uint16Array(work.buffer, work.byteOffset + 3272, 128).set(acSteps);
}
