import { budget } from '../../src/image/budget.ts';
import { planWithSettings, settingsFor } from '../../src/image/formats/avif/encode/plan-encoding.ts';
import { encodeAsPlanned } from '../../src/image/formats/avif/encode-avif.ts';
import type { ChromaSubsampling } from '../../src/image/formats/chroma-subsampling.ts';
import type { Cost } from '../../src/image/formats/format.ts';
import { encodeJpeg, planJpegEncode } from '../../src/image/formats/jpeg/encode-jpeg.ts';
import { encodeLossy, lossyCost } from '../../src/image/formats/webp/encode/encode-frame.ts';
import type { Band, Frame } from '../../src/image/frame.ts';
import { JobWorkspace } from '../../src/image/job-workspace.ts';
import { Arena } from '../../src/image/kernels/arena.ts';
import type { Workspace } from '../../src/image/workspace.ts';
import type { Picture } from './picture.ts';

/*
 * The engine's own encoders of opaque pictures, driven by the settings of the codecs that they use.
 */

const arena = new Arena();
arena.reserve(0, budget.arena);

/** @param quality mozjpeg's, which is the interface's: chroma follows it */
export function jpegFile(picture: Picture, quality: number): Promise<Uint8Array> {
  const { cost } = planJpegEncode(frameOf(picture), { quality });
  return encode(picture, cost, (bands, frame, workspace) => encodeJpeg(bands, frame, { quality }, workspace));
}

/** @param setting libwebp's quality, 0–100 */
export function webpFile(picture: Picture, setting: number): Promise<Uint8Array> {
  const cost = lossyCost(frameOf(picture));
  return encode(picture, cost, (bands, frame, workspace) => encodeLossy(bands, frame, setting, workspace));
}

/** @param setting libavif's quality, 0–100 */
export function avifFile(picture: Picture, setting: number, chroma: ChromaSubsampling): Promise<Uint8Array> {
  const frame = frameOf(picture);
  const plan = planWithSettings(frame, { ...settingsFor(frame, setting), quality: setting, chroma });
  return encode(picture, plan.cost, (bands, _, workspace) => encodeAsPlanned(bands, frame, plan, workspace));
}

function frameOf({ width, height }: Picture): Frame {
  return { width, height, alpha: false, model: 'rgb' };
}

type Encoder = (bands: AsyncIterable<Band>, frame: Frame, workspace: Workspace) => AsyncIterable<Uint8Array>;

async function encode(picture: Picture, cost: Cost, encoder: Encoder): Promise<Uint8Array> {
  const workspace = new JobWorkspace(arena);
  try {
    workspace.stage(cost);
    const pieces: Uint8Array[] = [];
    for await (const piece of encoder(wholeBand(picture), frameOf(picture), workspace)) pieces.push(piece.slice());
    return Buffer.concat(pieces);
  } finally {
    workspace.finish();
  }
}

/** May be iterated again, as bands must. */
function wholeBand({ height, rgba }: Picture): AsyncIterable<Band> {
  return {
    async *[Symbol.asyncIterator]() {
      yield { top: 0, rows: height, pixels: rgba };
    },
  };
}
