import { describe, expect, test } from 'vitest';
import {
  encodeRectangle,
  type RectangleSettings,
  type Speed,
} from '../../../../../src/image/formats/avif/encode/encode-rectangle.ts';
import { rectangleMemory, rectangleOutput } from '../../../../../src/image/formats/avif/encode/encoder-memory.ts';
import { JobWorkspace } from '../../../../../src/image/job-workspace.ts';
import { Arena } from '../../../../../src/image/kernels/arena.ts';
import { type PictureKind, syntheticPicture } from '../../../../support/synthetic-picture.ts';

const arena = new Arena();

/** In as much of the arena as a plan would reserve. */
async function encode(rectangle: { pixels: Uint8Array; width: number; height: number }, settings: RectangleSettings) {
  const workspace = new JobWorkspace(arena);
  const chroma = settings.chroma === 'none' ? '4:2:0' : settings.chroma;
  try {
    workspace.stage({ arena: 0, library: rectangleMemory(rectangle, { ...settings, chroma }) });
    return await encodeRectangle(rectangle, settings, workspace);
  } finally {
    workspace.finish();
  }
}

const WIDTH = 144;
const HEIGHT = 112;

/** Black strokes of single pixels on white: what libaom takes for screen content by itself. */
function graphics(): Uint8Array {
  const pixels = new Uint8Array(WIDTH * HEIGHT * 4).fill(255);
  for (let at = 0; at < pixels.length; at += 20) pixels.set([0, 0, 0], at);
  return pixels;
}

function gradient(): Uint8Array {
  return new Uint8Array(WIDTH * HEIGHT * 4).map((_, at) => ((at & 3) === 3 ? 255 : (at / 4) % WIDTH));
}

const contents = {
  graphics: graphics(),
  gradient: gradient(),
  ...Object.fromEntries(
    (['photo', 'noise', 'flat'] as PictureKind[]).map((kind) => [kind, syntheticPicture(kind, WIDTH, HEIGHT).pixels]),
  ),
};

const settings = ([6, 8, 9] as Speed[]).flatMap((speed) =>
  (['4:2:0', '4:4:4', 'none'] as const).flatMap((chroma) =>
    [47, 76, 97].map((quality) => ({ speed, chroma, quality, screenContent: false })),
  ),
);
const graphicSettings = ([8, 9] as const).flatMap((speed) =>
  ([60, 97] as const).flatMap((quality) =>
    (['4:2:0', '4:4:4'] as const).map((chroma) => ({ speed, chroma, quality, screenContent: true }) as const),
  ),
);

test.each([...settings, ...graphicSettings])(
  'all contents are coded under one header: speed $speed, $chroma, quality $quality, screen content $screenContent',
  { timeout: 60_000 },
  async (each) => {
    const headers = new Set<string>();
    for (const pixels of Object.values(contents)) {
      const { sequence, frame } = await encode({ pixels, width: WIDTH, height: HEIGHT }, each);
      expect(sequence).toMatchObject({ width: WIDTH, height: HEIGHT, chroma: each.chroma, superblock: 64 });
      headers.add(JSON.stringify([sequence, frame]));
    }
    expect([...headers]).toHaveLength(1);
  },
);

test.each([
  [480, 500, 64],
  [500, 480, 64],
  [481, 481, 128],
] as const)('a rectangle of %i × %i has superblocks of %i pixels', async (width, height, superblock) => {
  const { pixels } = syntheticPicture('flat', width, height);
  for (const each of [settings[0]!, graphicSettings[0]!]) {
    const { sequence } = await encode({ pixels, width, height }, each);
    expect(sequence.superblock).toBe(superblock);
  }
});

test('at speed 9 large rectangles have superblocks of 64 pixels too', async () => {
  const { pixels } = syntheticPicture('flat', 600, 500);
  for (const screenContent of [false, true]) {
    const each = { speed: 9, chroma: '4:2:0', quality: 73, screenContent } as const;
    const { sequence } = await encode({ pixels, width: 600, height: 500 }, each);
    expect(sequence.superblock).toBe(64);
  }
});

describe('the part of the arena that a plan reserves is enough', () => {
  /** Noise of few shades: the worst case of palettes. */
  function dots(width: number, height: number): Uint8Array {
    const { pixels } = syntheticPicture('noise', width, height);
    return pixels.map((value, at) => ((at & 3) === 3 ? 255 : pixels[at & ~3]! & 1 ? 255 : value & 3));
  }

  test.each([
    [400, 300],
    [64, 1500],
    [1500, 64],
    [16, 16],
  ])('for noise of %i × %i', { timeout: 60_000 }, async (width, height) => {
    const noise = syntheticPicture('noise', width, height).pixels;
    const cases: [Uint8Array, RectangleSettings][] = [
      [noise, { speed: 6, chroma: '4:2:0', quality: 84, screenContent: false }],
      [noise, { speed: 6, chroma: '4:4:4', quality: 97, screenContent: false }],
      [noise, { speed: 6, chroma: 'none', quality: 97, screenContent: false }],
      [noise, { speed: 8, chroma: '4:2:0', quality: 47, screenContent: false }],
      [noise, { speed: 9, chroma: '4:2:0', quality: 84, screenContent: false }],
      [noise, { speed: 9, chroma: '4:4:4', quality: 97, screenContent: false }],
      [noise, { speed: 9, chroma: 'none', quality: 97, screenContent: false }],
      [dots(width, height), { speed: 9, chroma: '4:2:0', quality: 47, screenContent: true }],
      [dots(width, height), { speed: 9, chroma: '4:4:4', quality: 97, screenContent: true }],
      [dots(width, height), { speed: 8, chroma: '4:2:0', quality: 47, screenContent: true }],
      [dots(width, height), { speed: 8, chroma: '4:4:4', quality: 97, screenContent: true }],
    ];
    for (const [pixels, each] of cases) {
      const { data } = await encode({ pixels, width, height }, each);
      expect(data.length).toBeLessThanOrEqual(rectangleOutput({ width, height }, each));
    }
  });
});
