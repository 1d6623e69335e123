import { registry } from './formats/registry.ts';
import { gatherFrame } from './gather-frame.ts';
import { identify } from './identify.ts';
import type { JobWorkspace } from './job-workspace.ts';
import { joinBytes } from './join-bytes.ts';
import { aligned } from './kernels/aligned.ts';
import type { ImageOptions } from './options.ts';
import type { Pause } from './pacer.ts';
import { planImage } from './plan.ts';
import { readHeader } from './read-header.ts';
import { runPlan } from './run-plan.ts';
import { heldFile, type SourceFile } from './source-file.ts';

/** Pixels of a preview's longer side: what vision models look at. */
const SIDE = 768;
const QUALITY = 80;
/** Pixels that are at the least enough of the longer side to measure colours. */
const SAMPLE_SIDE = 32;

/** A small JPEG of a picture: upright, on white where it was transparent, without watermark and metadata. */
export interface Preview {
  readonly jpeg: Uint8Array<ArrayBuffer>;
  /** Whether the file it was made of declares transparency. */
  readonly transparent: boolean;
}

/** A few pixels of a picture: sRGB, RGBA, 8 bits, rows × width × 4. */
export interface PixelSample {
  readonly pixels: Uint8Array<ArrayBuffer>;
  readonly width: number;
  readonly height: number;
}

/**
 * Makes the preview of a file, which is adopted by the workspace if it is held. JPEGs are decoded at a reduced scale, so it
 * costs little. The workspace is the caller's to finish; the preview is the caller's to keep.
 * @throws FileError as for any other job
 */
export async function makePreview(file: SourceFile, workspace: JobWorkspace, pause?: Pause): Promise<Preview> {
  const header = await readHeader(file, workspace);
  const options: ImageOptions = { format: 'jpg', quality: QUALITY, maxWidth: SIDE, maxHeight: SIDE };
  const plan = planImage(header, file.size, options);
  const pieces: Uint8Array[] = [];
  for await (const piece of runPlan({ file, header, options, plan, ...(pause && { pause }) }, workspace))
    pieces.push(piece);
  return { jpeg: joinBytes(pieces), transparent: header.alpha };
}

/** Decodes a preview at an eighth of its scale or more. The workspace is the caller's to finish. */
export async function samplePixels({ jpeg }: Preview, workspace: JobWorkspace): Promise<PixelSample> {
  const header = await identify(jpeg);
  const { planDecode, decode } = registry.jpg;
  const plan = planDecode(header, jpeg.length, leastSides(header));
  const inArena = plan.fileIn === 'arena';
  workspace.stage({ ...plan.cost, arena: plan.cost.arena + (inArena ? aligned(jpeg.length) : 0) });
  const file = inArena ? workspace.arena(jpeg.length) : workspace.buffer(jpeg.length);
  file.set(jpeg);
  const bands = decode(heldFile(file), header, plan, workspace);
  const { pixels, close } = await gatherFrame(bands, plan.frame, workspace);
  const { width, height } = plan.frame;
  const sample = { pixels: pixels.slice(0, width * height * 4), width, height };
  await close();
  return sample;
}

function leastSides({ width, height }: { width: number; height: number }): { width: number; height: number } {
  const scale = Math.min(1, SAMPLE_SIDE / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}
