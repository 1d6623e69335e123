import { endBlock, endRun } from './eob-run';
import { advance, bytesBehind, isOnlyZeros, valueOf } from './kept-block';
import { emit, isFull, Scan, tableOf } from './scan';

/**
 * Codes the band `first` … `last` of a row of blocks, all bits but the `low` lowest (T.81 G.1.2.2), from block `x` on.
 * @returns the block where room ran out, or `across`
 */
export function codeAcFirst<Mode>(scan: Scan, row: usize, across: u32, x: u32, first: i32, last: i32, low: i32): u32 {
  const table = tableOf(scan, 0, 1);
  let at = x == 0 ? row + (<usize>across << 1) : scan.at;
  for (; x < across; x++) {
    if (!isInteger<Mode>()) {
      if (isFull(scan)) break;
    }
    const end = at + 1 + <usize>load<u8>(at);
    at++;
    let k = 0;
    let coded = first - 1;
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
      endRun<Mode>(scan);
      let run = k - coded - 1;
      coded = k;
      while (run > 15) {
        emit<Mode>(scan, table, 0xf0, 0, 0);
        run -= 16;
      }
      const size = 32 - clz(magnitude);
      emit<Mode>(scan, table, (run << 4) | size, value < 0 ? ~magnitude : magnitude, size);
    }
    if (coded < last) endBlock<Mode>(scan, 0, 0);
    at = end;
  }
  scan.at = at;
  return x;
}
