import { type Band, type Frame, frameBytes } from './frame.ts';
import type { JobWorkspace } from './job-workspace.ts';

/** A whole picture on the heap: RGBA, height × width × 4, valid until `close`. */
export interface GatheredFrame {
  readonly pixels: Uint8Array;
  close(): Promise<void>;
}

/**
 * Collects the bands of a picture into one heap buffer. A heap band that is the whole picture already is taken as it is;
 * its source is then left open until `close`. Afterwards nothing depends on the arena any more.
 */
export async function gatherFrame(
  bands: AsyncIterable<Band>,
  frame: Frame,
  workspace: JobWorkspace,
): Promise<GatheredFrame> {
  const source = bands[Symbol.asyncIterator]();
  let whole: Uint8Array | undefined;
  for (let next = await source.next(); !next.done; next = await source.next()) {
    const { top, rows, pixels } = next.value;
    if (rows === frame.height && !workspace.inArena(pixels)) {
      return { pixels, close: async () => void (await source.return?.()) };
    }
    whole ??= workspace.buffer(frameBytes(frame));
    whole.set(pixels.subarray(0, rows * frame.width * 4), top * frame.width * 4);
  }
  if (whole === undefined) throw new RangeError('a picture without bands');
  const gathered = whole;
  return { pixels: gathered, close: async () => workspace.release(gathered) };
}
