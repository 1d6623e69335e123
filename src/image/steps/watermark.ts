import { FileError } from '../../errors.ts';
import type { DecodePlan } from '../formats/format.ts';
import { decodePng, planPngDecode } from '../formats/png/decode-png.ts';
import { type Band, type Frame, megapixels } from '../frame.ts';
import type { WatermarkOptions } from '../options.ts';
import { resample, resampleBytes, resampleSeconds } from '../resample/resample.ts';
import { heldFile } from '../source-file.ts';
import type { Workspace } from '../workspace.ts';
import { blendRow } from './blend-row.ts';
import { type ColourParams, colour } from './colour.ts';
import { type Place, placeWatermark } from './place-watermark.ts';
import type { PlannedStep, Step, StepContext } from './step.ts';

export interface WatermarkParams extends Place {
  /** 0 – 100 */
  readonly opacity: number;
}

const MARK_WINDOW_BYTES = 16 * 1024;

/**
 * Puts a PNG over the picture. The mark is decoded, converted to sRGB and scaled row by row while the picture's bands pass, so it takes
 * little memory at any size.
 */
export const watermark: Step<WatermarkParams> = {
  name: 'watermark',
  plan(frame, context) {
    const mark = context.options.watermark;
    if (mark === undefined || mark.opacity === 0) return undefined;
    const place = placeWatermark(frame, mark.header, mark.scale, mark.position);
    const source = planMark(mark);
    const colouring = planMarkColour(source.frame, mark, context);
    const resampling = isSize(source.frame, place) ? 0 : resampleBytes(source.frame, place);
    return {
      step: 'watermark',
      params: { ...place, opacity: mark.opacity },
      frame,
      buffers: source.cost.buffers + (colouring?.buffers ?? 0),
      cpu: source.cpu + (colouring?.cpu ?? 0) + placingSeconds(source.frame, place),
      arena: source.cost.arena + (colouring?.arena ?? 0) + resampling,
    };
  },
  async *apply(bands, input, { params }, context, workspace) {
    const mark = context.options.watermark;
    if (mark === undefined) throw new TypeError('a watermark was planned without its file');
    const rows = rowsOf(markBands(mark, params, context, workspace), params.width);
    try {
      for await (const band of bands) {
        await overlay(band, input.width, rows, params);
        yield band;
      }
    } finally {
      await rows.return(undefined);
    }
  },
};

/** CPU seconds of blending a million pixels, as measured. */
const BLENDING_SECONDS = 0.05;

function placingSeconds(mark: Frame, place: Place): number {
  const scaling = isSize(mark, place) ? 0 : resampleSeconds(mark, place);
  return scaling + megapixels(place) * BLENDING_SECONDS;
}

function isSize(frame: Frame, place: Place): boolean {
  return frame.width === place.width && frame.height === place.height;
}

/** The mark's file is on the heap: it gets to the decoder through small windows. */
function planMark({ header, file }: WatermarkOptions): DecodePlan {
  return planPngDecode(header, file.length, { fileIn: 'windows', window: MARK_WINDOW_BYTES });
}

function planMarkColour(frame: Frame, mark: WatermarkOptions, context: StepContext) {
  return colour.plan(frame, { ...context, header: mark.header });
}

/** The mark's pixels at the size at which it is shown. */
async function* markBands(
  mark: WatermarkOptions,
  place: Place,
  context: StepContext,
  workspace: Workspace,
): AsyncIterable<Band> {
  try {
    const plan = planMark(mark);
    const { frame } = plan;
    const planned = planMarkColour(frame, mark, context);
    const decoded = decodePng(heldFile(mark.file), mark.header, plan, workspace);
    const bands = planned ? markColour(decoded, frame, planned, mark, context, workspace) : decoded;
    yield* isSize(frame, place) ? bands : resample(bands, frame, place, workspace);
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    throw new FileError(error.code, `The watermark could not be used. ${error.message}`);
  }
}

function markColour(
  bands: AsyncIterable<Band>,
  frame: Frame,
  planned: PlannedStep<ColourParams>,
  mark: WatermarkOptions,
  context: StepContext,
  workspace: Workspace,
): AsyncIterable<Band> {
  return colour.apply(bands, frame, planned, { ...context, header: mark.header }, workspace);
}

/** Single rows; each is valid until the next is asked for. */
async function* rowsOf(bands: AsyncIterable<Band>, width: number): AsyncGenerator<Uint8Array> {
  for await (const { rows, pixels } of bands) {
    for (let row = 0; row < rows; row++) yield pixels.subarray(row * width * 4, (row + 1) * width * 4);
  }
}

/** Blends the rows that the band and the mark have in common; takes exactly those from `rows`. */
async function overlay(
  band: Band,
  width: number,
  rows: AsyncGenerator<Uint8Array>,
  { left, top, height, opacity }: WatermarkParams,
): Promise<void> {
  const end = Math.min(band.top + band.rows, top + height);
  for (let y = Math.max(band.top, top); y < end; y++) {
    const next = await rows.next();
    if (next.done) return;
    const start = ((y - band.top) * width + left) * 4;
    blendRow(band.pixels.subarray(start), next.value, opacity);
  }
}
