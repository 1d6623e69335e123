import wasm from '../../../build/turn.wasm';
import type { Band, Frame } from '../frame.ts';
import type { Orientation } from '../header.ts';
import type { Workspace } from '../workspace.ts';
import type { TurnKernel } from './turn-kernel.ts';
import { layOutTurn, type Strips, swapsSides, uprightFrame } from './turn-layout.ts';
import { TurnedStrip } from './turned-strip.ts';

/** The part of the source that one strip of the upright picture is made of, in pixels. */
interface Part {
  readonly left: number;
  readonly columns: number;
  readonly top: number;
  readonly rows: number;
}

/**
 * Turns a picture upright whose rows must be reversed or become columns. `bands` is read from its start once for each strip; bands come
 * out of the arena, where `layOutTurn(…).bytes` are taken.
 */
export async function* turnBands(
  bands: AsyncIterable<Band>,
  frame: Frame,
  orientation: Orientation,
  strips: Pick<Strips, 'store' | 'stripRows'>,
  workspace: Workspace,
): AsyncIterable<Band> {
  const layout = layOutTurn(frame, orientation, strips);
  const region = workspace.arena(layout.bytes);
  const kernel = workspace.kernel<TurnKernel>(wasm);
  const upright = uprightFrame(frame, orientation);
  for (let top = 0; top < upright.height; top += strips.stripRows) {
    const rows = Math.min(strips.stripRows, upright.height - top);
    const strip = new TurnedStrip({ upright, rows, orientation, store: strips.store, layout, region, kernel });
    await readPart(bands, frame, partOf(frame, orientation, top, rows), strip);
    yield* strip.bands(top);
  }
}

function partOf({ width, height }: Frame, orientation: Orientation, top: number, rows: number): Part {
  if (!swapsSides(orientation)) return { left: 0, columns: width, top: height - top - rows, rows };
  return { left: orientation <= 6 ? top : width - top - rows, columns: rows, top: 0, rows: height };
}

/** Hands a part of the picture to a strip in groups of rows; stops reading behind it. */
async function readPart(bands: AsyncIterable<Band>, { width }: Frame, part: Part, strip: TurnedStrip): Promise<void> {
  const end = part.top + part.rows;
  let next = part.top;
  for await (const band of bands) {
    for (; next < Math.min(end, band.top + band.rows); next++) {
      const start = ((next - band.top) * width + part.left) * 4;
      strip.add(band.pixels.subarray(start, start + part.columns * 4), next - part.top, part.rows);
    }
    if (next === end) return;
  }
}
