import { BANDS, Encoder, TOKENS } from './encoder';
import { countsOf, END_TOKEN } from './probabilities';

/*
 * Levels wait in a compact form until the probabilities are known that code them best. A macroblock with coefficients is a
 * u32, one bit for each block that has any (Y2 is bit 24), and for each of these, for each level that is not zero, a byte:
 * zeros before it << 4 | last of the block << 3 | negative << 2 | size − 1, where 3 says that `size − 4` follows: a byte, or
 * 255 and a u16.
 */

/** Bytes that a macroblock may take at the most. */
export const COMPACT_BYTES: usize = 4 + 25 * 16 * 4;

/** Appends a block that has levels; counts its tokens. */
export function recordBlock(e: Encoder, levels: usize, mask: i32, first: i32, type: i32, context: i32): void {
  const base = changetype<usize>(e);
  const last = 31 - clz(mask);
  let at = e.levels;
  let run = 0;
  for (let n = first; n <= last; n++) {
    const level = <i32>load<i16>(levels + <usize>(n << 1));
    const size = abs<i32>(level);
    const counts = countsOf(base, type, <i32>load<u8>(base + BANDS + <usize>n), context);
    const token = counts + (<usize>load<u8>(base + TOKENS + <usize>min(size, 67)) << 2);
    store<u32>(token, load<u32>(token) + 1);
    context = min(size, 2);
    if (size == 0) {
      run++;
      continue;
    }
    const head = (run << 4) | (n == last ? 8 : 0) | (level < 0 ? 4 : 0);
    run = 0;
    if (size < 4) {
      store<u8>(at++, head | (size - 1));
      continue;
    }
    store<u8>(at++, head | 3);
    if (size < 259) {
      store<u8>(at++, size - 4);
    } else {
      store<u8>(at++, 255);
      store<u16>(at, size - 4);
      at += 2;
    }
  }
  e.levels = at;
  if (last < 15) countEnd(base, last + 1, type, context);
}

/** Counts the end of a block at a position. */
@inline
export function countEnd(e: usize, position: i32, type: i32, context: i32): void {
  const token = countsOf(e, type, <i32>load<u8>(e + BANDS + <usize>position), context) + (<usize>END_TOKEN << 2);
  store<u32>(token, load<u32>(token) + 1);
}
