import { brokenJpeg } from './broken-jpeg.ts';
import type { JpegDetail } from './header.ts';
import type { HuffmanCode } from './huffman-code.ts';
import { huffmanTableBytes, MAX_LOOKAHEAD, writeHuffmanTable } from './huffman-table.ts';
import type { ComponentLayout, DecodeLayout, Upsampling } from './layout.ts';
import { leastRows } from './least-rows.ts';
import { maxScans, type Scan, type Scans } from './scans.ts';
import { zigzag } from './zigzag.ts';

/*
 * The decoder's region of the arena: the structures of `assembly/jpeg-decode/decoder.ts`, laid out as there, the Huffman
 * tables, and what the kernel works in.
 */

const DECODER_BYTES = 72;
const COMPONENT_BYTES = 84;
const SCAN_BYTES = 152;
const BLOCK_BYTES = 128;
/** Vectors of 16 bytes may be read and written a little behind the end of a row. */
const SLACK = 64;

/** Bytes of the Huffman tables. A file has 2–14; what more than a hundred of them cost is taken from their lookahead. */
function tableBytes(detail: JpegDetail): number {
  return detail.progressive ? 448 * 1024 : 144 * 1024;
}

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
    end += (bytes + 15) & ~15;
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

/**
 * Prepares a region of `decoderBytes` for the kernel. @param file address of the file @returns the decoder's address
 * @throws FileError broken_image
 */
export function prepareDecoder(
  region: Uint8Array,
  file: number,
  detail: JpegDetail,
  layout: DecodeLayout,
  found: Scans,
): number {
  const map = memoryMap(layout, detail);
  const base = region.byteOffset;
  const words = new Int32Array(region.buffer, base, region.length >> 2);
  const { width, mcusAcross, mcusDown, context, components } = layout;
  const direct = !detail.progressive && found.scans.length === 1;
  words.set([
    ...[width, mcusAcross, mcusDown, 0, Number(context), colours[detail.colour], Number(direct), components.length],
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
    writeScan(words.subarray(at, at + (SCAN_BYTES >> 2)), scan, file, layout);
    words[at + 19] = leastRows(found, index, mcusDown);
    scan.components.forEach(({ index: component, dcTable, acTable }, position) => {
      const structure = base + map.components + component * COMPONENT_BYTES;
      const values = hasValues(scan);
      words.set(
        [structure, tables.address(dcTable, values), tables.address(acTable, values), 0],
        at + 22 + 4 * position,
      );
    });
  });
  return base;
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

function writeScan(words: Int32Array, scan: Scan, file: number, layout: DecodeLayout): void {
  const { start, end, restartInterval, spectralStart, spectralEnd, approximationLow } = scan;
  const intervals = restartInterval === 0 ? 0 : (layout.mcusAcross * layout.mcusDown) / restartInterval;
  words.set([0, 0, 0, file + start, file + end, 0, 0, 0]);
  words.set([kindOf(scan), spectralStart, spectralEnd, approximationLow, restartInterval, restartInterval || -1], 8);
  words[18] = Math.ceil(intervals / INTERVALS_PER_DAMAGED);
  words[20] = scan.components.length;
}

/** `Scan.kind` of the kernel. */
function kindOf({ progressive, spectralStart, approximationHigh }: Scan): number {
  if (!progressive) return 0;
  if (spectralStart === 0) return approximationHigh === 0 ? 1 : 2;
  return approximationHigh === 0 ? 3 : 4;
}

/** Whether values follow the codes of a scan at once, so that a table may hold both. */
function hasValues(scan: Scan): boolean {
  const kind = kindOf(scan);
  return kind === 0 || kind === 3;
}

/** Divides its memory among the tables of a file. */
class TableMemory {
  readonly #memory: Uint8Array;
  readonly #lookahead: number;
  /** Offsets, of tables without and with values. */
  readonly #offsets: readonly Map<HuffmanCode, number>[] = [new Map(), new Map()];
  #taken = 0;

  constructor(memory: Uint8Array, { scans }: Scans) {
    this.#memory = memory;
    const codes: readonly Set<HuffmanCode>[] = [new Set(), new Set()];
    for (const scan of scans) {
      for (const { dcTable, acTable } of scan.components) {
        for (const code of [dcTable, acTable]) if (code !== undefined) codes[Number(hasValues(scan))]!.add(code);
      }
    }
    const count = codes[0]!.size + codes[1]!.size;
    let lookahead = MAX_LOOKAHEAD;
    while (lookahead > 0 && count * huffmanTableBytes(lookahead) > memory.length) lookahead--;
    if (lookahead === 0) throw brokenJpeg('it has more Huffman tables than a picture needs');
    this.#lookahead = lookahead;
  }

  /** The address of a table, written when it is first asked for; 0 for none. */
  address(code: HuffmanCode | undefined, values: boolean): number {
    if (code === undefined) return 0;
    const offsets = this.#offsets[Number(values)]!;
    const offset = offsets.get(code) ?? this.#write(code, values);
    offsets.set(code, offset);
    return this.#memory.byteOffset + offset;
  }

  #write(code: HuffmanCode, values: boolean): number {
    const offset = this.#taken;
    this.#taken += huffmanTableBytes(this.#lookahead);
    writeHuffmanTable(code, values, this.#lookahead, this.#memory.subarray(offset, this.#taken));
    return offset;
  }
}
