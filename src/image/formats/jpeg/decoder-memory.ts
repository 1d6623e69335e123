import { aligned } from '../../kernels/aligned.ts';
import type { JpegDetail } from './header.ts';
import type { ComponentLayout, DecodeLayout, Upsampling } from './layout.ts';
import { leastRows } from './least-rows.ts';
import type { Scan, Scans } from './scan.ts';
import type { ScanData } from './scan-windows.ts';
import { maxScans } from './scans.ts';
import { TableMemory, tableBytes } from './table-memory.ts';
import { zigzag } from './zigzag.ts';

/*
 * The decoder's region of the arena: the structures of `assembly/jpeg-decode/decoder.ts`, laid out as there, the Huffman
 * tables, and what the kernel works in.
 */

const DECODER_BYTES = 80;
const COMPONENT_BYTES = 84;
const SCAN_BYTES = 160;
/** The word `Decoder.scan`. */
const RUNNING_SCAN = 5;
/** Words of a scan: `Scan.position` and the two behind it, `Scan.leastRows`, and where its parts begin. */
const POSITION = 3;
const LEAST_ROWS = 20;
const PARTS = 24;
const BLOCK_BYTES = 128;
/** Vectors of 16 bytes may be read and written a little behind the end of a row. */
const SLACK = 64;

/** Where everything lies, in bytes from the start of the region. */
interface MemoryMap {
  readonly bytes: number;
  readonly components: number;
  readonly scans: number;
  readonly tables: number;
  readonly block: number;
  readonly scratch: number;
  readonly zigzag: number;
  readonly sums: number;
  readonly coefficients: number;
  readonly coefficientBytes: number;
  readonly of: readonly ComponentMap[];
}

interface ComponentMap {
  readonly plane: number;
  readonly upsampled: number;
  readonly coefficients: number;
  readonly extents: number;
  readonly quant: number;
}

/** Bytes of the region that the decoder takes; a few rows of the picture, and its tables. */
export function decoderBytes(layout: DecodeLayout, detail: JpegDetail): number {
  return memoryMap(layout, detail).bytes;
}

function memoryMap(layout: DecodeLayout, detail: JpegDetail): MemoryMap {
  let end = 0;
  const take = (bytes: number) => {
    const start = end;
    end += aligned(bytes);
    return start;
  };
  take(DECODER_BYTES);
  const fixed = {
    components: take(layout.components.length * COMPONENT_BYTES),
    scans: take(maxScans(detail) * SCAN_BYTES),
    tables: take(tableBytes(detail)),
    block: take(BLOCK_BYTES + 16),
    scratch: take(BLOCK_BYTES),
    zigzag: take(80),
    sums: take(2 * (layout.width + SLACK)),
  };
  const coefficients = end;
  const ofRows = layout.components.map((component) => ({
    coefficients: take(blocksInRow(component) * BLOCK_BYTES),
    extents: take(blocksInRow(component)),
  }));
  const coefficientBytes = end - coefficients;
  const of = layout.components.map(({ stride, planeRows }, index) => ({
    ...ofRows[index]!,
    quant: take(BLOCK_BYTES),
    plane: take(stride * planeRows + SLACK),
    upsampled: take(layout.width + SLACK),
  }));
  return { ...fixed, coefficients, coefficientBytes, of, bytes: end };
}

function blocksInRow(component: ComponentLayout): number {
  return component.vertical * component.paddedAcross;
}

/** A decoder that was prepared: what the kernel and its host tell each other. */
export class DecoderMemory {
  /** Its address, for the kernel. */
  readonly address: number;
  readonly #words: Int32Array;
  readonly #scans: number;

  constructor(address: number, words: Int32Array, scans: number) {
    this.address = address;
    this.#words = words;
    this.#scans = scans;
  }

  /** The scan at which the kernel stopped. */
  get scan(): number {
    return this.#words[RUNNING_SCAN]!;
  }

  /** The address of the next byte of a scan that the kernel will read. */
  position(scan: number): number {
    return this.#words[this.#wordOf(scan)]!;
  }

  /** Tells the kernel what is there of a scan's data, from its next byte on. */
  feed(scan: number, { start, end, lastStart }: ScanData): void {
    this.#words.set([start, end, lastStart], this.#wordOf(scan));
  }

  #wordOf(scan: number): number {
    return ((this.#scans + scan * SCAN_BYTES) >> 2) + POSITION;
  }
}

/** Prepares a region of `decoderBytes` for the kernel; the scans' data is still to be fed. @throws FileError broken_image */
export function prepareDecoder(
  region: Uint8Array,
  detail: JpegDetail,
  layout: DecodeLayout,
  found: Scans,
): DecoderMemory {
  const map = memoryMap(layout, detail);
  const base = region.byteOffset;
  const words = new Int32Array(region.buffer, base, region.length >> 2);
  const { width, mcusAcross, mcusDown, context, components } = layout;
  const direct = !detail.progressive && found.scans.length === 1;
  words.set([
    ...[
      width,
      mcusAcross,
      mcusDown,
      0,
      0,
      0,
      Number(context),
      colours[detail.colour],
      Number(direct),
      components.length,
    ],
    ...[base + map.components, found.scans.length, base + map.scans, SCAN_BYTES],
    ...[base + map.coefficients, map.coefficientBytes],
    ...[base + map.block, base + map.scratch, base + map.zigzag, base + map.sums],
  ]);
  region.fill(BLOCK_BYTES, map.zigzag, map.zigzag + 80);
  region.set(
    zigzag.map((position) => position * 2),
    map.zigzag,
  );
  components.forEach((component, index) => {
    writeComponent(words, (map.components + index * COMPONENT_BYTES) >> 2, component, map.of[index]!, base);
    const quant = new Int16Array(region.buffer, base + map.of[index]!.quant, 64);
    quant.set(found.quantTables[index]!);
  });
  const tables = new TableMemory(region.subarray(map.tables, map.tables + tableBytes(detail)), found);
  found.scans.forEach((scan, index) => {
    const at = (map.scans + index * SCAN_BYTES) >> 2;
    const of = words.subarray(at, at + (SCAN_BYTES >> 2));
    writeScan(of, scan, layout);
    of[LEAST_ROWS] = leastRows(found, index, mcusDown);
    writeParts(of.subarray(PARTS), scan, base + map.components, tables);
  });
  return new DecoderMemory(base, words, map.scans);
}

const colours: Readonly<Record<JpegDetail['colour'], number>> = { grey: 0, ycbcr: 1, rgb: 2, cmyk: 3, ycck: 4 };
const upsamplings: Readonly<Record<Upsampling, number>> = { none: 0, across: 1, down: 2, both: 3, repeat: 4 };

function writeComponent(
  words: Int32Array,
  at: number,
  component: ComponentLayout,
  map: ComponentMap,
  base: number,
): void {
  const { horizontal, vertical, blocksAcross, blocksDown, paddedAcross, blockSide } = component;
  const { width, height, stride, planeRows, upsampling, across, down } = component;
  words.set(
    [
      ...[horizontal, vertical, blocksAcross, blocksDown, paddedAcross, blockSide, width, height, stride, planeRows],
      ...[upsamplings[upsampling], across.samples, across.outOf, down.samples, down.outOf],
      ...[base + map.plane, base + map.upsampled, base + map.coefficients, base + map.extents, base + map.quant, 0],
    ],
    at,
  );
}

/** Of this many restart intervals one may be damaged; more, and what comes out is no longer the picture. */
const INTERVALS_PER_DAMAGED = 16;

function writeScan(words: Int32Array, scan: Scan, layout: DecodeLayout): void {
  const { restartInterval, spectralStart, spectralEnd, approximationLow } = scan;
  const intervals = restartInterval === 0 ? 0 : (layout.mcusAcross * layout.mcusDown) / restartInterval;
  words.set([kindOf(scan), spectralStart, spectralEnd, approximationLow, restartInterval, restartInterval || -1], 9);
  words[19] = Math.ceil(intervals / INTERVALS_PER_DAMAGED);
  words[23] = scan.components.length;
}

/** `ScanPart`s. @param components address of the components */
function writeParts(words: Int32Array, scan: Scan, components: number, tables: TableMemory): void {
  scan.components.forEach(({ index, dcTable, acTable }, position) => {
    const component = components + index * COMPONENT_BYTES;
    words.set([component, tables.address(dcTable, scan), tables.address(acTable, scan), 0], 4 * position);
  });
}

/** `Scan.kind` of the kernel. */
function kindOf({ progressive, spectralStart, approximationHigh }: Scan): number {
  if (!progressive) return 0;
  if (spectralStart === 0) return approximationHigh === 0 ? 1 : 2;
  return approximationHigh === 0 ? 3 : 4;
}
