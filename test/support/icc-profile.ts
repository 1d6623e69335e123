/** Parts from which tests build ICC profiles (ICC.1:2022, clauses 7 and 10). Values are 0 … 1 unless said otherwise. */

const ascii = (text: string) => [...text].map((letter) => letter.charCodeAt(0));
const uint16 = (value: number) => [(value >> 8) & 255, value & 255];
const uint32 = (value: number) => [...uint16(value >>> 16), ...uint16(value)];
const fixed = (value: number) => uint32(Math.round(value * 65_536));
const unit16 = (value: number) => uint16(Math.round(value * 65_535));
const unit8 = (value: number) => [Math.round(value * 255)];

export interface ProfileParts {
  readonly space: 'RGB ' | 'GRAY' | 'CMYK';
  readonly connection: 'XYZ ' | 'Lab ';
  readonly tags: Readonly<Record<string, readonly number[]>>;
  /** Major version, 4 by default. */
  readonly version?: number;
  readonly kind?: string;
}

export function iccProfile({ space, connection, tags, version = 4, kind = 'scnr' }: ProfileParts): Uint8Array {
  const entries = Object.entries(tags);
  const table = uint32(entries.length);
  const data: number[] = [];
  for (const [name, element] of entries) {
    table.push(...ascii(name), ...uint32(132 + entries.length * 12 + data.length), ...uint32(element.length));
    data.push(...element, ...Array<number>((4 - (element.length % 4)) % 4).fill(0));
  }
  const header = new Uint8Array(128);
  header.set(uint32(128 + table.length + data.length), 0);
  header.set([version], 8);
  header.set(ascii(kind + space + connection), 12);
  header.set([...uint16(2026), ...uint16(1), ...uint16(1)], 24);
  header.set(ascii('acsp'), 36);
  header.set([...fixed(0.9642), ...fixed(1), ...fixed(0.8249)], 68);
  return Uint8Array.of(...header, ...table, ...data);
}

export const xyz = (x: number, y: number, z: number) => [...ascii('XYZ '), ...uint32(0), ...[x, y, z].flatMap(fixed)];

/** curveType: none, a gamma, or a table. */
export function curve(...values: readonly number[]): number[] {
  const entries = values.length === 1 ? uint16(Math.round(values[0]! * 256)) : values.flatMap(unit16);
  return [...ascii('curv'), ...uint32(0), ...uint32(values.length), ...entries];
}

export const parametric = (type: number, ...parameters: readonly number[]) => [
  ...ascii('para'),
  ...uint32(0),
  ...uint16(type),
  0,
  0,
  ...parameters.flatMap(fixed),
];

interface TableParts {
  readonly side: number;
  /** One list for each input and output. */
  readonly inputs: readonly (readonly number[])[];
  readonly grid: readonly number[];
  readonly outputs: readonly (readonly number[])[];
}

const identity = [1, 0, 0, 0, 1, 0, 0, 0, 1].flatMap(fixed);

/** lut8Type: tables have 256 entries. */
export function lut8({ side, inputs, grid, outputs }: TableParts): number[] {
  const start = [...ascii('mft1'), ...uint32(0), inputs.length, outputs.length, side, 0, ...identity];
  return [...start, ...[...inputs.flat(), ...grid, ...outputs.flat()].flatMap(unit8)];
}

export function lut16({ side, inputs, grid, outputs }: TableParts): number[] {
  const start = [...ascii('mft2'), ...uint32(0), inputs.length, outputs.length, side, 0, ...identity];
  const lengths = [...uint16(inputs[0]!.length), ...uint16(outputs[0]!.length)];
  return [...start, ...lengths, ...[...inputs.flat(), ...grid, ...outputs.flat()].flatMap(unit16)];
}

interface CurvedParts {
  readonly a?: readonly (readonly number[])[];
  readonly points?: readonly number[];
  readonly grid?: readonly number[];
  readonly m?: readonly (readonly number[])[];
  /** Twelve numbers as they are. */
  readonly matrix?: readonly number[];
  readonly b: readonly (readonly number[])[];
}

/** lutAToBType with three outputs; curves are whole curve elements. */
export function lutAToB({ a, points, grid, m, matrix, b }: CurvedParts): number[] {
  const body: number[] = [];
  const place = (part: readonly number[] | undefined) => {
    if (part === undefined) return 0;
    const at = 32 + body.length;
    body.push(...part, ...Array<number>((4 - (part.length % 4)) % 4).fill(0));
    return at;
  };
  const padded = (curves: readonly (readonly number[])[] | undefined) =>
    curves?.flatMap((each) => [...each, ...Array<number>((4 - (each.length % 4)) % 4).fill(0)]);
  const table = points && [
    ...points,
    ...Array<number>(16 - points.length).fill(0),
    2,
    0,
    0,
    0,
    ...grid!.flatMap(unit16),
  ];
  const offsets = [place(padded(b)), place(matrix?.flatMap(fixed)), place(padded(m)), place(table), place(padded(a))];
  return [...ascii('mAB '), ...uint32(0), points?.length ?? 3, 3, 0, 0, ...offsets.flatMap(uint32), ...body];
}
