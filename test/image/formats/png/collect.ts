import { expect } from 'vitest';
import type { Cost, RecompressPlan } from '../../../../src/image/formats/format.ts';
import { decodePng, planPngDecode } from '../../../../src/image/formats/png/decode-png.ts';
import { type PngHeader, readPngHeader } from '../../../../src/image/formats/png/header.ts';
import type { FilePlacing } from '../../../../src/image/formats/png/read-rows.ts';
import type { Band } from '../../../../src/image/frame.ts';
import { aligned } from '../../../../src/image/kernels/aligned.ts';
import { heldFile, type SourceFile } from '../../../../src/image/source-file.ts';
import { HeapWorkspace } from '../../../support/heap-workspace.ts';
import { StoredFile } from '../../../support/stored-file.ts';
import { concat } from './make-png.ts';

/** Runs a job on its own workspace and checks the plan's promise: no more than the cost, and everything given back. */
export async function within<Result>(cost: Cost, job: (workspace: HeapWorkspace) => Promise<Result>): Promise<Result> {
  const workspace = new HeapWorkspace();
  try {
    return await job(workspace);
  } finally {
    expect(workspace.peakBuffers).toBeLessThanOrEqual(cost.buffers);
    expect(workspace.arenaBytes).toBeLessThanOrEqual(cost.arena);
    expect(workspace.heldBuffers).toBe(0);
  }
}

export async function joined(pieces: AsyncIterable<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = [];
  for await (const piece of pieces) parts.push(piece);
  return concat(...parts);
}

/** Where a test has its file: in the arena, as one of up to 4 MiB is, or where it is read through windows of so many bytes. */
export function placing(window: number | undefined): FilePlacing {
  return window === undefined ? { fileIn: 'arena' } : { fileIn: 'windows', window };
}

/** Runs a job on a file that is where its plan says; the file is not in the plan's cost. */
export async function withinPlan<Result>(
  bytes: Uint8Array,
  { cost, fileIn }: Pick<RecompressPlan, 'cost' | 'fileIn'>,
  job: (file: SourceFile, workspace: HeapWorkspace) => Promise<Result>,
): Promise<Result> {
  const inArena = fileIn === 'arena';
  return within({ ...cost, arena: cost.arena + (inArena ? aligned(bytes.length) : 0) }, (workspace) => {
    if (!inArena) return job(new StoredFile(bytes), workspace);
    const held = workspace.arena(bytes.length);
    held.set(bytes);
    return job(heldFile(held), workspace);
  });
}

/**
 * Decodes a whole file to RGBA, checking the order of the bands and the plan.
 * @param window bytes through which the file is read; undefined where it is in the arena
 */
export async function decodeWhole(
  bytes: Uint8Array,
  window?: number,
): Promise<{ header: PngHeader; pixels: Uint8Array }> {
  const header = readPngHeader(bytes);
  const pixels = new Uint8Array(header.width * header.height * 4);
  const plan = planPngDecode(header, bytes.length, placing(window));
  await withinPlan(bytes, plan, async (file, workspace) => {
    const before = workspace.arenaBytes;
    let next = 0;
    for await (const band of decodePng(file, header, plan, workspace)) {
      expect(band.top).toBe(next);
      expect(band.pixels.length).toBe(band.rows * header.width * 4);
      pixels.set(band.pixels, band.top * header.width * 4);
      next += band.rows;
    }
    expect(next).toBe(header.height);
    expect(workspace.arenaBytes - before).toBe(plan.cost.arena);
  });
  return { header, pixels };
}

/** Pieces of a stream as an inflater wants them, each in the place of the one before; what follows a piece is not zero. */
export function* piecesInArena(pieces: readonly Uint8Array[], workspace: HeapWorkspace): Generator<Uint8Array, void> {
  const region = workspace.arena(16 + pieces.reduce((most, { length }) => Math.max(most, length), 0));
  for (const piece of pieces) {
    region.fill(0xa5).set(piece);
    yield region.subarray(0, piece.length);
  }
}

/** RGBA in bands of so many rows, in one buffer that is overwritten for each, as a decoder's is. */
export async function* bandsOf(pixels: Uint8Array, width: number, perBand: number): AsyncGenerator<Band> {
  const height = pixels.length / 4 / width;
  const shared = new Uint8Array(perBand * width * 4);
  for (let top = 0; top < height; top += perBand) {
    const rows = Math.min(perBand, height - top);
    const band = shared.subarray(0, rows * width * 4);
    band.set(pixels.subarray(top * width * 4, (top + rows) * width * 4));
    yield { top, rows, pixels: band };
    shared.fill(0xa5);
  }
}

/** Random numbers that are the same in every run (xorshift32): 0 ≤ x < limit. */
export function seededRandom(seed: number): (limit: number) => number {
  let state = seed | 1;
  return (limit) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % limit;
  };
}

/** Kinds of pictures that an encoder can treat differently. */
export const pictureKinds = [
  'black and white',
  'four greys',
  'sixteen greys',
  'greys',
  'greys with alpha',
  'two colours',
  'few colours',
  'few colours with alpha',
  'many colours',
  'many colours with alpha',
  'smooth',
  'transparent with hidden colours',
  'opaque though declared transparent',
] as const;
export type PictureKind = (typeof pictureKinds)[number];

/** A random picture of a kind, and whether its frame declares alpha. */
export function randomPicture(kind: PictureKind, width: number, height: number, random: (limit: number) => number) {
  const pixels = new Uint8Array(width * height * 4);
  const palette = Array.from({ length: kind === 'two colours' ? 2 : 11 }, () => [
    random(256),
    random(256),
    random(256),
    kind === 'few colours with alpha' ? random(256) : 255,
  ]);
  for (let index = 0; index < width * height; index++) {
    pixels.set(randomPixel(kind, index % width, Math.floor(index / width), palette, random), index * 4);
  }
  const alpha = kind.includes('alpha') || kind.includes('transparent');
  return { pixels, frame: { width, height, alpha, model: 'rgb' } as const };
}

function randomPixel(
  kind: PictureKind,
  x: number,
  y: number,
  palette: readonly number[][],
  random: (limit: number) => number,
): readonly number[] {
  const grey = (levels: number): number => Math.round((random(levels) * 255) / (levels - 1));
  const opaqueGrey = (value: number): number[] => [value, value, value, 255];
  switch (kind) {
    case 'black and white':
      return opaqueGrey(grey(2));
    case 'four greys':
      return opaqueGrey(grey(4));
    case 'sixteen greys':
      return opaqueGrey(grey(16));
    case 'greys':
      return opaqueGrey(random(256));
    case 'greys with alpha': {
      const value = random(256);
      return [value, value, value, random(256)];
    }
    case 'two colours':
    case 'few colours':
    case 'few colours with alpha':
      return palette[random(palette.length)]!;
    case 'many colours':
    case 'opaque though declared transparent':
      return [random(256), random(256), random(256), 255];
    case 'many colours with alpha':
      return [random(256), random(256), random(256), random(256)];
    case 'smooth':
      return [x & 255, (x + y) & 255, (y * 2) & 255, 255];
    default:
      return [random(256), random(256), random(256), 0];
  }
}
