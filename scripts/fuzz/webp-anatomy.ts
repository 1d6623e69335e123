import type { Anatomy } from './anatomy.ts';
import { joined, mutateBytes } from './mutate-bytes.ts';

const HEADER_BYTES = 12;

/** The RIFF header and the chunks (RFC 9649, 2). */
export const webpAnatomy: Anatomy = {
  split(file) {
    const parts = [file.subarray(0, HEADER_BYTES)];
    for (let at = HEADER_BYTES; at < file.length; at += parts.at(-1)!.length) {
      const length = at + 8 <= file.length ? view(file).getUint32(at + 4, true) : 0;
      parts.push(file.subarray(at, at + 8 + length + (length & 1)));
    }
    return parts;
  },
  join(parts) {
    const file = joined(...parts);
    if (file.length >= HEADER_BYTES) view(file).setUint32(4, file.length - 8, true);
    return file;
  },
  mutateInside(part, random) {
    if (part.length < 8) return mutateBytes(part, random);
    const data = mutateBytes(part.subarray(8), random);
    const head = new Uint8Array(part.subarray(0, 8));
    view(head).setUint32(4, data.length, true);
    return joined(head, data, new Uint8Array(data.length & 1));
  },
};

function view(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
