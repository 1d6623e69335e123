import { emitDc } from './dc-scan';
import { advance, bytesBehind, isOnlyZeros, valueOf } from './kept-block';
import { componentCount, componentOf, keptRow, mcusAcross } from './picture';
import { emit, isFull, Scan, tableOf } from './scan';

/**
 * Codes a row of MCUs whole, all components interleaved (T.81 F.1.2), from MCU `mcu` on. Blocks of padding repeat the DC before
 * them and nothing else. `ends` keeps where each row of blocks goes on.
 * @returns the MCU where room ran out, or the number of MCUs of a row
 */
export function codeSequential<Mode>(scan: Scan, picture: usize, mcuRow: u32, mcu: u32, ends: usize): u32 {
  const components = componentCount(picture);
  if (mcu == 0) startRows(picture, components, mcuRow, ends);
  for (const mcus = mcusAcross(picture); mcu < mcus; mcu++) {
    if (!isInteger<Mode>()) {
      if (isFull(scan)) break;
    }
    let rowEnd = ends;
    for (let c: u32 = 0; c < components; c++) {
      const component = componentOf(picture, c);
      const table = tableOf(scan, c == 0 ? 0 : 1, 1);
      for (let v: u32 = 0; v < component.vertical; v++) {
        const row = keptRow(component, mcuRow * component.vertical + v);
        for (let h: u32 = 0; h < component.horizontal; h++) {
          const x = mcu * component.horizontal + h;
          if (row != 0 && x < component.across) {
            emitDc<Mode>(scan, c, row + (<usize>x << 1));
            store<usize>(rowEnd, emitAc<Mode>(scan, table, load<usize>(rowEnd)));
          } else {
            emitDc<Mode>(scan, c, 0);
            emit<Mode>(scan, table, 0, 0, 0);
          }
        }
        rowEnd += 4;
      }
    }
  }
  return mcu;
}

function startRows(picture: usize, components: u32, mcuRow: u32, ends: usize): void {
  for (let c: u32 = 0; c < components; c++) {
    const component = componentOf(picture, c);
    for (let v: u32 = 0; v < component.vertical; v++) {
      store<usize>(ends, keptRow(component, mcuRow * component.vertical + v) + (<usize>component.across << 1));
      ends += 4;
    }
  }
}

/** Codes the AC coefficients of the block at `at`; returns where the next one is. */
function emitAc<Mode>(scan: Scan, table: usize, at: usize): usize {
  const end = at + 1 + <usize>load<u8>(at);
  at++;
  let k = 0;
  let coded = 0;
  while (at < end) {
    const kept = <i32>load<u8>(at);
    at++;
    k += advance(kept);
    if (isOnlyZeros(kept)) continue;
    const value = valueOf(kept, at);
    at += bytesBehind(kept);
    let run = k - coded - 1;
    coded = k;
    while (run > 15) {
      emit<Mode>(scan, table, 0xf0, 0, 0);
      run -= 16;
    }
    const size = 32 - clz(abs(value));
    emit<Mode>(scan, table, (run << 4) | size, value < 0 ? value - 1 : value, size);
  }
  if (coded < 63) emit<Mode>(scan, table, 0, 0, 0);
  return end;
}
