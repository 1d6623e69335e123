import { expect, test } from 'vitest';
import { countCodedFrames } from '../../../../src/image/formats/avif/coded-frames.ts';
import { readAvifHeader } from '../../../../src/image/formats/avif/header.ts';
import * as avif from '../../../support/avif-file.ts';

/** A frame of three bytes. */
const FRAME = [0x32, 3, 7, 8, 9];
const count = (...bytes: number[]) => {
  return countCodedFrames(Uint8Array.from(bytes), [{ start: 0, end: bytes.length }], 100);
};
/** 200 × 100, with so many frames behind the first. */
const still = (more: number) => {
  const data = [...avif.av1Data(200, 100), ...Array.from({ length: more }, () => FRAME).flat()];
  return avif.avifFile({
    properties: [avif.ispe(200, 100), avif.av1C()],
    items: [{ id: 1, type: 'av01', properties: [1, -2], data, split: true }],
  });
};

test('frames and frame headers count, other units do not', () => {
  expect(count(0x12, 0, ...FRAME, 0x1a, 1, 5, 0x22, 1, 5, ...FRAME, 0x3a, 1, 5)).toBe(3);
});

test('zeros between units, an extension and a long size hide no frame', () => {
  expect(count(0x12, 0, 0, 0, 0, ...FRAME)).toBe(1);
  expect(count(0x36, 0x08, 0x83, 0x00, 7, 8, 9, ...FRAME)).toBe(2);
});

test('what is in several pieces counts as one', () => {
  const bytes = Uint8Array.from([9, 9, 0x32, 3, 9, 9, 9, 7, 8, 9, 0x32, 9, 3, 7, 8, 9, ...FRAME]);
  const extents = [
    { start: 2, end: 4 },
    { start: 7, end: 11 },
    { start: 12, end: bytes.length },
  ];
  expect(countCodedFrames(bytes, extents, 100)).toBe(3);
});

test('counting ends at the limit, at a unit without a size and where the data is cut', () => {
  expect(countCodedFrames(Uint8Array.from([...FRAME, ...FRAME]), [{ start: 0, end: 10 }], 1)).toBe(1);
  expect(count(0x30, ...FRAME)).toBe(1);
  expect(count(0x12, 0, 0x32, 0xff, 0xff)).toBe(1);
});

test('a picture in layers is read; one that would keep a decoder busy for hours is refused', () => {
  expect(readAvifHeader(still(7))).toMatchObject({ width: 200, height: 100 });
  const refusal = expect.objectContaining({ code: 'unsupported_image', message: expect.stringMatching(/more frames/) });
  expect(() => readAvifHeader(still(8))).toThrow(refusal);
  expect(() => readAvifHeader(still(100_000))).toThrow(refusal);
});
