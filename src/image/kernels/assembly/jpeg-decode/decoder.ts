/*
 * The structures that the host prepares in the arena (`formats/jpeg/decoder-memory.ts`, which must lay them out in the same
 * way). Every field is 32 bits wide but `Scan.bits`; pointers are addresses in the arena.
 */

/**
 * What a call answers: nothing went wrong, the data ends before enough of the picture is there, it cannot be right, or the
 * window of `Decoder.scan` must slide before the same call goes on where it stopped.
 */
export const FINE: i32 = 0;
export const ENDS_EARLY: i32 = -1;
export const CORRUPT: i32 = -2;
export const STARVED: i32 = 1;

/** `Scan.lastStart` when the window has all that is left of the scan's data. */
export const EVERYWHERE: usize = usize.MAX_VALUE;

/** `Scan.kind` */
export const SEQUENTIAL: i32 = 0;
export const DC_FIRST: i32 = 1;
export const DC_REFINEMENT: i32 = 2;
export const AC_FIRST: i32 = 3;
export const AC_REFINEMENT: i32 = 4;

/** `Component.upsampling` */
export const UPSAMPLE_NONE: i32 = 0;
export const UPSAMPLE_ACROSS: i32 = 1;
export const UPSAMPLE_DOWN: i32 = 2;
export const UPSAMPLE_BOTH: i32 = 3;
export const UPSAMPLE_REPEAT: i32 = 4;

/** `Decoder.colour` */
export const GREY: i32 = 0;
export const YCBCR: i32 = 1;
export const RGB: i32 = 2;
export const CMYK: i32 = 3;
export const YCCK: i32 = 4;

/** One component: `ComponentLayout` of the host and where its data lies. */
@unmanaged
export class Component {
  horizontal: i32;
  vertical: i32;
  blocksAcross: i32;
  blocksDown: i32;
  paddedAcross: i32;
  blockSide: i32;
  width: i32;
  height: i32;
  stride: i32;
  planeRows: i32;
  upsampling: i32;
  acrossSamples: i32;
  acrossOutOf: i32;
  downSamples: i32;
  downOutOf: i32;
  /** Samples, `planeRows` rows of `stride`, a ring. */
  plane: usize;
  /** One row at the picture's width. */
  upsampled: usize;
  /** One row of MCUs: i16, 64 a block in natural order; and by block, an index behind which all are zero in zig-zag order. */
  coefficients: usize;
  extents: usize;
  /** 64 × i16 in natural order. */
  quant: usize;
  /** Where in the plane the running row of MCUs begins. */
  target: usize;
}

/** A component's part in a scan. */
@unmanaged
export class ScanPart {
  component: Component;
  dcTable: usize;
  acTable: usize;
  /** The last DC value. */
  prediction: i32;
}

/** One scan and how far it has been read. */
@unmanaged
export class Scan {
  /** The highest `count` bits are those not yet used; all others are zero. */
  bits: u64;
  count: i32;
  /** Next byte to read, and the end of what is there of the scan's data. */
  position: usize;
  end: usize;
  /** The last position at which an MCU may begin: from there it does not read up to `end`. */
  lastStart: usize;
  /** Zero bits put in since the last restart because the data had ended. */
  padding: i32;
  /** A code was met that the table does not have, or a coefficient behind the last. */
  invalid: i32;
  /** Blocks still to come whose band has nothing new in it (EOBRUN, T.81 G.1.2.2). */
  endOfBandRun: i32;
  kind: i32;
  spectralStart: i32;
  spectralEnd: i32;
  approximationLow: i32;
  restartInterval: i32;
  /** Counts down to 0; below it from the start when there are no restarts. */
  mcusToRestart: i32;
  nextRestart: i32;
  /** Whether the rest of the running restart interval is given up. */
  skipping: i32;
  /** Whether the data has ended. */
  ended: i32;
  damagedIntervals: i32;
  allowedDamage: i32;
  /** Rows of MCUs that must have been whole before the data may end. */
  leastRows: i32;
  /** The MCU that comes next in the running row of MCUs: of a scan of one component, the block and its line. */
  line: i32;
  mcu: i32;
  partCount: i32;
}

/** Stops before an MCU: what comes next in the running row. */
export function stopAt(scan: Scan, line: i32, mcu: i32, result: i32): i32 {
  scan.line = line;
  scan.mcu = mcu;
  return result;
}

/** Bytes of a `Scan` before its parts, and of each part. */
const SCAN_BYTES: usize = 96;
const PART_BYTES: usize = 16;

@unmanaged
export class Decoder {
  width: i32;
  mcusAcross: i32;
  mcusDown: i32;
  /** The row of MCUs that comes next or runs; whether it runs, and the scan that comes next in it. */
  row: i32;
  running: i32;
  scan: i32;
  context: i32;
  colour: i32;
  /** Whether the only scan has all components: then each block becomes samples at once. */
  direct: i32;
  componentCount: i32;
  components: usize;
  scanCount: i32;
  scans: usize;
  scanStride: i32;
  /** All coefficients of one row of MCUs and their extents. */
  coefficients: usize;
  coefficientBytes: i32;
  /** One block, zero between uses, and 16 bytes that are never read. */
  block: usize;
  /** 128 bytes for the inverse DCT. */
  scratch: usize;
  /** Byte offset of each coefficient in its block by zig-zag index; from 64 to 79 it is the end of the block. */
  zigzag: usize;
  /** Sums of one row on their way through interpolation. */
  sums: usize;
}

/** Bytes of a `Component`. */
const COMPONENT_BYTES: usize = 84;

// @ts-ignore: decorator
@inline
export function componentAt(decoder: Decoder, index: i32): Component {
  return changetype<Component>(decoder.components + <usize>index * COMPONENT_BYTES);
}

// @ts-ignore: decorator
@inline
export function scanAt(decoder: Decoder, index: i32): Scan {
  return changetype<Scan>(decoder.scans + <usize>index * <usize>decoder.scanStride);
}

// @ts-ignore: decorator
@inline
export function partAt(scan: Scan, index: i32): ScanPart {
  return changetype<ScanPart>(changetype<usize>(scan) + SCAN_BYTES + <usize>index * PART_BYTES);
}
