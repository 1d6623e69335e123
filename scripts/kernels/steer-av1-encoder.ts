import { readSigned, readUnsigned, type Section, section } from './wasm-binary.ts';

/**
 * Changes libaom 3.7.0 as @jsquash/avif 2.1.1 has it, so that pictures that are encoded apart can become the tiles of one AV1
 * frame. Such tiles must agree on what libaom decides for each picture anew:
 *
 * - whether there are screen content tools: the option `sharpness` becomes libaom's `tune-content`, which jSquash does not pass
 *   on. 1 (screen) sets them, as ever; 0 (default), which let libaom look for itself, now clears them;
 * - tx_mode, which falls back to the largest transforms where a picture happens to need no smaller ones: it stays as it was.
 *
 * No byte moves. @throws Error when the library is not the one that this was written for
 */
export function steerAv1Encoder(sections: readonly Section[]): Section[] {
  return sections.map((each) => {
    if (each.id === section.code) return { ...each, body: withFixedDecisions(each.body) };
    return each.id === section.data
      ? { ...each, body: withSwappedNames(each.body, 'sharpness', 'tune-content') }
      : each;
  });
}

/** Offsets in libaom's AV1_COMP. */
const CONTENT = leb(257_368);
const MODE = leb(257_568);
const TX_MODE = leb(240_932);

const LOAD = [0x28, 0x02];
const LOAD_BYTE = [0x2d, 0x00];
const STORE_BYTE = [0x3a, 0x00];
const STORE_TWO_BYTES = [0x3b, 0x00];
const FIRST_LOCAL = [0x20, 0x00];
const SECOND_LOCAL = [0x20, 0x01];
const EQUAL_THEN = [0x46, 0x04, 0x40];
const one = [0x41, 1];
const two = [0x41, 2];
const zero = [0x41, 0];

function withFixedDecisions(code: Uint8Array): Uint8Array {
  const clearsTools = [...EQUAL_THEN, ...SECOND_LOCAL, ...zero, ...STORE_TWO_BYTES, 3];
  const realTimeClears = [...LOAD_BYTE, ...MODE, ...one, ...clearsTools];
  const defaultClears = [...LOAD, ...CONTENT, ...zero, ...clearsTools];
  const largestTransforms = [...FIRST_LOCAL, ...one, ...STORE_BYTE, ...TX_MODE];
  const sameTransforms = [...FIRST_LOCAL, ...two, ...STORE_BYTE, ...TX_MODE];
  return replaceOnce(replaceOnce(code, realTimeClears, defaultClears), largestTransforms, sameTransforms);
}

function replaceOnce(bytes: Uint8Array, wanted: readonly number[], replacement: readonly number[]): Uint8Array {
  const at = onlyPlace(bytes, wanted);
  const changed = Uint8Array.from(bytes);
  changed.set(replacement, at);
  return changed;
}

function onlyPlace(bytes: Uint8Array, wanted: readonly number[]): number {
  const found = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const at = found.indexOf(Uint8Array.from(wanted));
  if (at < 0 || found.indexOf(Uint8Array.from(wanted), at + 1) >= 0) {
    throw new Error('not the AV1 encoder that steer-av1-encoder.ts was written for');
  }
  return at;
}

/** Exchanges two pointers to texts in static data: each option then goes by the other's name. */
function withSwappedNames(data: Uint8Array, a: string, b: string): Uint8Array {
  const pointers = [a, b].map((name) => pointer(addressOf(data, onlyPlace(data, [...Buffer.from(`\0${name}\0`)]) + 1)));
  const places = pointers.map((bytes) => onlyPlace(data, bytes));
  const swapped = Uint8Array.from(data);
  swapped.set(pointers[1]!, places[0]);
  swapped.set(pointers[0]!, places[1]);
  return swapped;
}

/** Where a byte of the data section lies in memory (core specification 2.0, 5.5.14; active segments of memory 0). */
function addressOf(data: Uint8Array, place: number): number {
  let [segments, at] = readUnsigned(data, 0);
  for (; segments > 0; segments--) {
    const [offset, afterOffset] = readSigned(data, at + 2);
    const [size, start] = readUnsigned(data, afterOffset + 1);
    if (place >= start && place < start + size) return offset + place - start;
    at = start + size;
  }
  throw new Error('a place outside of all data segments');
}

function pointer(address: number): number[] {
  return [...new Uint8Array(Uint32Array.of(address).buffer)];
}

function leb(value: number): number[] {
  return [(value & 0x7f) | 0x80, ((value >> 7) & 0x7f) | 0x80, value >> 14];
}
