import { componentCount, componentOf, keptRow, mcusAcross } from './picture';
import { emit, isFull, Scan, tableOf } from './scan';

const FIRST_DC: usize = offsetof<Scan>('dc0');

/**
 * Codes the DC coefficients of a row of MCUs, all components interleaved (T.81 G.1.2.1), from MCU `mcu` on. Blocks of padding
 * repeat the DC before them.
 * @returns the MCU where room ran out, or the number of MCUs of a row
 */
export function codeDc<Mode>(scan: Scan, picture: usize, mcuRow: u32, mcu: u32): u32 {
  const components = componentCount(picture);
  for (const mcus = mcusAcross(picture); mcu < mcus; mcu++) {
    if (!isInteger<Mode>()) {
      if (isFull(scan)) break;
    }
    for (let c: u32 = 0; c < components; c++) {
      const component = componentOf(picture, c);
      const across = component.across;
      for (let v: u32 = 0; v < component.vertical; v++) {
        const row = keptRow(component, mcuRow * component.vertical + v);
        for (let h: u32 = 0; h < component.horizontal; h++) {
          const x = mcu * component.horizontal + h;
          emitDc<Mode>(scan, c, row != 0 && x < across ? row + (<usize>x << 1) : 0);
        }
      }
    }
  }
  return mcu;
}

/** Codes the difference of a DC coefficient to the one before; `at` 0: there is none. */
@inline
export function emitDc<Mode>(scan: Scan, component: u32, at: usize): void {
  const before = changetype<usize>(scan) + FIRST_DC + (<usize>component << 2);
  const table = tableOf(scan, component == 0 ? 0 : 1, 0);
  if (at == 0) {
    emit<Mode>(scan, table, 0, 0, 0);
    return;
  }
  const dc = <i32>load<i16>(at);
  const difference = dc - load<i32>(before);
  store<i32>(before, dc);
  const size = 32 - clz(abs(difference));
  emit<Mode>(scan, table, size, difference < 0 ? difference - 1 : difference, size);
}
