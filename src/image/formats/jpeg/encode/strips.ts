import type { Band } from '../../../frame.ts';
import type { ChromaSubsampling } from '../../chroma-subsampling.ts';
import type { CodingLayout } from './coding-layout.ts';

/** Pixels of a strip, about: more of them cost the library more memory, fewer make its statistics poorer. */
const STRIP_PIXELS: Readonly<Record<ChromaSubsampling, number>> = { '4:2:0': 600_000, '4:4:4': 400_000 };

/** Some whole rows of MCUs, as RGBA. */
export interface Strip {
  readonly rows: number;
  readonly pixels: Uint8Array;
}

/** Rows of a strip: whole MCUs. */
export function stripRows({ mcusAcross, mcusDown, mcuSide }: CodingLayout, chroma: ChromaSubsampling): number {
  const mcuRows = Math.floor(STRIP_PIXELS[chroma] / (mcusAcross * mcuSide * mcuSide));
  return Math.min(Math.max(1, mcuRows), mcusDown) * mcuSide;
}

/** Gathers bands of any height into strips of `rows` rows in `region`; the last may have fewer. */
export async function* gatherStrips(
  bands: AsyncIterable<Band>,
  { width, height }: { readonly width: number; readonly height: number },
  rows: number,
  region: Uint8Array,
): AsyncGenerator<Strip> {
  const rowBytes = width * 4;
  let top = 0;
  let filled = 0;
  for await (const band of bands) {
    for (let from = 0; from < band.rows; ) {
      const taken = Math.min(band.rows - from, rows - filled);
      region.set(band.pixels.subarray(from * rowBytes, (from + taken) * rowBytes), filled * rowBytes);
      from += taken;
      filled += taken;
      if (filled < rows && top + filled < height) continue;
      yield { rows: filled, pixels: region.subarray(0, filled * rowBytes) };
      top += filled;
      filled = 0;
    }
  }
}
