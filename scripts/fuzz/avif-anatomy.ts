import type { Anatomy } from './anatomy.ts';
import { joined, mutateBytes } from './mutate-bytes.ts';
import { pick, type Random } from './random.ts';

/** Boxes that hold boxes, and the bytes between their header and the first of them (ISO/IEC 14496-12). */
const CONTAINERS: Readonly<Record<string, number>> = { meta: 4, iprp: 0, ipco: 0, iref: 4, iinf: 6, grpl: 0 };
const HEADER_BYTES = 8;

/**
 * The boxes of the file. Where one is as long afterwards as it was is not seen to: the offsets in `iloc` count from the start of the
 * file, so `mediaFirst` gives files in which what is changed lies behind what they lead to.
 */
export const avifAnatomy: Anatomy = {
  split: (file) => splitBoxes(file, 0),
  join: (parts) => joined(...parts),
  mutateInside(part, random) {
    const skip = CONTAINERS[typeOf(part)];
    if (skip === undefined || random(8) === 0) return inBox(part, mutateBytes(part.subarray(HEADER_BYTES), random));
    const from = HEADER_BYTES + skip;
    const children = mutateChildren(splitBoxes(part, from), random);
    return inBox(part, joined(part.subarray(HEADER_BYTES, from), ...children));
  },
};

/** Leaves a box out, has it twice, swaps two, or changes one from inside. */
function mutateChildren(children: Uint8Array[], random: Random): Uint8Array[] {
  if (children.length === 0) return children;
  const at = random(children.length);
  const copy = [...children];
  switch (random(8)) {
    case 0:
      copy.splice(at, 1);
      return copy;
    case 1:
      copy.splice(random(children.length), 0, children[at]!);
      return copy;
    case 2:
      copy[at] = pick(children, random);
      return copy;
    default:
      copy[at] = avifAnatomy.mutateInside(children[at]!, random);
      return copy;
  }
}

function splitBoxes(bytes: Uint8Array, from: number): Uint8Array[] {
  const parts: Uint8Array[] = bytes.length > from ? [] : [bytes.subarray(from)];
  for (let at = from; at < bytes.length; at += parts.at(-1)!.length) {
    const length = at + HEADER_BYTES <= bytes.length ? view(bytes).getUint32(at) : 0;
    parts.push(bytes.subarray(at, length < HEADER_BYTES ? bytes.length : at + length));
  }
  return parts;
}

function inBox(box: Uint8Array, data: Uint8Array): Uint8Array {
  const whole = joined(box.subarray(0, HEADER_BYTES), data);
  if (whole.length >= HEADER_BYTES) view(whole).setUint32(0, whole.length);
  return whole;
}

/** The file with its media data in front of `meta`, and `iloc` made to fit, so that `meta` may change its length. */
export function mediaFirst(file: Uint8Array): Uint8Array {
  const parts = splitBoxes(file, 0);
  const metaAt = parts.findIndex((part) => typeOf(part) === 'meta');
  const dataAt = parts.findLastIndex((part) => typeOf(part) === 'mdat');
  const sized = parts.every((part) => part.length >= HEADER_BYTES && view(part).getUint32(0) === part.length);
  if (!sized || metaAt < 0 || dataAt !== metaAt + 1) return file;
  const meta = new Uint8Array(parts[metaAt]!);
  if (!shiftOffsets(meta, -meta.length)) return file;
  return joined(...parts.slice(0, metaAt), parts[dataAt]!, meta, ...parts.slice(dataAt + 1));
}

/** Moves all 32-bit offsets that count from the start of the file. @returns whether `iloc` is of a plain kind */
function shiftOffsets(meta: Uint8Array, by: number): boolean {
  const iloc = splitBoxes(meta, HEADER_BYTES + 4).find((part) => typeOf(part) === 'iloc');
  if (iloc === undefined) return false;
  const fields = view(iloc);
  const version = fields.getUint8(8);
  const baseBytes = fields.getUint8(13) >> 4;
  if (version > 1 || fields.getUint8(12) !== 0x44 || (baseBytes !== 0 && baseBytes !== 4)) return false;
  let at = 16;
  for (let items = fields.getUint16(14); items > 0; items--) {
    const inFile = version === 0 || (fields.getUint16(at + 2) & 15) === 0;
    const baseAt = at + (version === 0 ? 4 : 6);
    at = baseAt + baseBytes + 2;
    if (inFile && baseBytes > 0) fields.setUint32(baseAt, fields.getUint32(baseAt) + by);
    for (let extents = fields.getUint16(at - 2); extents > 0; extents--, at += 8) {
      if (inFile && baseBytes === 0) fields.setUint32(at, fields.getUint32(at) + by);
    }
  }
  return true;
}

function typeOf(box: Uint8Array): string {
  return String.fromCharCode(...box.subarray(4, HEADER_BYTES));
}

function view(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
