import { type Band, type Frame, frameBytes } from '../frame.ts';
import type { Orientation } from '../header.ts';
import type { Workspace } from '../workspace.ts';
import type { Step } from './step.ts';

export interface OrientParams {
  readonly orientation: Orientation;
}

/**
 * Turns the stored rows upright (CIPA DC-008, Orientation). Mirrored rows stream; whatever reverses or transposes rows is
 * gathered in one frame, which leaves as one band that covers the whole picture.
 */
export const orient: Step<OrientParams> = {
  name: 'orient',
  plan(frame, context) {
    const { orientation } = context.header;
    if (orientation === 1) return undefined;
    const turned = { step: 'orient', params: { orientation }, frame: uprightFrame(frame, orientation) };
    return orientation === 2 ? { ...turned, buffers: 0 } : { ...turned, buffers: frameBytes(frame), delivers: 'frame' };
  },
  apply(bands, input, planned, _context, workspace) {
    const { orientation } = planned.params;
    return orientation === 2 ? mirrorBands(bands, input) : turnFrame(bands, input, orientation, workspace);
  },
};

/** Whether the orientation exchanges width and height. */
export function swapsSides(orientation: Orientation): boolean {
  return orientation >= 5;
}

/** The frame after it was turned upright. */
function uprightFrame(frame: Frame, orientation: Orientation): Frame {
  return swapsSides(orientation) ? { ...frame, width: frame.height, height: frame.width } : frame;
}

async function* mirrorBands(bands: AsyncIterable<Band>, { width }: Frame): AsyncIterable<Band> {
  for await (const band of bands) {
    const pixels = wholePixels(band.pixels, band.rows * width);
    for (let row = 0; row < band.rows; row++) pixels.subarray(row * width, (row + 1) * width).reverse();
    yield { ...band, pixels: new Uint8Array(pixels.buffer, pixels.byteOffset, pixels.byteLength) };
  }
}

async function* turnFrame(
  bands: AsyncIterable<Band>,
  frame: Frame,
  orientation: Orientation,
  workspace: Workspace,
): AsyncIterable<Band> {
  const turned = workspace.buffer(frameBytes(frame));
  try {
    const target = new Uint32Array(turned.buffer, turned.byteOffset, frame.width * frame.height);
    const path = pathOf(frame, orientation);
    for await (const band of bands) scatter(band, frame.width, target, path);
    yield { top: 0, rows: uprightFrame(frame, orientation).height, pixels: turned };
  } finally {
    workspace.release(turned);
  }
}

/** Where pixel (x, y) goes: index `start + x · across + y · down` of the upright frame. */
interface Path {
  readonly start: number;
  readonly across: number;
  readonly down: number;
}

function pathOf({ width, height }: Frame, orientation: Orientation): Path {
  const right = width - 1;
  const bottom = height - 1;
  switch (orientation) {
    case 1:
      return { start: 0, across: 1, down: width };
    case 2:
      return { start: right, across: -1, down: width };
    case 3:
      return { start: bottom * width + right, across: -1, down: -width };
    case 4:
      return { start: bottom * width, across: 1, down: -width };
    case 5:
      return { start: 0, across: height, down: 1 };
    case 6:
      return { start: bottom, across: height, down: -1 };
    case 7:
      return { start: right * height + bottom, across: -height, down: -1 };
    case 8:
      return { start: right * height, across: -height, down: 1 };
  }
}

/** Columns of a tile: the target lines that a transposing tile writes to (64 B each) stay in the first-level cache. */
const TILE = 64;

function scatter(band: Band, width: number, target: Uint32Array, path: Path): void {
  const source = wholePixels(band.pixels, band.rows * width);
  const { across, down } = path;
  const start = path.start + band.top * down;
  for (let left = 0; left < width; left += TILE) {
    const end = Math.min(width, left + TILE);
    for (let row = 0; row < band.rows; row++) {
      let to = start + left * across + row * down;
      for (let x = left; x < end; x++, to += across) target[to] = source[row * width + x]!;
    }
  }
}

/** The pixels as 32-bit words; a copy only when the band does not start at a multiple of four bytes. */
function wholePixels(pixels: Uint8Array, count: number): Uint32Array {
  const aligned = pixels.byteOffset % 4 === 0 ? pixels : pixels.slice(0, count * 4);
  return new Uint32Array(aligned.buffer, aligned.byteOffset, count);
}
