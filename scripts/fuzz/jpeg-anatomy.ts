import type { Anatomy } from './anatomy.ts';
import { joined, mutateBytes } from './mutate-bytes.ts';

const START_OF_SCAN = 0xda;

/** Segments, and the coded data behind each start of scan as a part of its own (ITU-T T.81, B.1.1). */
export const jpegAnatomy: Anatomy = {
  split(file) {
    const parts: Uint8Array[] = [];
    let at = 0;
    while (at + 4 <= file.length && file[at] === 0xff) {
      const marker = file[at + 1]!;
      const alone = marker >= 0xd0 && marker <= 0xd9;
      const end = at + 2 + (alone ? 0 : (file[at + 2]! << 8) | file[at + 3]!);
      parts.push(file.subarray(at, end));
      at = end;
      if (marker !== START_OF_SCAN) continue;
      at = codedEnd(file, end);
      parts.push(file.subarray(end, at));
    }
    return [...parts, file.subarray(at)];
  },
  join: (parts) => joined(...parts),
  mutateInside(part, random) {
    if (part.length < 4) return mutateBytes(part, random);
    const inside = mutateBytes(part.subarray(4), random);
    const head = new Uint8Array(part.subarray(0, 4));
    if (part[0] === 0xff && part[1] !== 0) new DataView(head.buffer).setUint16(2, Math.min(65_535, inside.length + 2));
    return joined(head, inside);
  },
};

/** Where coded data ends: at a marker that is neither stuffing nor a restart. */
function codedEnd(file: Uint8Array, from: number): number {
  for (let at = from; at + 1 < file.length; at++) {
    const next = file[at + 1]!;
    if (file[at] === 0xff && next !== 0 && (next < 0xd0 || next > 0xd7)) return at;
  }
  return file.length;
}
