import type { Band, Frame } from '../../src/image/frame.ts';

/** A picture in bands of at most `rows` rows, each in one reused buffer as decoders do it. */
export async function* bandsOf(pixels: Uint8Array, frame: Frame, rows = 7): AsyncIterable<Band> {
  const stride = frame.width * 4;
  const reused = new Uint8Array(rows * stride);
  for (let top = 0; top < frame.height; top += rows) {
    const count = Math.min(rows, frame.height - top);
    reused.set(pixels.subarray(top * stride, (top + count) * stride));
    yield { top, rows: count, pixels: reused.subarray(0, count * stride) };
    reused.fill(0xa5);
  }
}

/** Puts bands together; throws where they leave a gap, overlap or do not cover the frame. */
export async function gatherBands(
  bands: AsyncIterable<Band>,
  frame: Pick<Frame, 'width' | 'height'>,
): Promise<Uint8Array> {
  const stride = frame.width * 4;
  const pixels = new Uint8Array(frame.height * stride);
  let next = 0;
  for await (const { top, rows, pixels: part } of bands) {
    if (top !== next || part.length < rows * stride) throw new Error(`band at ${top}, expected at ${next}`);
    pixels.set(part.subarray(0, rows * stride), top * stride);
    next += rows;
  }
  if (next !== frame.height) throw new Error(`${next} rows of ${frame.height}`);
  return pixels;
}
