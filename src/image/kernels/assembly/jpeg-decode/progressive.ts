import {
  fastEndOf,
  longEntry,
  lookaheadOf,
  lookupOf,
  NO_CODE,
  plainWord,
  readBits,
  readSymbol,
  refill,
  signedValue,
} from './bits';
import { Component, DC_FIRST, Decoder, FINE, partAt, Scan, ScanPart, STARVED, stopAt } from './decoder';
import { endDamagedMcu, restart } from './restarts';

// @ts-ignore: decorator
@inline
function blockAt(component: Component, y: i32, x: i32): usize {
  return component.coefficients + (<usize>(y * component.paddedAcross + x) << 7);
}

/** Decodes one row of MCUs of a scan of DC coefficients, the first (T.81 G.1.2.1) or a later one with one more bit. */
export function decodeDcRow(decoder: Decoder, scan: Scan): i32 {
  const single = scan.partCount == 1;
  let lines = 1;
  let mcus = decoder.mcusAcross;
  if (single) {
    const only = partAt(scan, 0).component;
    lines = min(only.vertical, only.blocksDown - decoder.row * only.vertical);
    mcus = only.blocksAcross;
  }
  let mcu = scan.mcu;
  for (let line = scan.line; line < lines; line++, mcu = 0) {
    for (; mcu < mcus; mcu++) {
      if (scan.mcusToRestart == 0) {
        const result = restart(decoder, scan);
        if (result != FINE) return stopAt(scan, line, mcu, result);
      }
      if (scan.position > scan.lastStart) return stopAt(scan, line, mcu, STARVED);
      scan.mcusToRestart--;
      if ((scan.skipping | scan.ended) != 0) continue;
      for (let index = 0; index < scan.partCount; index++) {
        const part = partAt(scan, index);
        const component = part.component;
        const across = single ? 1 : component.horizontal;
        const down = single ? 1 : component.vertical;
        for (let y = 0; y < down; y++) {
          for (let x = 0; x < across; x++) decodeDc(scan, part, blockAt(component, line + y, mcu * across + x));
        }
      }
      if (scan.invalid != 0 || scan.count < scan.padding) {
        const failure = endDamagedMcu(decoder, scan);
        if (failure != FINE) return failure;
      }
    }
  }
  return FINE;
}

// @ts-ignore: decorator
@inline
function decodeDc(scan: Scan, part: ScanPart, block: usize): void {
  if (scan.kind == DC_FIRST) {
    const size = readSymbol(scan, part.dcTable);
    if (size > 0) {
      if (scan.count < size) refill(scan);
      part.prediction += signedValue(scan.bits, size);
      scan.bits <<= <u64>size;
      scan.count -= size;
    }
    store<i16>(block, part.prediction << scan.approximationLow);
  } else store<i16>(block, <i32>load<i16>(block) | (readBits(scan, 1) << scan.approximationLow));
}

/** Decodes the first scan of an AC band for one row of MCUs (T.81 G.1.2.2). */
export function decodeAcFirstRow(decoder: Decoder, scan: Scan): i32 {
  const zigzag = decoder.zigzag;
  const part = partAt(scan, 0);
  const component = part.component;
  const table = part.acTable;
  const lookup = lookupOf(table);
  const lookupShift = <u64>(64 - lookaheadOf(table));
  const lines = min(component.vertical, component.blocksDown - decoder.row * component.vertical);
  const blocks = component.blocksAcross;
  const spectralStart = scan.spectralStart;
  const spectralEnd = scan.spectralEnd;
  const shift = scan.approximationLow;
  const fastEnd = fastEndOf(scan);
  const lastStart = scan.lastStart;
  let bits = scan.bits;
  let count = scan.count;
  let position = scan.position;
  let run = scan.endOfBandRun;
  let x = scan.mcu;
  for (let line = scan.line; line < lines; line++, x = 0) {
    for (; x < blocks; x++) {
      if (scan.mcusToRestart == 0) {
        scan.bits = bits;
        scan.count = count;
        scan.position = position;
        const result = restart(decoder, scan);
        if (result != FINE) return stopAt(scan, line, x, result);
        bits = scan.bits;
        count = scan.count;
        position = scan.position;
        run = scan.endOfBandRun;
      }
      if (position > lastStart) {
        scan.bits = bits;
        scan.count = count;
        scan.position = position;
        scan.endOfBandRun = run;
        return stopAt(scan, line, x, STARVED);
      }
      scan.mcusToRestart--;
      if ((scan.skipping | scan.ended) != 0) continue;
      if (run > 0) {
        run--;
        continue;
      }
      const block = blockAt(component, line, x);
      let last = 0;
      let k = spectralStart;
      while (k <= spectralEnd) {
        if (count < 32) {
          const word = plainWord(position, fastEnd);
          if (word >= 0) {
            bits |= <u64>word << <u64>(32 - count);
            count += 32;
            position += 4;
          } else {
            scan.bits = bits;
            scan.count = count;
            scan.position = position;
            refill(scan);
            bits = scan.bits;
            count = scan.count;
            position = scan.position;
          }
        }
        let entry = load<i32>(lookup + (<usize>(bits >>> lookupShift) << 2));
        if (entry == 0) {
          entry = longEntry(table, <i32>(bits >>> 48));
          if (entry < 0) {
            scan.invalid = 1;
            entry = NO_CODE;
          }
        }
        bits <<= <u64>(entry & 255);
        count -= entry & 255;
        const zeros = (entry >> 12) & 15;
        let value = entry >> 16;
        if (value == 0) {
          const size = (entry >> 8) & 15;
          if (size == 0) {
            if (zeros == 15) {
              k += 16;
              continue;
            }
            run = 0;
            if (zeros > 0) {
              run = (1 << zeros) - 1 + <i32>(bits >>> <u64>(64 - zeros));
              bits <<= <u64>zeros;
              count -= zeros;
            }
            break;
          }
          value = signedValue(bits, size);
          bits <<= <u64>size;
          count -= size;
        }
        k += zeros;
        if (k > spectralEnd) {
          scan.invalid = 1;
          break;
        }
        store<i16>(block + <usize>load<u8>(zigzag + k), value << shift);
        last = k++;
      }
      const extent = component.extents + <usize>(line * component.paddedAcross + x);
      if (last > <i32>load<u8>(extent)) store<u8>(extent, last);
      if (scan.invalid != 0 || count < scan.padding) {
        scan.bits = bits;
        scan.count = count;
        scan.position = position;
        const failure = endDamagedMcu(decoder, scan);
        if (failure != FINE) return failure;
        position = scan.position;
      }
    }
  }
  scan.bits = bits;
  scan.count = count;
  scan.position = position;
  scan.endOfBandRun = run;
  return FINE;
}

/** Decodes one more bit of each coefficient of an AC band for one row of MCUs (T.81 G.1.2.3). Its table has no values. */
export function decodeAcRefinementRow(decoder: Decoder, scan: Scan): i32 {
  const zigzag = decoder.zigzag;
  const part = partAt(scan, 0);
  const component = part.component;
  const table = part.acTable;
  const lookup = lookupOf(table);
  const lookupShift = <u64>(64 - lookaheadOf(table));
  const lines = min(component.vertical, component.blocksDown - decoder.row * component.vertical);
  const blocks = component.blocksAcross;
  const spectralStart = scan.spectralStart;
  const spectralEnd = scan.spectralEnd;
  const bit = 1 << scan.approximationLow;
  const fastEnd = fastEndOf(scan);
  const lastStart = scan.lastStart;
  let bits = scan.bits;
  let count = scan.count;
  let position = scan.position;
  let run = scan.endOfBandRun;
  let x = scan.mcu;
  for (let line = scan.line; line < lines; line++, x = 0) {
    for (; x < blocks; x++) {
      if (scan.mcusToRestart == 0) {
        scan.bits = bits;
        scan.count = count;
        scan.position = position;
        const result = restart(decoder, scan);
        if (result != FINE) return stopAt(scan, line, x, result);
        bits = scan.bits;
        count = scan.count;
        position = scan.position;
        run = scan.endOfBandRun;
      }
      if (position > lastStart) {
        scan.bits = bits;
        scan.count = count;
        scan.position = position;
        scan.endOfBandRun = run;
        return stopAt(scan, line, x, STARVED);
      }
      scan.mcusToRestart--;
      if ((scan.skipping | scan.ended) != 0) continue;
      const block = blockAt(component, line, x);
      const extentAt = component.extents + <usize>(line * component.paddedAcross + x);
      let extent = <i32>load<u8>(extentAt);
      // Behind this index every coefficient is zero.
      const known = min(extent, spectralEnd);
      let k = spectralStart;
      while (k <= spectralEnd) {
        let zeros = 64;
        let value = 0;
        let size = 0;
        if (run == 0) {
          if (count < 32) {
            const word = plainWord(position, fastEnd);
            if (word >= 0) {
              bits |= <u64>word << <u64>(32 - count);
              count += 32;
              position += 4;
            } else {
              scan.bits = bits;
              scan.count = count;
              scan.position = position;
              refill(scan);
              bits = scan.bits;
              count = scan.count;
              position = scan.position;
            }
          }
          let entry = load<i32>(lookup + (<usize>(bits >>> lookupShift) << 2));
          if (entry == 0) {
            entry = longEntry(table, <i32>(bits >>> 48));
            if (entry < 0) {
              scan.invalid = 1;
              entry = NO_CODE;
            }
          }
          bits <<= <u64>(entry & 255);
          count -= entry & 255;
          zeros = (entry >> 12) & 15;
          size = (entry >> 8) & 15;
          if (size != 0) {
            value = <i64>bits < 0 ? bit : -bit;
            bits <<= 1;
            count--;
          } else if (zeros < 15) {
            run = 1 << zeros;
            if (zeros > 0) {
              run += <i32>(bits >>> <u64>(64 - zeros));
              bits <<= <u64>zeros;
              count -= zeros;
            }
            zeros = 64;
          }
        }
        // Refines what is not zero, up to the zero coefficient that follows `zeros` others.
        for (; k <= known; k++) {
          const at = block + <usize>load<u8>(zigzag + k);
          const old = <i32>load<i16>(at);
          if (old == 0) {
            if (zeros == 0) break;
            zeros--;
            continue;
          }
          if (count == 0) {
            const word = plainWord(position, fastEnd);
            if (word >= 0) {
              bits = <u64>word << 32;
              count = 32;
              position += 4;
            } else {
              scan.bits = bits;
              scan.count = count;
              scan.position = position;
              refill(scan);
              bits = scan.bits;
              count = scan.count;
              position = scan.position;
            }
          }
          if (<i64>bits < 0 && (old & bit) == 0) store<i16>(at, old > 0 ? old + bit : old - bit);
          bits <<= 1;
          count--;
        }
        if (run > 0) break;
        if (k > known) k += zeros;
        if (value != 0) {
          if (k > spectralEnd || size > 1) {
            scan.invalid = 1;
            break;
          }
          store<i16>(block + <usize>load<u8>(zigzag + k), value);
          if (k > extent) extent = k;
        }
        k++;
      }
      if (run > 0) run--;
      store<u8>(extentAt, extent);
      if (scan.invalid != 0 || count < scan.padding) {
        scan.bits = bits;
        scan.count = count;
        scan.position = position;
        const failure = endDamagedMcu(decoder, scan);
        if (failure != FINE) return failure;
        position = scan.position;
      }
    }
  }
  scan.bits = bits;
  scan.count = count;
  scan.position = position;
  scan.endOfBandRun = run;
  return FINE;
}
