import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { writeBox, writeFullBox } from '../../../../src/image/formats/avif/box-writer.ts';
import { readAvifHeader } from '../../../../src/image/formats/avif/header.ts';
import { stripAvifMetadata } from '../../../../src/image/formats/avif/strip-metadata.ts';
import * as avif from '../../../support/avif-file.ts';
import { damaged, onlyFileErrors } from '../../../support/damage.ts';

function stripped(file: Uint8Array): Uint8Array {
  return Uint8Array.from(stripAvifMetadata(file, readAvifHeader(file)).flatMap((piece) => [...piece]));
}

const text = (bytes: Uint8Array) => new TextDecoder('latin1').decode(bytes);
const secret = (name: string) => new TextEncoder().encode(`secret ${name}`);

/** A still with alpha among everything that does not belong to it. */
function crowded(): Uint8Array {
  return avif.avifFile({
    brands: ['avif', 'avif', 'mif1', 'miaf', 'MA1A', 'tmap'],
    primary: 4,
    properties: [
      ...[avif.ispe(200, 100), avif.av1C(0x00), avif.nclx(1, 13), avif.prof([...secret('profile')])],
      ...[avif.av1C(0x1c), avif.auxC(), avif.pixi(8, 8, 8), writeBox('udes', secret('description')), avif.irot(1)],
    ],
    items: [
      { id: 1, type: 'Exif', properties: [], data: secret('EXIF') },
      { id: 2, type: 'av01', properties: [1, -5, 6, 8], data: avif.av1Data(200, 100) },
      { id: 3, type: 'mime', properties: [], data: secret('XMP') },
      { id: 4, type: 'av01', properties: [1, 7, -2, 3, 4, 8, -9], data: avif.av1Data(200, 100), split: true },
      { id: 5, type: 'av01', properties: [1, -2], data: secret('thumbnail') },
    ],
    references: [
      ['auxl', 2, [4]],
      ['prem', 4, [2]],
      ['cdsc', 1, [4]],
      ['thmb', 5, [4]],
    ],
    trailing: writeFullBox('uuid', 0, 0, secret('box')),
  });
}

describe('stripping an AVIF', () => {
  it('leaves picture, transparency and how they are shown', () => {
    const file = crowded();
    const { profile, ...header } = readAvifHeader(file);
    expect(profile?.kind).toBe('icc');
    expect(readAvifHeader(stripped(file))).toEqual(header);
    expect(header).toMatchObject({ alpha: true, orientation: 8 });
    for (const kept of ['prem', 'auxl', 'nclx', 'pixi', 'MA1A']) expect(text(stripped(file))).toContain(kept);
  });

  it('leaves nothing else', () => {
    for (const gone of ['secret', 'Exif', 'mime', 'udes', 'cdsc', 'thmb', 'tmap', 'uuid', 'prof']) {
      expect(text(crowded())).toContain(gone);
      expect(text(stripped(crowded()))).not.toContain(gone);
    }
  });

  it('copies the coded data byte for byte, joined from its extents', () => {
    const data = text(avif.av1Data(200, 100));
    expect(text(stripped(crowded())).split(data)).toHaveLength(3);
  });

  it('is the same when done twice', () => {
    const once = stripped(crowded());
    expect(stripped(once)).toEqual(once);
  });

  it.each([false, true])('keeps a grid, its order and its repeated tiles, with wide ids: %s', (wide) => {
    const first = wide ? 70_000 : 1;
    const tile = (index: number) => ({ id: first + index, type: 'av01', properties: [3, -2], hidden: true });
    const file = avif.avifFile({
      wide,
      primary: first,
      properties: [avif.ispe(128, 192), avif.av1C(), avif.ispe(128, 64)],
      items: [
        { id: first, type: 'grid', properties: [1], data: avif.gridData(3, 1, 128, 192), inIdat: true },
        { ...tile(1), data: avif.av1Data(128, 64, 1, 13) },
        { ...tile(2), data: avif.av1Data(128, 64, 1, 1) },
      ],
      references: [['dimg', first, [first + 2, first + 1, first + 2]]],
    });
    const once = stripped(file);
    expect(readAvifHeader(once)).toEqual(readAvifHeader(file));
    const id = (value: number) => (wide ? [0, 1, value >> 8, value & 255] : [0, value]);
    const order = [first, 3, first + 2, first + 1, first + 2];
    const expected = [...id(first & 0xffff), 0, 3, ...order.slice(2).flatMap((value) => id(value & 0xffff))];
    expect(text(once)).toContain(`dimg${String.fromCharCode(...expected)}`);
    // Three places, two tiles.
    expect(text(once).split(text(avif.av1Data(128, 64, 1, 1)))).toHaveLength(2);
  });

  it('refuses items that overlap so that copies would grow', () => {
    // A grid of 16 tiles that are all the same bytes from one byte later each.
    const shared = new Uint8Array(4000);
    const file = avif.avifFile({
      properties: [avif.ispe(64, 1024), avif.av1C(), avif.ispe(64, 64)],
      items: [
        { id: 1, type: 'grid', properties: [1], data: avif.gridData(16, 1, 64, 1024) },
        ...Array.from({ length: 16 }, (_, index) => ({ id: index + 2, type: 'av01', properties: [3, -2], data: [7] })),
        { id: 99, type: 'mime', properties: [], data: shared },
      ],
      references: [['dimg', 1, Array.from({ length: 16 }, (_, index) => index + 2)]],
    });
    const view = new DataView(file.buffer);
    const iloc = text(file).indexOf('iloc');
    // Each entry: id, method, reference, count, offset, length; the first one is the grid's.
    for (let index = 1; index <= 16; index++) view.setUint32(iloc + 12 + index * 16 + 12, 3000);
    expect(readAvifHeader(file).detail.grid?.rows).toBe(16);
    expect(() => stripped(file)).toThrow(expect.objectContaining({ code: 'broken_image' }));
  });

  it('never changes the header that counts, whatever is damaged', () => {
    fc.assert(
      fc.property(damaged(crowded()), (bytes) => {
        const header = onlyFileErrors(() => readAvifHeader(bytes));
        const pieces = header && onlyFileErrors(() => stripAvifMetadata(bytes, header));
        if (header === undefined || pieces === undefined) return;
        const again = readAvifHeader(Uint8Array.from(pieces.flatMap((piece) => [...piece])));
        const { width, height, orientation, alpha, bitDepth, model, detail } = header;
        expect(again).toMatchObject({ width, height, orientation, alpha, bitDepth, model, detail, animated: false });
      }),
      { numRuns: 1500 },
    );
  });
});
