import { crc32, deflateSync } from 'node:zlib';
import { joinBytes } from '../../../../src/image/join-bytes.ts';

/** Builds PNG files by hand, right or wrong, without the product's own writer. */

export const signature = Uint8Array.of(137, 80, 78, 71, 13, 10, 26, 10);

export function concat(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  return joinBytes(parts);
}

export function chunk(type: string, data: Uint8Array | readonly number[] = []): Uint8Array<ArrayBuffer> {
  const body = concat(new TextEncoder().encode(type), Uint8Array.from(data));
  const whole = new Uint8Array(body.length + 8);
  const view = new DataView(whole.buffer);
  view.setUint32(0, body.length - 4);
  whole.set(body, 4);
  view.setUint32(body.length + 4, crc32(body));
  return whole;
}

export function ihdr(width: number, height: number, bitDepth: number, colourType: number, interlace = 0) {
  const data = new Uint8Array(13);
  const view = new DataView(data.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  data.set([bitDepth, colourType, 0, 0, interlace], 8);
  return chunk('IHDR', data);
}

/** Signature, IHDR, the given chunks, one IDAT of the given filtered rows, IEND. */
export function makePng(head: Uint8Array, rows: Uint8Array, ...before: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  return concat(signature, head, ...before, chunk('IDAT', deflateSync(rows)), chunk('IEND'));
}

/** The same file with one bit of the chunk's data changed and its CRC left as it was. */
export function damage(whole: Uint8Array): Uint8Array<ArrayBuffer> {
  const copy = Uint8Array.from(whole);
  copy[8] = copy[8]! ^ 1;
  return copy;
}

/** First column, first row and steps of each pass: PNG third edition, 8.2. */
export const adam7 = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;
