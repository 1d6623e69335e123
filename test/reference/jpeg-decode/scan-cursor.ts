import { brokenJpeg } from '../../../src/image/formats/jpeg/broken-jpeg.ts';
import type { HuffmanCode } from '../../../src/image/formats/jpeg/huffman-code.ts';
import type { ComponentLayout, DecodeLayout } from '../../../src/image/formats/jpeg/layout.ts';
import type { Scan } from '../../../src/image/formats/jpeg/scan.ts';
import type { CoefficientRows } from './coefficient-rows.ts';
import { EntropyReader } from './entropy-reader.ts';
import { buildHuffmanTable, type HuffmanTable } from './huffman-table.ts';
import { decodeAcFirst, decodeAcRefinement } from './progressive-block.ts';
import { decodeSequentialBlock, extend } from './sequential-block.ts';

/** Of this many restart intervals one may be damaged; more, and what comes out is no longer the picture. */
const INTERVALS_PER_DAMAGED = 16;

type BlockKind = 'sequential' | 'dcFirst' | 'dcRefinement' | 'acFirst' | 'acRefinement';

interface Part {
  readonly index: number;
  readonly dcTable: HuffmanTable | undefined;
  readonly acTable: HuffmanTable | undefined;
}

/** One scan, decoded a row of MCUs at a time. */
export class ScanCursor {
  private readonly scan: Scan;
  private readonly parts: readonly Part[];
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
  /** Whether the data has ended. */
  private ended = false;
  private damagedIntervals = 0;
  private readonly allowedDamage: number;
  private readonly leastRows: number;
  private row = 0;

  constructor(file: Uint8Array, scan: Scan, leastRows: number, layout: DecodeLayout, rows: readonly CoefficientRows[]) {
    this.scan = scan;
    this.parts = scan.components.map(({ index, dcTable, acTable }) => ({
      index,
      dcTable: table(dcTable),
      acTable: table(acTable),
    }));
    this.leastRows = leastRows;
    this.layout = layout;
    this.rows = rows;
    this.kind = scan.progressive ? progressiveKind(scan) : 'sequential';
    this.reader = new EntropyReader(file, scan.start, scan.end);
    this.mcusToRestart = scan.restartInterval || -1;
    const intervals = scan.restartInterval === 0 ? 0 : (layout.mcusAcross * layout.mcusDown) / scan.restartInterval;
    this.allowedDamage = Math.ceil(intervals / INTERVALS_PER_DAMAGED);
  }

  /**
   * Adds what this scan knows to the coefficients of one row of MCUs. Rows are asked for in order.
   * @throws FileError broken_image when the data is damaged or ends too early
   */
  decodeRow(row: number): void {
    this.row = row;
    const [only, second] = this.parts;
    if (second === undefined) this.decodeSingle(only!, row);
    else this.decodeInterleaved();
  }

  /** A scan of one component has its own, unpadded grid of blocks (T.81 §A.2.2). */
  private decodeSingle(part: Part, row: number): void {
    const { vertical, blocksAcross, blocksDown, paddedAcross } = this.layout.components[part.index]!;
    const rows = this.rows[part.index]!;
    const blockRows = Math.min(vertical, blocksDown - row * vertical);
    for (let y = 0; y < blockRows; y++) {
      for (let x = 0; x < blocksAcross; x++) {
        if (this.startMcu()) {
          this.decodeBlock(part, rows, y * paddedAcross + x);
          this.endMcu();
        }
      }
    }
  }

  private decodeInterleaved(): void {
    for (let mcu = 0; mcu < this.layout.mcusAcross; mcu++) {
      if (!this.startMcu()) continue;
      for (const part of this.parts) this.decodeMcuPart(part, this.layout.components[part.index]!, mcu);
      this.endMcu();
    }
  }

  private decodeMcuPart(part: Part, layout: ComponentLayout, mcu: number): void {
    const rows = this.rows[part.index]!;
    const { horizontal, vertical, paddedAcross } = layout;
    for (let y = 0; y < vertical; y++) {
      const first = y * paddedAcross + mcu * horizontal;
      for (let x = 0; x < horizontal; x++) this.decodeBlock(part, rows, first + x);
    }
  }

  private decodeBlock(part: Part, rows: CoefficientRows, block: number): void {
    const { reader, scan } = this;
    const { values, extents } = rows;
    const at = block * 64;
    if (this.kind === 'sequential') {
      extents[block] = decodeSequentialBlock(reader, part.dcTable!, part.acTable!, values, at);
      values[at] = this.predictions[part.index]! += values[at]!;
    } else if (this.kind === 'dcFirst') {
      const size = reader.readSymbol(part.dcTable!);
      if (size > 0) this.predictions[part.index]! += extend(reader.readBits(size), size);
      values[at] = this.predictions[part.index]! << scan.approximationLow;
    } else if (this.kind === 'dcRefinement') {
      values[at]! |= reader.readBits(1) << scan.approximationLow;
    } else if (this.kind === 'acFirst') {
      const last = decodeAcFirst(reader, part.acTable!, scan, values, at);
      if (last > extents[block]!) extents[block] = last;
    } else extents[block] = decodeAcRefinement(reader, part.acTable!, scan, values, at, extents[block]!);
  }

  /** @returns whether the MCU is there to be decoded */
  private startMcu(): boolean {
    if (this.mcusToRestart === 0) this.restart();
    this.mcusToRestart--;
    return !this.skipping && !this.ended;
  }

  private endMcu(): void {
    const { reader } = this;
    if (!reader.damaged) return;
    if (reader.overrun && reader.nextRestartNumber() < 0) this.endData();
    else if (this.scan.restartInterval === 0) throw brokenJpeg('its data is corrupt');
    else this.giveUpInterval();
  }

  private endData(): void {
    this.ended = true;
    if (this.row < this.leastRows) throw brokenJpeg('its data ends too early');
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
    if (this.ended) return;
    this.predictions.fill(0);
    this.skipping = false;
    const found = this.findRestart(expected);
    if (this.ended) return;
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
      if (number < 0) {
        this.endData();
        return false;
      }
      const ahead = (number - expected) & 7;
      if (ahead === 1 || ahead === 2) return false;
      if (ahead < 6) return true;
      this.reader.restart(true);
    }
  }
}

function table(code: HuffmanCode | undefined): HuffmanTable | undefined {
  return code === undefined ? undefined : buildHuffmanTable(code);
}

function progressiveKind(scan: Scan): BlockKind {
  const first = scan.approximationHigh === 0;
  if (scan.spectralStart === 0) return first ? 'dcFirst' : 'dcRefinement';
  return first ? 'acFirst' : 'acRefinement';
}
