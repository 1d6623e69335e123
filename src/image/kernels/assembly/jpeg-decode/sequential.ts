import { fastEndOf, longEntry, lookaheadOf, lookupOf, NO_CODE, plainWord, refill, signedValue } from './bits';
import { Component, Decoder, FINE, partAt, Scan, STARVED, stopAt } from './decoder';
import { inverseDct } from './inverse-dct';
import { endDamagedMcu, restart } from './restarts';

/** A block of one row of MCUs that carries no part of the picture is not transformed. */
// @ts-ignore: decorator
@inline
function carriesPicture(component: Component, row: i32, y: i32, x: i32): bool {
  return x < component.blocksAcross && row * component.vertical + y < component.blocksDown;
}

// @ts-ignore: decorator
@inline
function transform(decoder: Decoder, component: Component, y: i32, x: i32, extent: i32): void {
  if (!carriesPicture(component, decoder.row, y, x)) return;
  const side = component.blockSide;
  const target = component.target + <usize>(y * side * component.stride + x * side);
  inverseDct(decoder.block, component.quant, target, component.stride, side, extent, decoder.scratch);
}

// @ts-ignore: decorator
@inline
function clear(block: usize): void {
  const zero = i64x2.splat(0);
  v128.store(block, zero);
  v128.store(block, zero, 16);
  v128.store(block, zero, 32);
  v128.store(block, zero, 48);
  v128.store(block, zero, 64);
  v128.store(block, zero, 80);
  v128.store(block, zero, 96);
  v128.store(block, zero, 112);
}

// @ts-ignore: decorator
@inline
function copy(to: usize, block: usize): void {
  v128.store(to, v128.load(block));
  v128.store(to, v128.load(block, 16), 16);
  v128.store(to, v128.load(block, 32), 32);
  v128.store(to, v128.load(block, 48), 48);
  v128.store(to, v128.load(block, 64), 64);
  v128.store(to, v128.load(block, 80), 80);
  v128.store(to, v128.load(block, 96), 96);
  v128.store(to, v128.load(block, 112), 112);
}

/** Hands the decoded block on: to the samples at once, or to the coefficients of its row. */
// @ts-ignore: decorator
@inline
function deliver(decoder: Decoder, component: Component, y: i32, x: i32, extent: i32): void {
  const block = decoder.block;
  if (decoder.direct != 0) transform(decoder, component, y, x, extent);
  else {
    const index = <usize>(y * component.paddedAcross + x);
    copy(component.coefficients + (index << 7), block);
    store<u8>(component.extents + index, extent);
  }
  if (extent > 0) clear(block);
}

/** An MCU that is not there: its blocks are grey. */
function skipMcu(decoder: Decoder, scan: Scan, line: i32, mcu: i32): void {
  if (decoder.direct == 0) return;
  store<i16>(decoder.block, 0);
  const single = scan.partCount == 1;
  for (let index = 0; index < scan.partCount; index++) {
    const component = partAt(scan, index).component;
    const across = single ? 1 : component.horizontal;
    const down = single ? 1 : component.vertical;
    for (let y = 0; y < down; y++) {
      for (let x = 0; x < across; x++) transform(decoder, component, line + y, mcu * across + x, 0);
    }
  }
}

/**
 * Decodes one row of MCUs of a sequential scan (T.81 F.2.2). A scan of one component has its own, unpadded grid of blocks
 * (A.2.2).
 */
export function decodeSequentialRow(decoder: Decoder, scan: Scan): i32 {
  const zigzag = decoder.zigzag;
  const block = decoder.block;
  const single = scan.partCount == 1;
  const parts = scan.partCount;
  let lines = 1;
  let mcus = decoder.mcusAcross;
  if (single) {
    const only = partAt(scan, 0).component;
    lines = min(only.vertical, only.blocksDown - decoder.row * only.vertical);
    mcus = only.blocksAcross;
  }
  const fastEnd = fastEndOf(scan);
  const lastStart = scan.lastStart;
  let bits = scan.bits;
  let count = scan.count;
  let position = scan.position;
  let mcu = scan.mcu;
  for (let line = scan.line; line < lines; line++, mcu = 0) {
    for (; mcu < mcus; mcu++) {
      if (scan.mcusToRestart == 0) {
        scan.bits = bits;
        scan.count = count;
        scan.position = position;
        const result = restart(decoder, scan);
        if (result != FINE) return stopAt(scan, line, mcu, result);
        bits = scan.bits;
        count = scan.count;
        position = scan.position;
      }
      if (position > lastStart) {
        scan.bits = bits;
        scan.count = count;
        scan.position = position;
        return stopAt(scan, line, mcu, STARVED);
      }
      scan.mcusToRestart--;
      if ((scan.skipping | scan.ended) != 0) {
        skipMcu(decoder, scan, line, mcu);
        continue;
      }
      for (let index = 0; index < parts; index++) {
        const part = partAt(scan, index);
        const component = part.component;
        const across = single ? 1 : component.horizontal;
        const down = single ? 1 : component.vertical;
        const dcTable = part.dcTable;
        const acTable = part.acTable;
        const dcLookup = lookupOf(dcTable);
        const acLookup = lookupOf(acTable);
        const dcShift = <u64>(64 - lookaheadOf(dcTable));
        const acShift = <u64>(64 - lookaheadOf(acTable));
        for (let y = 0; y < down; y++) {
          for (let x = 0; x < across; x++) {
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
            let entry = load<i32>(dcLookup + (<usize>(bits >>> dcShift) << 2));
            if (entry == 0) {
              entry = longEntry(dcTable, <i32>(bits >>> 48));
              if (entry < 0) {
                scan.invalid = 1;
                entry = NO_CODE;
              }
            }
            bits <<= <u64>(entry & 255);
            count -= entry & 255;
            let prediction = part.prediction;
            if (entry >> 16 != 0) prediction += entry >> 16;
            else {
              const size = entry >> 8;
              if (size != 0) {
                prediction += signedValue(bits, size);
                bits <<= <u64>size;
                count -= size;
              }
            }
            part.prediction = prediction;
            store<i16>(block, prediction);

            let last = 0;
            let k = 1;
            do {
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
              entry = load<i32>(acLookup + (<usize>(bits >>> acShift) << 2));
              if (entry >> 16 != 0) {
                bits <<= <u64>(entry & 255);
                count -= entry & 255;
                k += (entry >> 12) & 15;
                store<i16>(block + <usize>load<u8>(zigzag + k), entry >> 16);
                last = k++;
                continue;
              }
              if (entry == 0) {
                entry = longEntry(acTable, <i32>(bits >>> 48));
                if (entry < 0) {
                  scan.invalid = 1;
                  entry = NO_CODE;
                }
              }
              bits <<= <u64>(entry & 255);
              count -= entry & 255;
              const size = (entry >> 8) & 15;
              k += entry >> 12;
              if (size == 0) {
                if (entry >> 12 != 15) break;
                k++;
                continue;
              }
              store<i16>(block + <usize>load<u8>(zigzag + k), signedValue(bits, size));
              bits <<= <u64>size;
              count -= size;
              last = k++;
            } while (k < 64);
            if (last > 63) {
              scan.invalid = 1;
              last = 63;
            }
            deliver(decoder, component, line + y, mcu * across + x, last);
          }
        }
      }
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
  return FINE;
}
