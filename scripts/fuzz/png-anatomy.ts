import { crc32, deflateSync, inflateSync } from 'node:zlib';
import type { Anatomy } from './anatomy.ts';
import { joined, mutateBytes } from './mutate-bytes.ts';
import { pick, type Random } from './random.ts';

const SIGNATURE_BYTES = 8;

/** The signature and the chunks (PNG, third edition, 5). */
export const pngAnatomy: Anatomy = {
  split(file) {
    const parts = [file.subarray(0, SIGNATURE_BYTES)];
    for (let at = SIGNATURE_BYTES; at < file.length; at += parts.at(-1)!.length) {
      const length = at + 12 <= file.length ? uint32(file, at) : 0;
      parts.push(file.subarray(at, at + 12 + length));
    }
    return parts;
  },
  join: ([signature, ...chunks]) => joined(signature ?? new Uint8Array(0), ...chunks.map(withChecksum)),
  mutateInside(part, random) {
    if (part.length < 12) return mutateBytes(part, random);
    const type = part.subarray(4, 8);
    const data = part.subarray(8, -4);
    const isData = String.fromCharCode(...type) === 'IDAT';
    return chunk(type, isData && random(4) > 0 ? recompressed(data, random) : mutateBytes(data, random));
  },
};

/** Changes the filtered rows inside a zlib stream that is whole; what begins or continues one is changed as it is. */
function recompressed(data: Uint8Array, random: Random): Uint8Array {
  try {
    return deflateSync(mutateBytes(inflateSync(data), random), { level: pick([0, 1, 6, 9], random) });
  } catch {
    return mutateBytes(data, random);
  }
}

function chunk(type: Uint8Array, data: Uint8Array): Uint8Array {
  const length = new Uint8Array(4);
  new DataView(length.buffer).setUint32(0, data.length);
  return joined(length, type, data, new Uint8Array(4));
}

/** Only a chunk whose length field is right gets a checksum. */
function withChecksum(part: Uint8Array): Uint8Array {
  if (part.length < 12 || uint32(part, 0) !== part.length - 12) return part;
  const copy = new Uint8Array(part);
  new DataView(copy.buffer).setUint32(part.length - 4, crc32(part.subarray(4, -4)));
  return copy;
}

function uint32(bytes: Uint8Array, at: number): number {
  return new DataView(bytes.buffer, bytes.byteOffset).getUint32(at);
}
