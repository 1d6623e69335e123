import { characters, u16, u32, writeBox, writeFullBox } from '../../src/image/formats/avif/box-writer.ts';

/** An item of a test file. `properties` are 1-based numbers into the file's list; negative: essential. */
export interface AvifItemOptions {
  readonly id: number;
  readonly type: string;
  readonly properties: readonly number[];
  readonly data: Uint8Array | readonly number[];
  /** Splits the data into two extents. */
  readonly split?: boolean;
  readonly inIdat?: boolean;
  readonly hidden?: boolean;
}

export interface AvifFileOptions {
  readonly brands?: readonly string[];
  readonly primary?: number;
  readonly items: readonly AvifItemOptions[];
  readonly properties: readonly Uint8Array[];
  /** [type, from, to] */
  readonly references?: readonly (readonly [string, number, readonly number[]])[];
  readonly trailing?: Uint8Array;
  /** 32-bit ids everywhere. */
  readonly wide?: boolean;
}

export const ispe = (width: number, height: number) => writeFullBox('ispe', 0, 0, u32(width), u32(height));
export const pixi = (...bits: number[]) => writeFullBox('pixi', 0, 0, [bits.length, ...bits]);
/** The third byte of the configuration: 0x0c 4:2:0 8 bit; 0x4c 10 bit; 0x6c 12 bit; 0x1c grey; 0x00 4:4:4. */
export const av1C = (bits = 0x0c) => writeBox('av1C', [0x81, 0x00, bits, 0x00]);
export const nclx = (primaries: number, transfer: number) =>
  writeBox('colr', characters('nclx'), u16(primaries), u16(transfer), u16(6), [0x80]);
export const prof = (bytes: readonly number[]) => writeBox('colr', characters('prof'), bytes);
export const irot = (turns: number) => writeBox('irot', [turns]);
export const imir = (axis: number) => writeBox('imir', [axis]);
export const auxC = (name = 'urn:mpeg:mpegB:cicp:systems:auxiliary:alpha') =>
  writeFullBox('auxC', 0, 0, characters(name), [0]);
/** Eight numbers: width, height, horizontal and vertical offset, each as numerator and denominator. */
export const clap = (...numbers: number[]) => writeBox('clap', numbers.flatMap(u32));

/** A grid item's data. */
export const gridData = (rows: number, columns: number, width: number, height: number) => [
  ...[0, 0, rows - 1, columns - 1],
  ...u16(width),
  ...u16(height),
];

/** A reduced still-picture sequence header of 16-bit sides (AV1 §5.5.1), with code points, behind a temporal delimiter. */
export function av1Data(width: number, height: number, primaries = 1, transfer = 13): Uint8Array {
  const fields: [number, number][] = [
    ...([
      [0, 3],
      [1, 1],
      [1, 1],
      [0, 5],
    ] as [number, number][]),
    ...([
      [15, 4],
      [15, 4],
      [width - 1, 16],
      [height - 1, 16],
    ] as [number, number][]),
    ...([
      [0, 3],
      [0, 3],
    ] as [number, number][]),
    ...([
      [0, 1],
      [0, 1],
      [1, 1],
      [primaries, 8],
      [transfer, 8],
      [6, 8],
      [1, 1],
      [0, 2],
      [0, 1],
      [0, 1],
    ] as [number, number][]),
  ];
  const bits = fields.map(([value, length]) => value.toString(2).padStart(length, '0')).join('');
  const payload = (bits.match(/.{1,8}/g) ?? []).map((byte) => Number.parseInt(byte.padEnd(8, '0'), 2));
  return Uint8Array.from([0x12, 0, 0x0a, payload.length, ...payload, 0x32, 3, 7, 8, 9]);
}

/** Assembles a file. Data in `mdat` comes in the order of the items. */
export function avifFile(options: AvifFileOptions): Uint8Array {
  const { brands = ['avif', 'avif', 'mif1', 'miaf'], trailing = new Uint8Array(0) } = options;
  const [major = 'avif', ...compatible] = brands;
  const ftyp = writeBox('ftyp', characters(major), u32(0), characters(compatible.join('')));
  const start = ftyp.length + metaBox(options, 0).length + 8;
  const data = options.items.filter((item) => item.inIdat !== true).flatMap((item) => [...item.data]);
  return Uint8Array.from([...ftyp, ...metaBox(options, start), ...writeBox('mdat', data), ...trailing]);
}

function metaBox(options: AvifFileOptions, dataStart: number): Uint8Array {
  const { items, properties, primary = 1, references = [], wide = false } = options;
  const id = wide ? u32 : u16;
  const idat = items.filter((item) => item.inIdat === true).flatMap((item) => [...item.data]);
  return writeFullBox(
    ...(['meta', 0, 0] as const),
    writeFullBox('hdlr', 0, 0, u32(0), characters('pict'), u32(0), u32(0), u32(0), [0]),
    writeFullBox('pitm', wide ? 1 : 0, 0, id(primary)),
    ilocBox(items, dataStart, wide),
    writeFullBox(
      ...(['iinf', 0, 0, u16(items.length)] as const),
      ...items.map((item) =>
        writeFullBox('infe', wide ? 3 : 2, item.hidden ? 1 : 0, id(item.id), u16(0), characters(item.type), [0]),
      ),
    ),
    ...(references.length === 0
      ? []
      : [
          writeFullBox(
            ...(['iref', wide ? 1 : 0, 0] as const),
            ...references.map(([type, from, to]) => writeBox(type, id(from), u16(to.length), to.flatMap(id))),
          ),
        ]),
    writeBox('iprp', writeBox('ipco', ...properties), ipmaBox(items, wide)),
    ...(idat.length === 0 ? [] : [writeBox('idat', idat)]),
  );
}

function ipmaBox(items: readonly AvifItemOptions[], wide: boolean): Uint8Array {
  const entries = items.flatMap((item) => [
    ...(wide ? u32(item.id) : u16(item.id)),
    item.properties.length,
    ...item.properties.map((number) => (number < 0 ? 0x80 | -number : number)),
  ]);
  return writeFullBox('ipma', wide ? 1 : 0, 0, u32(items.length), entries);
}

function ilocBox(items: readonly AvifItemOptions[], dataStart: number, wide: boolean): Uint8Array {
  const next = { file: dataStart, idat: 0 };
  const entries = items.flatMap((item) => {
    const source = item.inIdat === true ? 'idat' : 'file';
    const first = item.split === true ? item.data.length >> 1 : item.data.length;
    const lengths = item.split === true ? [first, item.data.length - first] : [first];
    const extents = lengths.flatMap((length) => {
      const offset = next[source];
      next[source] += length;
      return [...u32(offset), ...u32(length)];
    });
    const itemId = wide ? u32(item.id) : u16(item.id);
    return [...itemId, ...u16(item.inIdat === true ? 1 : 0), ...u16(0), ...u16(lengths.length), ...extents];
  });
  return writeFullBox('iloc', wide ? 2 : 1, 0, [0x44, 0], wide ? u32(items.length) : u16(items.length), entries);
}
