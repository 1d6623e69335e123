import { decodeJpeg } from '../../../../src/image/formats/jpeg/decode-jpeg.ts';
import { readJpegHeader } from '../../../../src/image/formats/jpeg/header.ts';
import { planJpegDecode } from '../../../../src/image/formats/jpeg/plan-jpeg-decode.ts';
import { heldFile } from '../../../../src/image/source-file.ts';
import { HeapWorkspace } from '../../../support/heap-workspace.ts';

export interface WholePicture {
  readonly width: number;
  readonly height: number;
  readonly model: 'rgb' | 'cmyk';
  /** Four bytes a pixel. */
  readonly pixels: Uint8Array;
}

/** Decodes a file at exactly 1/`scale`, and checks bands and memory against the plan on the way. */
export async function decodeWhole(file: Uint8Array, scale: 1 | 2 | 4 | 8 = 1): Promise<WholePicture> {
  const header = readJpegHeader(file);
  const plan = planJpegDecode(header, file.length, leastFor(header, scale));
  const { cost, frame } = plan;
  if (plan.scale !== scale) throw new Error(`planned 1/${plan.scale} instead of 1/${scale}`);
  const workspace = new HeapWorkspace();
  const pixels = new Uint8Array(frame.width * frame.height * 4);
  let next = 0;
  // As `runPlan` does for a decoder that wants its file in the arena.
  const moved = workspace.arena(file.length);
  moved.set(file);
  const fileBytes = workspace.arenaBytes;
  for await (const band of decodeJpeg(heldFile(moved), header, plan, workspace)) {
    if (band.top !== next || band.pixels.length !== band.rows * frame.width * 4) throw new Error('a band is misplaced');
    if (!workspace.inArena(band.pixels)) throw new Error('a band is not in the arena');
    pixels.set(band.pixels, band.top * frame.width * 4);
    next += band.rows;
  }
  if (next !== frame.height) throw new Error(`bands end at row ${next} of ${frame.height}`);
  if (workspace.arenaBytes - fileBytes !== cost.arena || workspace.peakBuffers !== cost.buffers)
    throw new Error('the plan lied');
  if (workspace.heldBuffers !== 0) throw new Error('a buffer was not released');
  return { width: frame.width, height: frame.height, model: frame.model, pixels };
}

/** Sides for which the planner chooses 1/`scale`. */
function leastFor({ width, height }: { readonly width: number; readonly height: number }, scale: number) {
  const spare = scale > 2 ? 2 : 1;
  const side = (stored: number) => Math.floor(Math.ceil(stored / scale) / spare);
  return { width: side(width), height: side(height) };
}
