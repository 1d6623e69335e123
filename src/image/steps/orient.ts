import { MOST_HASTE } from '../formats/haste.ts';
import { type Band, type Frame, megapixels } from '../frame.ts';
import type { Orientation } from '../header.ts';
import { turnBands } from '../turn/turn-bands.ts';
import { chooseStrips, layOutTurn, type Store, swapsSides, uprightFrame } from '../turn/turn-layout.ts';
import type { Step, StepContext } from './step.ts';

export interface OrientParams {
  readonly orientation: Orientation;
  /** How upright rows are kept until they are complete, and how many at once; undefined where rows stay in their order. */
  readonly strips?: { readonly store: Store; readonly stripRows: number };
}

/** CPU seconds a megapixel, as measured: of the whole, and of each reading of the source. */
const SECONDS = { turn: 0.007, pass: 0.0007 } as const;

/**
 * Turns the stored rows upright (CIPA DC-008, Orientation). Mirrored rows stream. Whatever reverses or transposes rows is kept in the
 * arena: the whole picture where it fits, else one strip of upright rows after the other, for each of which the source is read again.
 */
export const orient: Step<OrientParams> = {
  name: 'orient',
  plan(frame, context) {
    const { orientation } = context.header;
    if (orientation === 1) return undefined;
    const turned = { step: 'orient', frame: uprightFrame(frame, orientation), buffers: 0, delivers: 'bands' } as const;
    const cpu = megapixels(frame) * SECONDS.turn;
    if (orientation === 2) return { ...turned, params: { orientation }, cpu };
    const planes = context.mayKeepPlanes && planesAreAsGood(frame, context);
    const { passes, ...strips } = chooseStrips(frame, orientation, planes, context.mostKept);
    const arena = layOutTurn(frame, orientation, strips).bytes;
    // Where rows are only reversed, each pass ends where the one before it began.
    const reads = swapsSides(orientation) ? passes : (passes + 1) / 2;
    return {
      ...turned,
      params: { orientation, strips },
      arena,
      passes,
      reads,
      cpu: cpu + reads * megapixels(frame) * SECONDS.pass,
    };
  },
  apply(bands, input, { params: { orientation, strips } }, _context, workspace) {
    return strips ? turnBands(bands, input, orientation, strips, workspace) : mirrorBands(bands, input);
  },
};

/** Planes lose nothing that the output would keep, or next to nothing; a little at the edges of what is transparent. */
function planesAreAsGood(frame: Frame, { outputChroma, haste }: StepContext): boolean {
  return outputChroma === '4:2:0' && (!frame.alpha || haste === MOST_HASTE);
}

async function* mirrorBands(bands: AsyncIterable<Band>, { width }: Frame): AsyncIterable<Band> {
  for await (const band of bands) {
    const pixels = wholePixels(band.pixels, band.rows * width);
    for (let row = 0; row < band.rows; row++) pixels.subarray(row * width, (row + 1) * width).reverse();
    yield { ...band, pixels: new Uint8Array(pixels.buffer, pixels.byteOffset, pixels.byteLength) };
  }
}

/** The pixels as 32-bit words; a copy only when the band does not start at a multiple of four bytes. */
function wholePixels(pixels: Uint8Array, count: number): Uint32Array {
  const aligned = pixels.byteOffset % 4 === 0 ? pixels : pixels.slice(0, count * 4);
  return new Uint32Array(aligned.buffer, aligned.byteOffset, count);
}
