import { joinBytes } from '../../src/image/join-bytes.ts';
import { pick, type Random } from './random.ts';

/** Values at the edges of fields, among them the markers' and lengths' of all four formats. */
const EDGES = [0x00, 0x01, 0x02, 0x7f, 0x80, 0xfe, 0xff, 0xc4, 0xd9, 0xda] as const;
const EDGES_32 = [0, 1, 7, 8, 0x7fff, 0xffff, 0x1_0000, 0x7fff_ffff, 0x8000_0000, 0xffff_fffe, 0xffff_ffff] as const;

type Change = (bytes: Uint8Array<ArrayBuffer>, at: number, random: Random) => Uint8Array;

/** Changes to bytes of which nothing is known. */
const changes: readonly Change[] = [
  (bytes, at, random) => written(bytes, at, bytes[at]! ^ (1 << random(8))),
  (bytes, at, random) => written(bytes, at, random(256)),
  (bytes, at, random) => written(bytes, at, pick(EDGES, random)),
  (bytes, at, random) => written(bytes, at, bytes[at]! + (random(2) === 0 ? 1 : 255)),
  (bytes, at, random) => writtenNumber(bytes, at, pick(EDGES_32, random), random(2) === 0),
  (bytes, at, random) => bytes.fill(random(2) === 0 ? 0 : random(256), at, at + length(random)),
  (bytes, at, random) => joined(bytes.subarray(0, at), bytes.subarray(at + length(random))),
  (bytes, at, random) => joined(bytes.subarray(0, at + length(random)), bytes.subarray(at)),
  (bytes, at, random) => joined(bytes.subarray(0, at), noise(random), bytes.subarray(at)),
  (bytes, at, random) => bytes.copyWithin(at, random(bytes.length), random(bytes.length) + length(random)),
];

/** Changes one place, each third time near the start, where headers and tables are. @returns new bytes */
export function mutateBytes(bytes: Uint8Array, random: Random): Uint8Array {
  if (bytes.length === 0) return noise(random);
  const near = Math.min(bytes.length, random(3) === 0 ? 400 : bytes.length);
  return pick(changes, random)(new Uint8Array(bytes), random(near), random);
}

/** Mostly a few bytes, now and then many. */
function length(random: Random): number {
  return 1 + random(random(4) === 0 ? 300 : 8);
}

function noise(random: Random): Uint8Array {
  return new Uint8Array(length(random)).map(() => random(256));
}

function written(bytes: Uint8Array<ArrayBuffer>, at: number, value: number): Uint8Array {
  bytes[at] = value;
  return bytes;
}

function writtenNumber(bytes: Uint8Array<ArrayBuffer>, at: number, value: number, little: boolean): Uint8Array {
  if (at + 4 <= bytes.length) new DataView(bytes.buffer).setUint32(at, value, little);
  return bytes;
}

export function joined(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  return joinBytes(parts);
}
