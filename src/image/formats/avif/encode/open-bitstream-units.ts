/** One open bitstream unit (AV1 specification §5.3): its type and its payload, a view on the data. */
export interface OpenBitstreamUnit {
  readonly type: number;
  readonly payload: Uint8Array;
}

/** obu_type of §6.2.2. */
export const obuType = { sequenceHeader: 1, frameHeader: 3, tileGroup: 4, frame: 6 } as const;

const EXTENSION_FLAG = 4;
const SIZE_FLAG = 2;

/** Splits the data of an item that our own encoder made. @throws RangeError when a unit has no size or is cut */
export function readUnits(data: Uint8Array): OpenBitstreamUnit[] {
  const units: OpenBitstreamUnit[] = [];
  for (let at = 0; at < data.length; ) {
    const head = data[at]!;
    if ((head & SIZE_FLAG) === 0 || (head & EXTENSION_FLAG) !== 0) throw new RangeError('a unit of an unknown kind');
    const { value, next } = readLeb128(data, at + 1);
    if (next + value > data.length) throw new RangeError('a unit that is cut');
    units.push({ type: (head >> 3) & 15, payload: data.subarray(next, next + value) });
    at = next + value;
  }
  return units;
}

/** Header and size of a unit of `payloadBytes` bytes. */
export function writeUnitHeader(type: number, payloadBytes: number): number[] {
  return [(type << 3) | SIZE_FLAG, ...writeLeb128(payloadBytes)];
}

/** leb128() of §4.10.5. */
function readLeb128(data: Uint8Array, from: number): { value: number; next: number } {
  let value = 0;
  for (let index = 0; index < 8; index++) {
    const byte = data[from + index];
    if (byte === undefined) throw new RangeError('a size that is cut');
    value += (byte & 0x7f) * 2 ** (7 * index);
    if (byte < 0x80) return { value, next: from + index + 1 };
  }
  throw new RangeError('a size of more than eight bytes');
}

function writeLeb128(value: number): number[] {
  const bytes: number[] = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return [...bytes, rest];
    bytes.push((rest % 128) | 0x80);
  }
}
