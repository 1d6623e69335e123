import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { u32, writeBox, writeFullBox } from '../../../../src/image/formats/avif/box-writer.ts';
import { readAvifHeader } from '../../../../src/image/formats/avif/header.ts';
import * as avif from '../../../support/avif-file.ts';
import { damaged, onlyFileErrors, truncations } from '../../../support/damage.ts';

const SIDES = avif.ispe(200, 100);
const broken = expect.objectContaining({ code: 'broken_image' });
const unsupported = expect.objectContaining({ code: 'unsupported_image' });

/** A still of 200 × 100 with the given properties behind ispe (1) and av1C (2). */
function still(properties: readonly Uint8Array[] = [], data = avif.av1Data(200, 100), essential = false): Uint8Array {
  const numbers = properties.map((_, index) => (essential ? -(index + 3) : index + 3));
  return avif.avifFile({
    properties: [SIDES, avif.av1C(), ...properties],
    items: [{ id: 1, type: 'av01', properties: [1, -2, ...numbers], data }],
  });
}

/** Two by two tiles of 128 × 64 for 200 × 100, ids 2–5, and whatever is given more. */
function grid(more: Partial<avif.AvifFileOptions> = {}, tiles = [2, 3, 4, 5]): Uint8Array {
  const tile = avif.av1Data(128, 64);
  return avif.avifFile({
    ...more,
    properties: [SIDES, avif.av1C(), avif.ispe(128, 64), avif.auxC(), avif.av1C(0x1c), ...(more.properties ?? [])],
    items: [
      { id: 1, type: 'grid', properties: [1], data: avif.gridData(2, 2, 200, 100), inIdat: true },
      ...[2, 3, 4, 5].map((id) => ({ id, type: 'av01', properties: [3, -2], data: tile, hidden: true })),
      ...(more.items ?? []),
    ],
    references: [['dimg', 1, tiles], ...(more.references ?? [])],
  });
}

describe('an AVIF header', () => {
  it('gives what a plain still says of itself', () => {
    expect(readAvifHeader(still())).toEqual({
      ...{ format: 'avif', width: 200, height: 100, orientation: 1 },
      ...{ alpha: false, bitDepth: 8, model: 'rgb', animated: false },
      detail: { coded: { width: 200, height: 100 }, subsampling: '420' },
    });
  });

  it.each([
    [0x0c, 8, '420', 'rgb'],
    [0x48, 10, '422', 'rgb'],
    [0x60, 12, '444', 'rgb'],
    [0x1c, 8, '400', 'grey'],
    [0x5c, 10, '400', 'grey'],
  ])('reads depth and sampling from av1C %i', (bits, bitDepth, subsampling, model) => {
    const file = avif.avifFile({
      properties: [SIDES, avif.av1C(bits)],
      items: [{ id: 1, type: 'av01', properties: [1, -2], data: [0x12, 0] }],
    });
    expect(readAvifHeader(file)).toMatchObject({ bitDepth, model, detail: { subsampling } });
  });

  it('takes code points from nclx, else from the coded data, and sRGB-like ones as sRGB', () => {
    const p3 = { kind: 'cicp', primaries: 12, transfer: 16 };
    expect(readAvifHeader(still([avif.nclx(12, 16)])).profile).toEqual(p3);
    expect(readAvifHeader(still([], avif.av1Data(200, 100, 12, 16))).profile).toEqual(p3);
    expect(readAvifHeader(still([avif.nclx(1, 13)], avif.av1Data(200, 100, 12, 16))).profile).toBeUndefined();
    for (const [primaries, transfer] of [
      [1, 13],
      [1, 1],
      [2, 2],
      [1, 2],
      [2, 13],
    ] as const) {
      expect(readAvifHeader(still([avif.nclx(primaries, transfer)])).profile).toBeUndefined();
    }
    expect(readAvifHeader(still([avif.nclx(1, 8)])).profile).toMatchObject({ transfer: 8 });
  });

  it('prefers an ICC profile to code points', () => {
    const { profile } = readAvifHeader(still([avif.nclx(12, 16), avif.prof([1, 2, 3])]));
    expect(profile).toEqual({ kind: 'icc', bytes: Uint8Array.of(1, 2, 3) });
  });

  it.each([
    [0, undefined, 1],
    [1, undefined, 8],
    [2, undefined, 3],
    [3, undefined, 6],
    [0, 0, 4],
    [0, 1, 2],
    [1, 0, 5],
    [1, 1, 7],
    [2, 0, 2],
    [2, 1, 4],
    [3, 0, 7],
    [3, 1, 5],
  ])('turns irot %i and imir %s into orientation %i', (turns, axis, orientation) => {
    const mirror = axis === undefined ? [] : [avif.imir(axis)];
    expect(readAvifHeader(still([avif.irot(turns), ...mirror], undefined, true)).orientation).toBe(orientation);
  });

  it('crops to a clean aperture of whole pixels', () => {
    // 120 × 50 whose centre is 10 right of and 5 above the picture's: (200 − 120) ÷ 2 + 10, (100 − 50) ÷ 2 − 5.
    const header = readAvifHeader(still([avif.clap(240, 2, 50, 1, 20, 2, -5, 1)]));
    expect(header).toMatchObject({ width: 120, height: 50 });
    expect(header.detail).toMatchObject({
      coded: { width: 200, height: 100 },
      crop: { left: 50, top: 20, width: 120, height: 50 },
    });
  });

  it.each([
    ['between pixels', [121, 2, 50, 1, 0, 1, 0, 1], unsupported],
    ['with a centre between pixels', [121, 1, 50, 1, 0, 1, 0, 1], unsupported],
    ['outside the picture', [120, 1, 50, 1, 41, 1, 0, 1], broken],
    ['larger than the picture', [202, 1, 50, 1, 0, 1, 0, 1], broken],
    ['of nothing', [0, 1, 50, 1, 0, 1, 0, 1], broken],
    ['divided by zero', [120, 0, 50, 1, 0, 1, 0, 1], broken],
  ])('refuses a clean aperture %s', (_, numbers, error) => {
    expect(() => readAvifHeader(still([avif.clap(...numbers)]))).toThrow(error);
  });

  it('finds an alpha plane by its reference and its type', () => {
    const file = (auxType: string, reference: string) =>
      avif.avifFile({
        properties: [SIDES, avif.av1C(), avif.av1C(0x1c), avif.auxC(auxType)],
        items: [
          { id: 1, type: 'av01', properties: [1, -2], data: avif.av1Data(200, 100) },
          { id: 2, type: 'av01', properties: [1, -3, 4], data: avif.av1Data(200, 100) },
        ],
        references: [[reference, 2, [1]]],
      });
    const urn = 'urn:mpeg:mpegB:cicp:systems:auxiliary:alpha';
    expect(readAvifHeader(file(urn, 'auxl')).alpha).toBe(true);
    expect(readAvifHeader(file('urn:mpeg:hevc:2015:auxid:1', 'auxl')).alpha).toBe(true);
    expect(readAvifHeader(file('urn:mpeg:mpegB:cicp:systems:auxiliary:depth', 'auxl')).alpha).toBe(false);
    expect(readAvifHeader(file(urn, 'thmb')).alpha).toBe(false);
  });

  it('reads a grid and its tile size', () => {
    const header = readAvifHeader(grid());
    expect(header).toMatchObject({ width: 200, height: 100, alpha: false });
    expect(header.detail.grid).toEqual({ rows: 2, columns: 2, width: 128, height: 64 });
  });

  it('reads a grid that uses one tile twice', () => {
    expect(readAvifHeader(grid({}, [2, 3, 3, 2])).detail.grid?.rows).toBe(2);
  });

  it('takes the alpha planes of all tiles as alpha, of some as none', () => {
    const planes = [12, 13, 14, 15].map((id) => ({
      id,
      type: 'av01',
      properties: [3, -5, 4],
      data: avif.av1Data(128, 64),
    }));
    const references = [12, 13, 14, 15].map((id) => ['auxl', id, [id - 10]] as const);
    expect(readAvifHeader(grid({ items: planes, references })).alpha).toBe(true);
    expect(readAvifHeader(grid({ items: planes, references: references.slice(1) })).alpha).toBe(false);
  });

  it.each([
    ['too few tiles', grid({}, [2, 3, 4]), broken],
    ['too many tiles', grid({}, [2, 3, 4, 5, 2]), broken],
    ['itself as a tile', grid({}, [2, 3, 4, 1]), unsupported],
    ['a tile that does not exist', grid({}, [2, 3, 4, 99]), broken],
  ])('refuses a grid with %s', (_, file, error) => {
    expect(() => readAvifHeader(file)).toThrow(error);
  });

  it('joins a grid description and coded data from several extents, with wide ids', () => {
    const file = avif.avifFile({
      wide: true,
      primary: 100_000,
      properties: [SIDES, avif.av1C()],
      items: [{ id: 100_000, type: 'av01', properties: [1, -2], data: avif.av1Data(200, 100, 9, 16), split: true }],
    });
    expect(readAvifHeader(file).profile).toMatchObject({ primaries: 9 });
  });

  it('counts a sequence of several frames as animated only under its brand', () => {
    const stsz = (frames: number) => writeFullBox('stsz', 0, 0, u32(0), u32(frames));
    const track = (handler: string, frames: number) =>
      writeBox(
        'trak',
        writeBox(
          'mdia',
          writeFullBox('hdlr', 0, 0, u32(0), new TextEncoder().encode(handler)),
          writeBox('minf', writeBox('stbl', stsz(frames))),
        ),
      );
    const file = (brand: string, ...tracks: Uint8Array[]) =>
      avif.avifFile({
        brands: ['avif', brand, 'mif1'],
        properties: [SIDES, avif.av1C()],
        items: [{ id: 1, type: 'av01', properties: [1, -2], data: avif.av1Data(200, 100) }],
        trailing: writeBox('moov', ...tracks),
      });
    expect(readAvifHeader(file('avis', track('pict', 5))).animated).toBe(true);
    expect(readAvifHeader(file('avis', track('pict', 1))).animated).toBe(false);
    expect(readAvifHeader(file('avis', track('auxv', 5), track('soun', 9))).animated).toBe(false);
    expect(readAvifHeader(file('miaf', track('vide', 5))).animated).toBe(false);
    expect(readAvifHeader(file('avis', writeBox('mvex'))).animated).toBe(true);
  });

  it('refuses a sequence without a still picture as animated', () => {
    const hdlr = writeFullBox('hdlr', 0, 0, u32(0), new TextEncoder().encode('pict'));
    const stbl = writeBox('stbl', writeFullBox('stsz', 0, 0, u32(0), u32(2)));
    const moov = writeBox('moov', writeBox('trak', writeBox('mdia', hdlr, writeBox('minf', stbl))));
    const file = [...writeBox('ftyp', new TextEncoder().encode('avis\0\0\0\0avis')), ...moov];
    expect(() => readAvifHeader(Uint8Array.from(file))).toThrow(expect.objectContaining({ code: 'animated_image' }));
  });

  it.each([
    ['HEVC', 'hvc1', 'HEIC'],
    ['an overlay', 'iovl', 'composed'],
  ])('refuses a primary item that is %s', (_, type, word) => {
    const file = avif.avifFile({ properties: [SIDES], items: [{ id: 1, type, properties: [1], data: [1] }] });
    expect(() => readAvifHeader(file)).toThrow(
      expect.objectContaining({ code: 'unsupported_image', message: expect.stringContaining(word) }),
    );
  });

  it('refuses an essential property that it does not know, and ignores others', () => {
    const unknown = writeBox('huhu', [1]);
    expect(() => readAvifHeader(still([unknown], undefined, true))).toThrow(unsupported);
    expect(readAvifHeader(still([unknown])).width).toBe(200);
  });

  it('is broken when more is coded than is declared', () => {
    expect(() => readAvifHeader(still([], avif.av1Data(201, 100)))).toThrow(broken);
    expect(() => readAvifHeader(still([], avif.av1Data(200, 101)))).toThrow(broken);
  });

  it.each([
    [
      'no ispe',
      avif.avifFile({ properties: [avif.av1C()], items: [{ id: 1, type: 'av01', properties: [1], data: [1] }] }),
    ],
    ['no av1C', avif.avifFile({ properties: [SIDES], items: [{ id: 1, type: 'av01', properties: [1], data: [1] }] })],
    [
      'no data',
      avif.avifFile({
        properties: [SIDES, avif.av1C()],
        items: [{ id: 1, type: 'av01', properties: [1, 2], data: [] }],
      }),
    ],
    [
      'no primary item',
      avif.avifFile({ primary: 7, properties: [], items: [{ id: 1, type: 'av01', properties: [], data: [1] }] }),
    ],
    [
      'a property that does not exist',
      avif.avifFile({ properties: [SIDES], items: [{ id: 1, type: 'av01', properties: [1, 9], data: [1] }] }),
    ],
    ['no meta box', writeBox('ftyp', new TextEncoder().encode('avif\0\0\0\0avif'))],
    ['another file type', Uint8Array.from([...writeBox('free', [1]), ...still()])],
  ])('is broken with %s', (_, file) => {
    expect(() => readAvifHeader(file)).toThrow(broken);
  });

  it('is broken at every length but the whole, wherever the metadata stands', () => {
    for (const file of [still([avif.nclx(1, 13)]), grid()]) {
      for (const cut of truncations(file)) expect(() => readAvifHeader(cut)).toThrow(broken);
      expect(readAvifHeader(file).width).toBe(200);
    }
  });

  it('does no work for what a box only declares', () => {
    const file = still();
    const view = new DataView(file.buffer);
    const at = (type: string) => new TextDecoder('latin1').decode(file).indexOf(type);
    view.setUint32(at('ipma') + 8, 0xffffffff);
    expect(() => readAvifHeader(file)).toThrow(broken);
    const located = still();
    new DataView(located.buffer).setUint16(at('iloc') + 10, 0xffff);
    expect(() => readAvifHeader(located)).toThrow(broken);
  });

  it('is a header or a FileError whatever is damaged', () => {
    const rich = still([avif.nclx(9, 16), avif.clap(120, 1, 50, 1, 0, 1, 0, 1), avif.irot(1), avif.imir(0)]);
    const plane = { id: 9, type: 'av01', properties: [1, -5, 4], data: avif.av1Data(200, 100) };
    const tiled = grid({
      items: [plane],
      references: [
        ['auxl', 9, [1]],
        ['prem', 1, [9]],
      ],
    });
    fc.assert(
      fc.property(fc.oneof(damaged(rich), damaged(tiled)), (file) => {
        const header = onlyFileErrors(() => readAvifHeader(file));
        if (header === undefined) return;
        const { coded, crop } = header.detail;
        expect(header.width).toBeLessThanOrEqual(coded.width);
        expect(header.height).toBe(crop?.height ?? coded.height);
      }),
      { numRuns: 4000 },
    );
  });
});
