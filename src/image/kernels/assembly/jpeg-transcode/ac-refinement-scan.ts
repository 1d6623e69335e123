import { endBlock, endRun, putCorrections } from './eob-run';
import { advance, bytesBehind, isOnlyZeros, valueOf } from './kept-block';
import { emit, isFull, putBits, Scan, tableOf } from './scan';

/**
 * Codes bit `low` of the band `first` … `last` of a row of blocks whose higher bits are coded (T.81 G.1.2.3), from block `x` on.
 * @returns the block where room ran out, or `across`
 */
export function codeAcRefinement<Mode>(
  scan: Scan,
  row: usize,
  across: u32,
  x: u32,
  first: i32,
  last: i32,
  low: i32,
): u32 {
  const table = tableOf(scan, 0, 1);
  let at = x == 0 ? row + (<usize>across << 1) : scan.at;
  for (; x < across; x++) {
    if (!isInteger<Mode>()) {
      if (isFull(scan)) break;
    }
    const end = at + 1 + <usize>load<u8>(at);
    at++;
    const lastNew = lastNewCoefficient(at, end, first, last, low);
    let k = 0;
    let seen = first - 1;
    let run = 0;
    let corrections: u64 = 0;
    let size: u32 = 0;
    while (at < end) {
      const kept = <i32>load<u8>(at);
      at++;
      k += advance(kept);
      if (isOnlyZeros(kept)) continue;
      const value = valueOf(kept, at);
      at += bytesBehind(kept);
      if (k < first) continue;
      if (k > last) break;
      const magnitude = abs(value) >> low;
      if (magnitude == 0) continue;
      run += k - seen - 1;
      seen = k;
      while (run > 15 && k <= lastNew) {
        endRun<Mode>(scan);
        emit<Mode>(scan, table, 0xf0, 0, 0);
        run -= 16;
        putCorrections<Mode>(scan, corrections, size);
        scan.corrected += size;
        size = 0;
      }
      if (magnitude > 1) {
        corrections = (corrections << 1) | <u64>(magnitude & 1);
        size++;
        continue;
      }
      endRun<Mode>(scan);
      emit<Mode>(scan, table, (run << 4) | 1, value < 0 ? 0 : 1, 1);
      putCorrections<Mode>(scan, corrections, size);
      scan.corrected += size;
      size = 0;
      run = 0;
    }
    if (run + last - seen > 0 || size > 0) endBlock<Mode>(scan, corrections, size);
    at = end;
  }
  scan.at = at;
  return x;
}

/** The highest position of the band whose coefficient becomes other than zero with bit `low`; 0: none. */
@inline
function lastNewCoefficient(at: usize, end: usize, first: i32, last: i32, low: i32): i32 {
  let found = 0;
  let k = 0;
  while (at < end) {
    const kept = <i32>load<u8>(at);
    at++;
    k += advance(kept);
    if (isOnlyZeros(kept)) continue;
    const magnitude = abs(valueOf(kept, at)) >> low;
    at += bytesBehind(kept);
    if (k > last) break;
    if (k >= first && magnitude == 1) found = k;
  }
  return found;
}
