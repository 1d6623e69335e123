import { CodedPlane } from '../../src/image/formats/avif/encode/coded-plane.ts';
import { encodeRectangle } from '../../src/image/formats/avif/encode/encode-rectangle.ts';
import { StillFile } from '../../src/image/formats/avif/encode/still-file.ts';
import type { TileGrid } from '../../src/image/formats/avif/encode/tile-grid.ts';
import { gatherTiles, windowBytes } from '../../src/image/formats/avif/encode/tile-window.ts';
import { TransparencyEncoder } from '../../src/image/formats/avif/encode/transparency-encoder.ts';
import { avifQuality } from '../../src/image/formats/quality.ts';
import { JobWorkspace } from '../../src/image/job-workspace.ts';
import { Arena } from '../../src/image/kernels/arena.ts';
import { bandsOf } from './bands.ts';
import type { SyntheticPicture } from './synthetic-picture.ts';

const MIB = 1024 * 1024;
const arena = new Arena();

/** Encodes a picture in tiles that the caller chooses. @param flushEvery tiles after which what is held is written */
export async function encodeTiles(
  { frame, pixels }: SyntheticPicture,
  grid: TileGrid,
  quality: number,
  flushEvery = Number.POSITIVE_INFINITY,
): Promise<Uint8Array> {
  const settings = { quality: avifQuality(quality), speed: 6, chroma: '4:2:0' } as const;
  const workspace = new JobWorkspace(arena);
  workspace.stage({ arena: windowBytes(grid, 1) + frame.width * frame.height + 32, library: 40 * MIB });
  const window = workspace.arena(windowBytes(grid, 1));
  const transparency = new TransparencyEncoder(workspace.arena(frame.width * frame.height), settings, workspace);
  const [colour, alpha] = [new CodedPlane(grid), new CodedPlane(grid)];
  const file = new StillFile(colour, alpha);
  const pieces: Uint8Array[] = [];
  let held = 0;
  for await (const tiles of gatherTiles(bandsOf(pixels, frame), grid, 1, window)) {
    for (const tile of tiles) {
      if (frame.alpha) transparency.take(tile);
      colour.add(await encodeRectangle(tile, { ...settings, screenContent: false }, workspace));
      if (frame.alpha) alpha.add(await transparency.encode(tile));
      if (++held % flushEvery === 0) pieces.push(...file.flush());
    }
  }
  pieces.push(...file.finish(transparency.found));
  const whole = Uint8Array.from(Buffer.concat(pieces));
  workspace.finish();
  return whole;
}
