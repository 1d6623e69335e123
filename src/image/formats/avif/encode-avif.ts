import type { Band, Frame } from '../../frame.ts';
import { effort, type Pacer } from '../../pacer.ts';
import type { Workspace } from '../../workspace.ts';
import type { EncodeOptions, EncodePlan } from '../format.ts';
import { CodedPlane } from './encode/coded-plane.ts';
import { encodeRectangle, type RectangleSettings } from './encode/encode-rectangle.ts';
import type { ColourSettings } from './encode/encoder-memory.ts';
import { type EncodingPlan, HELD_LIMIT, planEncoding } from './encode/plan-encoding.ts';
import { isScreenContent } from './encode/screen-content.ts';
import { StillFile } from './encode/still-file.ts';
import { sum } from './encode/tile-grid.ts';
import { gatherTiles, windowBytes } from './encode/tile-window.ts';
import { TransparencyEncoder } from './encode/transparency-encoder.ts';

/** Plans an encode with libaom: rectangles that become the tiles of one AV1 frame, transparency as a second item. */
export function planAvifEncode(frame: Frame, options: EncodeOptions): EncodePlan {
  const { cost, cpu, grid, tileRows } = planEncoding(frame, options);
  const { room, haste = 0 } = options;
  const gathers = sum(grid.heights.slice(0, tileRows));
  return { cost, cpu, gathers, readings: 1, haste, wholeFrame: false, ...(room !== undefined && { room }) };
}

/** Encodes rectangle after rectangle with libaom and makes one picture of them. */
export async function* encodeAvif(
  bands: AsyncIterable<Band>,
  frame: Frame,
  options: EncodeOptions,
  workspace: Workspace,
  pacer?: Pacer,
): AsyncGenerator<Uint8Array> {
  yield* encodeAsPlanned(bands, frame, planEncoding(frame, options), workspace, pacer);
}

/** Flat graphics gain nothing from the better speed. */
function withContent(settings: ColourSettings, screenContent: boolean): RectangleSettings {
  return screenContent
    ? { ...settings, speed: settings.speed === 6 ? 8 : settings.speed, screenContent }
    : { ...settings, screenContent };
}

/** The same with a plan that was made for any settings of libaom. */
export async function* encodeAsPlanned(
  bands: AsyncIterable<Band>,
  frame: Frame,
  { settings, grid, tileRows, alphaBytes }: EncodingPlan,
  workspace: Workspace,
  pacer?: Pacer,
): AsyncGenerator<Uint8Array> {
  const window = workspace.arena(windowBytes(grid, tileRows));
  const transparency = new TransparencyEncoder(workspace.arena(alphaBytes), settings, workspace);
  const colour = new CodedPlane(grid);
  const alpha = new CodedPlane(grid);
  const file = new StillFile(colour, alpha);
  let full: RectangleSettings | undefined;
  for await (const tiles of gatherTiles(bands, grid, tileRows, window)) {
    full ??= withContent(settings, isScreenContent(tiles));
    for (const tile of tiles) {
      if (frame.alpha) transparency.take(tile);
      colour.add(await encodeRectangle(tile, full, workspace));
      if (frame.alpha) alpha.add(await transparency.encode(tile));
      await pacer?.worked(tile.width * tile.height * effort.av1Pixel);
      if (colour.heldBytes + alpha.heldBytes > HELD_LIMIT) yield* file.flush();
    }
  }
  yield* file.finish(transparency.found);
}
