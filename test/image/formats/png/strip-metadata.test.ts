import { expect, test } from 'vitest';
import { readPngHeader } from '../../../../src/image/formats/png/header.ts';
import { stripPngMetadata } from '../../../../src/image/formats/png/strip-metadata.ts';
import { decodeWhole } from './collect.ts';
import { chunk, concat, damage, ihdr, makePng } from './make-png.ts';

const palette = chunk('PLTE', [255, 0, 0, 0, 255, 0]);
const transparency = chunk('tRNS', [128]);
const rows = Uint8Array.of(0, 0b01000000);
const bare = makePng(ihdr(2, 1, 1, 3), rows, palette, transparency);
const strip = (file: Uint8Array): Uint8Array => concat(...stripPngMetadata(file, readPngHeader(file)));

test('what is not metadata stays byte for byte', () => {
  expect(strip(bare)).toEqual(bare);
});

test('everything else goes: before, between and behind the picture data, and behind the end', () => {
  const text = chunk('tEXt', [65, 0, 66]);
  const body = makePng(ihdr(2, 1, 1, 3), rows, text, palette, chunk('eXIf', [1]), transparency, chunk('pHYs', [0]));
  const file = concat(body.subarray(0, -12), text, chunk('IEND'), Uint8Array.of(1, 2, 3));
  expect(strip(file)).toEqual(bare);
});

test('a damaged tRNS is left out, so the picture stays as it was read', async () => {
  const file = makePng(ihdr(2, 1, 1, 3), rows, palette, damage(transparency));
  const stripped = strip(file);
  expect(stripped).toEqual(makePng(ihdr(2, 1, 1, 3), rows, palette));
  expect((await decodeWhole(stripped)).pixels).toEqual((await decodeWhole(file)).pixels);
});

test('a thousand tiny chunks of picture data come back as one piece', () => {
  const many = concat(...Array.from({ length: 1000 }, () => chunk('IDAT')));
  const file = concat(bare.subarray(0, -12), many, chunk('IEND'));
  expect(stripPngMetadata(file, readPngHeader(file)).length).toBeLessThanOrEqual(2);
});
