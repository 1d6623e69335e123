import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { codingLayout } from '../../../../../src/image/formats/jpeg/encode/coding-layout.ts';
import { JpegWriter } from '../../../../../src/image/formats/jpeg/encode/jpeg-writer.ts';
import { storeBytes } from '../../../../../src/image/formats/jpeg/encode/kept-picture.ts';
import { ScanCoder } from '../../../../../src/image/formats/jpeg/encode/scan-coder.ts';
import { type Coefficients, randomCoefficients } from '../../../../reference/jpeg-transcode/coefficients.ts';
import { joined, writeProgressive, writeSequential } from '../../../../reference/jpeg-transcode/write-scan.ts';
import { HeapWorkspace } from '../../../../support/heap-workspace.ts';
import { emptyPicture, keepAll } from './keep-coefficients.ts';
import { pictures } from './random-pictures.ts';

const ROOM = 4 * 1024 * 1024;

interface Written {
  readonly file: Uint8Array;
  readonly spills: number;
}

function write(picture: Coefficients, store: number, stripRows = 2): Written {
  const workspace = new HeapWorkspace();
  const kept = emptyPicture(picture, store, workspace);
  const writer = new JpegWriter(kept, new ScanCoder(kept, workspace));
  const pieces: Uint8Array[] = [];
  let spills = 0;
  keepAll(kept, picture, stripRows, workspace, () => {
    pieces.push(...writer.spill());
    spills++;
  });
  pieces.push(...writer.finish());
  return { file: joined(pieces), spills };
}

/** Every scan that could be made of a sequential file, made again: equal only if all coefficients are. */
function expectCoefficients(file: Uint8Array, picture: Coefficients): void {
  const workspace = new HeapWorkspace();
  const kept = emptyPicture(picture, ROOM, workspace);
  const region = workspace.arena(file.length);
  region.set(file);
  kept.startStrip(region);
  for (let row = 0; row < picture.layout.mcusDown; row++) {
    expect(kept.readMcuRow()).toBe(true);
    kept.keepMcuRow();
  }
  const coder = new ScanCoder(kept, workspace);
  for (const components of [[0, 1, 2], [0], [1], [2]]) {
    const [first, last] = components.length > 1 ? [0, 0] : [1, 63];
    const scan = { components, first, last, high: 0, low: 0 };
    expect(joined(coder.write(scan))).toEqual(writeProgressive(picture, scan));
  }
}

function startOfFrame(file: Uint8Array): number {
  for (let at = 2; at < file.length; at += 2 + ((file[at + 2]! << 8) | file[at + 3]!)) {
    if (file[at + 1] === 0xc0 || file[at + 1] === 0xc2) return file[at + 1]!;
  }
  throw new Error('no frame');
}

describe('a picture that is too much to be kept', () => {
  const dense = fc
    .record({
      width: fc.integer({ min: 1, max: 70 }),
      height: fc.integer({ min: 40, max: 90 }),
      chroma: fc.constantFrom('4:2:0' as const, '4:4:4' as const),
      density: fc.constantFrom(50, 80, 100),
      seed: fc.integer({ min: 1, max: 1e9 }),
    })
    .map(({ width, height, chroma, density, seed }) =>
      randomCoefficients(codingLayout(width, height, chroma), { density, most: 1023, flat: 10 }, seed),
    );

  test('is written sequentially on the way, with every coefficient in its place', () => {
    let spilled = 0;
    fc.assert(
      fc.property(dense, fc.integer({ min: 1, max: 4 }), (picture, stripRows) => {
        const { file, spills } = write(picture, storeBytes(picture.layout, 0), stripRows);
        if (spills === 0) return;
        spilled++;
        expect(startOfFrame(file)).toBe(0xc0);
        expectCoefficients(file, picture);
      }),
      { numRuns: 24 },
    );
    expect(spilled).toBeGreaterThan(8);
  });

  test('is written however different its parts are: symbols that came late have codes too', () => {
    const layout = codingLayout(64, 400, '4:2:0');
    const picture = randomCoefficients(layout, { density: 100, most: 1023, flat: 0 }, 3);
    for (const blocks of picture.blocks) blocks.fill(1, 0, blocks.length / 2);
    const { file, spills } = write(picture, storeBytes(layout, 0));
    expect(spills).toBeGreaterThan(3);
    expectCoefficients(file, picture);
  });
});

describe('a picture that is kept whole', () => {
  test('is no larger than sequential', () => {
    fc.assert(
      fc.property(pictures, (picture) => {
        const { file, spills } = write(picture, ROOM);
        expect(spills).toBe(0);
        const sequential = writeSequential(picture, 0, picture.layout.mcusDown);
        expect(file.length).toBeLessThanOrEqual(sequential.length);
        if (startOfFrame(file) === 0xc0) expectCoefficients(file, picture);
      }),
      { numRuns: 40 },
    );
  });
});
