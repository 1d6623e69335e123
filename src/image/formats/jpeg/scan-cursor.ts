import { brokenJpeg } from './broken-jpeg.ts';
import type { CoefficientRows } from './coefficient-rows.ts';
import { EntropyReader } from './entropy-reader.ts';
import type { ComponentLayout, DecodeLayout } from './layout.ts';
import { decodeAcFirst, decodeAcRefinement } from './progressive-block.ts';
import type { Scan, ScanComponent } from './scans.ts';
import { decodeSequentialBlock, extend } from './sequential-block.ts';

/** Of this many restart intervals one may be damaged; more, and what comes out is no longer the picture. */
const INTERVALS_PER_DAMAGED = 16;

type BlockKind = 'sequential' | 'dcFirst' | 'dcRefinement' | 'acFirst' | 'acRefinement';

/**
 * One scan, decoded a row of MCUs at a time. Scans are bit streams of their own, and the coefficients of a block
 * depend on nothing but the same block in earlier scans: so when every scan of a file advances in step, a few rows of
 * coefficients are enough even for progressive pictures.
 */
export class ScanCursor {
  private readonly scan: Scan;
  private readonly layout: DecodeLayout;
  private readonly rows: readonly CoefficientRows[];
  private readonly kind: BlockKind;
  private readonly reader: EntropyReader;
  /** By component of the frame: the last DC value. */
  private readonly predictions = new Int32Array(4);
  /** Counts down to 0; below it from the start when there are no restarts. */
  private mcusToRestart: number;
  private nextRestart = 0;
  /** Whether the rest of the running restart interval is given up. */
  private skipping = false;
  private damagedIntervals = 0;
  private readonly allowedDamage: number;

  constructor(
    file: Uint8Array,
    scan: Scan,
    sequential: boolean,
    layout: DecodeLayout,
    rows: readonly CoefficientRows[],
  ) {
    this.scan = scan;
    this.layout = layout;
    this.rows = rows;
    this.kind = sequential ? 'sequential' : progressiveKind(scan);
    this.reader = new EntropyReader(file, scan.start, scan.end);
    this.mcusToRestart = scan.restartInterval || -1;
    const intervals = scan.restartInterval === 0 ? 0 : (layout.mcusAcross * layout.mcusDown) / scan.restartInterval;
    this.allowedDamage = Math.ceil(intervals / INTERVALS_PER_DAMAGED);
  }

  /**
   * Adds what this scan knows to the coefficients of one row of MCUs. Rows are asked for in order.
   * @throws FileError broken_image when the data is damaged or ends
   */
  decodeRow(row: number): void {
    const [only, second] = this.scan.components;
    if (second === undefined) this.decodeSingle(only!, row);
    else this.decodeInterleaved();
  }

  /** A scan of one component has its own, unpadded grid of blocks (T.81 §A.2.2). */
  private decodeSingle(component: ScanComponent, row: number): void {
    const { vertical, blocksAcross, blocksDown, paddedAcross } = this.layout.components[component.index]!;
    const rows = this.rows[component.index]!;
    const blockRows = Math.min(vertical, blocksDown - row * vertical);
    for (let y = 0; y < blockRows; y++) {
      for (let x = 0; x < blocksAcross; x++) {
        if (this.startMcu()) this.decodeBlock(component, rows, y * paddedAcross + x);
        this.endMcu();
      }
    }
  }

  private decodeInterleaved(): void {
    for (let mcu = 0; mcu < this.layout.mcusAcross; mcu++) {
      if (this.startMcu()) {
        for (const component of this.scan.components) {
          this.decodeMcuPart(component, this.layout.components[component.index]!, mcu);
        }
      }
      this.endMcu();
    }
  }

  private decodeMcuPart(component: ScanComponent, layout: ComponentLayout, mcu: number): void {
    const rows = this.rows[component.index]!;
    const { horizontal, vertical, paddedAcross } = layout;
    for (let y = 0; y < vertical; y++) {
      const first = y * paddedAcross + mcu * horizontal;
      for (let x = 0; x < horizontal; x++) this.decodeBlock(component, rows, first + x);
    }
  }

  private decodeBlock(component: ScanComponent, rows: CoefficientRows, block: number): void {
    const { reader, scan } = this;
    const { values, extents } = rows;
    const at = block * 64;
    if (this.kind === 'sequential') {
      extents[block] = decodeSequentialBlock(reader, component.dcTable!, component.acTable!, values, at);
      values[at] = this.predictions[component.index]! += values[at]!;
    } else if (this.kind === 'dcFirst') {
      const size = reader.readSymbol(component.dcTable!);
      if (size > 0) this.predictions[component.index]! += extend(reader.readBits(size), size);
      values[at] = this.predictions[component.index]! << scan.approximationLow;
    } else if (this.kind === 'dcRefinement') {
      values[at]! |= reader.readBits(1) << scan.approximationLow;
    } else if (this.kind === 'acFirst') {
      const last = decodeAcFirst(reader, component.acTable!, scan, values, at);
      if (last > extents[block]!) extents[block] = last;
    } else extents[block] = decodeAcRefinement(reader, component.acTable!, scan, values, at, extents[block]!);
  }

  /** @returns whether the MCU is there to be decoded */
  private startMcu(): boolean {
    if (this.mcusToRestart === 0) this.restart();
    this.mcusToRestart--;
    return !this.skipping;
  }

  private endMcu(): void {
    const { reader } = this;
    if (this.skipping || !reader.damaged) return;
    const ended = !reader.invalid && reader.nextRestartNumber() < 0;
    if (ended) throw brokenJpeg('its data ends too early');
    if (this.scan.restartInterval === 0) throw brokenJpeg('its data is corrupt');
    this.giveUpInterval();
  }

  private giveUpInterval(): void {
    this.skipping = true;
    if (++this.damagedIntervals > this.allowedDamage) throw brokenJpeg('its data is corrupt');
  }

  /** T.81 §F.2.1.3.1: restart markers count 0 … 7 and around. */
  private restart(): void {
    const expected = this.nextRestart;
    this.nextRestart = (expected + 1) & 7;
    this.mcusToRestart = this.scan.restartInterval;
    this.predictions.fill(0);
    this.skipping = false;
    const found = this.findRestart(expected);
    this.reader.restart(found);
    if (!found) this.giveUpInterval();
  }

  /**
   * Looks for the restart marker that should come now. One that should come soon means that this interval is lost; one
   * that should have come before is left behind; one far off is taken for the expected one, damaged.
   */
  private findRestart(expected: number): boolean {
    for (;;) {
      const number = this.reader.nextRestartNumber();
      if (number < 0) throw brokenJpeg('its data ends too early');
      const ahead = (number - expected) & 7;
      if (ahead === 1 || ahead === 2) return false;
      if (ahead < 6) return true;
      this.reader.restart(true);
    }
  }
}

function progressiveKind(scan: Scan): BlockKind {
  const first = scan.approximationHigh === 0;
  if (scan.spectralStart === 0) return first ? 'dcFirst' : 'dcRefinement';
  return first ? 'acFirst' : 'acRefinement';
}
