import { brokenJpeg } from './broken-jpeg.ts';
import type { JpegDetail } from './header.ts';
import { type HuffmanCode, huffmanCode } from './huffman-code.ts';
import type { Scan, ScanComponent, Scans } from './scan.ts';
import { type DataEnd, entropyCodedEnd, marker, type Segment, segments } from './segments.ts';
import { zigzag } from './zigzag.ts';

/**
 * Scans that a picture may have. Sequential ones need one a component at the most; progressive files have about ten, and an
 * absurd number only makes work.
 */
export function maxScans({ progressive }: JpegDetail): number {
  return progressive ? 1000 : 16;
}

/** Tables that a file may define: eight for each of a thousand scans, and some. */
const MAX_TABLES = 10_000;

/** Tables as they stand at one point of the file. */
interface Tables {
  readonly quant: (Int32Array | undefined)[];
  readonly dc: (HuffmanCode | undefined)[];
  readonly ac: (HuffmanCode | undefined)[];
  restartInterval: number;
  /** How many there were. */
  defined: number;
}

/**
 * Finds every scan and its tables without decoding anything. A sequential picture is whole with its first scan when that has
 * all components; what follows is not looked at, as libjpeg does.
 * @throws FileError broken_image when a table or scan header is impossible, or scans are missing
 */
export function readScans(file: Uint8Array, detail: JpegDetail, dataEnd: DataEnd = entropyCodedEnd): Scans {
  const tables: Tables = { quant: [], dc: [], ac: [], restartInterval: 0, defined: 0 };
  const quantTables: (Int32Array | undefined)[] = detail.components.map(() => undefined);
  const scans: Scan[] = [];
  let ended = false;
  const endOf = remembered(dataEnd);
  for (const segment of segments(file, endOf)) {
    if (segment.code === marker.EOI) ended = true;
    if (segment.code !== marker.SOS) readTables(segment, file.subarray(segment.dataStart, segment.end), tables);
    else {
      const scan = readScan(file, segment, detail, tables, endOf(file, segment.end));
      if (scans.push(scan) > maxScans(detail)) throw brokenJpeg(`it has more than ${maxScans(detail)} scans`);
      for (const { index } of scan.components) {
        quantTables[index] ??= tables.quant[detail.components[index]!.quantTable];
      }
      if (!detail.progressive && scan.components.length === detail.components.length) break;
    }
  }
  const complete = checkScans(scans, detail, ended);
  return { scans, quantTables: quantTables.map(present), complete };
}

/** Finds each end once, though two ask for it. */
function remembered(dataEnd: DataEnd): DataEnd {
  let last = { from: -1, end: -1 };
  return (file, from) => {
    if (last.from !== from) last = { from, end: dataEnd(file, from) };
    return last.end;
  };
}

function present<T>(table: T | undefined): T {
  if (table === undefined) throw brokenJpeg('a table that its data needs is missing');
  return table;
}

function readTables({ code }: Segment, data: Uint8Array, tables: Tables): void {
  if (code === marker.DQT) readQuantTables(data, tables);
  else if (code === marker.DHT) readHuffmanTables(data, tables);
  else if (code === marker.DRI) {
    if (data.length !== 2) throw brokenJpeg('its restart interval cannot be read');
    tables.restartInterval = (data[0]! << 8) | data[1]!;
  }
}

function countTable(tables: Tables): void {
  if (++tables.defined > MAX_TABLES) throw brokenJpeg(`it has more than ${MAX_TABLES} tables`);
}

/** DQT: T.81 §B.2.4.1. */
function readQuantTables(data: Uint8Array, tables: Tables): void {
  for (let at = 0; at < data.length; ) {
    countTable(tables);
    const wide = data[at]! >> 4;
    const id = data[at]! & 15;
    const bytes = wide === 0 ? 64 : 128;
    if (wide > 1 || id > 3 || at + 1 + bytes > data.length) throw brokenJpeg('one of its quantisation tables is cut');
    const table = new Int32Array(64);
    for (let k = 0; k < 64; k++) {
      const high = wide === 0 ? 0 : data[at + 1 + 2 * k]!;
      const low = wide === 0 ? data[at + 1 + k]! : data[at + 2 + 2 * k]!;
      table[zigzag[k]!] = (high << 8) | low;
    }
    tables.quant[id] = table;
    at += 1 + bytes;
  }
}

/** DHT: T.81 §B.2.4.2. */
function readHuffmanTables(data: Uint8Array, tables: Tables): void {
  for (let at = 0; at < data.length; ) {
    countTable(tables);
    const counts = data.subarray(at + 1, at + 17);
    const total = counts.reduce((sum, count) => sum + count, 0);
    const end = at + 17 + total;
    const kind = data[at]! >> 4;
    const id = data[at]! & 15;
    if (end > data.length || total > 256 || kind > 1 || id > 3) throw brokenJpeg('one of its Huffman tables is cut');
    const symbols = data.subarray(at + 17, end);
    if (kind === 0 && symbols.some((symbol) => symbol > 15)) throw brokenJpeg('one of its DC tables is impossible');
    tables[kind === 0 ? 'dc' : 'ac'][id] = huffmanCode(counts, symbols);
    at = end;
  }
}

/** SOS: T.81 §B.2.3. */
function readScan(file: Uint8Array, segment: Segment, detail: JpegDetail, tables: Tables, end: number): Scan {
  const data = file.subarray(segment.dataStart, segment.end);
  const count = data[0] ?? 0;
  if (count < 1 || count > 4 || data.length !== 4 + 2 * count) throw brokenJpeg('a scan header is impossible');
  const [spectralStart, spectralEnd, approximation] = data.subarray(1 + 2 * count) as unknown as [
    number,
    number,
    number,
  ];
  const progression = detail.progressive
    ? { spectralStart, spectralEnd, approximationHigh: approximation >> 4, approximationLow: approximation & 15 }
    : { spectralStart: 0, spectralEnd: 63, approximationHigh: 0, approximationLow: 0 };
  if (detail.progressive) checkProgression(progression, count);
  const components: ScanComponent[] = [];
  for (let at = 1; at <= 2 * count; at += 2) {
    const component = scanComponent(data[at]!, data[at + 1]!, detail, tables, progression);
    if (components.some(({ index }) => index === component.index)) throw brokenJpeg('a scan names a component twice');
    components.push(component);
  }
  return {
    components,
    start: segment.end,
    end,
    restartInterval: tables.restartInterval,
    progressive: detail.progressive,
    ...progression,
  };
}

type Progression = Pick<Scan, 'spectralStart' | 'spectralEnd' | 'approximationHigh' | 'approximationLow'>;

function scanComponent(id: number, selectors: number, detail: JpegDetail, tables: Tables, scan: Progression) {
  const index = detail.components.findIndex((component) => component.id === id);
  if (index < 0) throw brokenJpeg('a scan names a component that the picture does not have');
  const needsDc = scan.spectralStart === 0 && scan.approximationHigh === 0;
  const needsAc = scan.spectralEnd > 0;
  return {
    index,
    dcTable: needsDc ? present(tables.dc[selectors >> 4]) : undefined,
    acTable: needsAc ? present(tables.ac[selectors & 15]) : undefined,
  };
}

/** T.81 §G.1.1.1: the bands and bit positions that a progressive scan may have. */
function checkProgression(scan: Progression, components: number): void {
  const { spectralStart, spectralEnd, approximationHigh, approximationLow } = scan;
  const band = spectralStart === 0 ? spectralEnd === 0 : spectralEnd >= spectralStart && components === 1;
  const refines = approximationHigh === 0 || approximationHigh === approximationLow + 1;
  if (!band || spectralEnd > 63 || !refines || approximationLow > 13) throw brokenJpeg('a scan header is impossible');
}

/**
 * Every component must have its DC coefficients, and a file that ends without EOI all others too, if only in a first
 * approximation: less would be less than half of a picture. @returns whether all are there
 */
function checkScans(scans: readonly Scan[], detail: JpegDetail, ended: boolean): boolean {
  const found = detail.components.map(() => new Uint8Array(64));
  for (const { components, spectralStart, spectralEnd } of scans) {
    for (const { index } of components) found[index]!.fill(1, spectralStart, spectralEnd + 1);
  }
  const complete = found.every((coefficients) => coefficients.every((there) => there === 1));
  if (found.some(([dc]) => dc === 0) || !(ended || complete)) throw brokenJpeg('its data ends too early');
  return complete;
}
