import { emit, MOST_WAITING, putBits, Scan, tableOf } from './scan';

const LONGEST_RUN: u32 = 0x7fff;

/** A block ended before its band does: it joins the run (T.81 G.1.2.2), with the correction bits that it still has. */
@inline
export function endBlock<Mode>(scan: Scan, bits: u64, size: u32): void {
  scan.eobRun++;
  if (size > 0) {
    if (!isInteger<Mode>()) {
      const word = scan.corrections + (<usize>scan.words << 4);
      store<u64>(word, bits);
      store<u32>(word, size, 8);
      scan.words++;
    }
    scan.waiting += size;
    scan.corrected += size;
  }
  if (scan.eobRun == LONGEST_RUN || scan.waiting > MOST_WAITING) flushRun<Mode>(scan);
}

/** Before anything else is coded, the run that came before it is (EOBn, then the correction bits of all its blocks). */
@inline
export function endRun<Mode>(scan: Scan): void {
  if (scan.eobRun > 0) flushRun<Mode>(scan);
}

function flushRun<Mode>(scan: Scan): void {
  const size = 31 - clz(scan.eobRun);
  emit<Mode>(scan, tableOf(scan, 0, 1), size << 4, scan.eobRun, size);
  scan.eobRun = 0;
  if (!isInteger<Mode>()) {
    for (let i: usize = 0, count = <usize>scan.words; i < count; i++) {
      const word = scan.corrections + (i << 4);
      putCorrections<Mode>(scan, load<u64>(word), load<u32>(word, 8));
    }
  }
  scan.words = 0;
  scan.waiting = 0;
}

/** Writes up to 63 correction bits. */
@inline
export function putCorrections<Mode>(scan: Scan, bits: u64, size: u32): void {
  if (isInteger<Mode>() || size == 0) return;
  if (size > 32) {
    putBits(scan, <u32>(bits >> 32) & ((1 << (size - 32)) - 1), size - 32);
    size = 32;
  }
  putBits(scan, <u32>bits & <u32>((<u64>1 << size) - 1), size);
}
