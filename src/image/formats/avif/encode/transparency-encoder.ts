import type { Workspace } from '../../../workspace.ts';
import type { CodedTile } from './coded-tile.ts';
import { encodeRectangle, type RectangleSettings } from './encode-rectangle.ts';
import type { Rectangle } from './tile-window.ts';

/**
 * Encodes the transparency of rectangles as pictures of brightness alone. The library could do it together with the colours,
 * but leaves it out where a rectangle is opaque, and needs the memory of both at once.
 */
export class TransparencyEncoder {
  readonly #plane: Uint8Array;
  readonly #settings: RectangleSettings;
  readonly #workspace: Workspace;
  /** Opaque tiles by their sides: they are all the same. */
  readonly #opaque = new Map<string, CodedTile>();
  #isOpaque = false;
  #found = false;

  /** @param plane a region for the transparency of the largest rectangle, one byte a pixel */
  constructor(plane: Uint8Array, settings: Omit<RectangleSettings, 'screenContent'>, workspace: Workspace) {
    this.#plane = plane;
    this.#settings = { ...settings, chroma: 'none', screenContent: false };
    this.#workspace = workspace;
  }

  /** Whether any pixel so far was not opaque. */
  get found(): boolean {
    return this.#found;
  }

  /** Moves the transparency out of a rectangle, which is opaque afterwards. */
  take({ pixels }: Rectangle): void {
    let all = 255;
    for (let at = 3, to = 0; at < pixels.length; at += 4, to++) {
      all &= this.#plane[to] = pixels[at]!;
      pixels[at] = 255;
    }
    this.#isOpaque = all === 255;
    this.#found ||= !this.#isOpaque;
  }

  /** Encodes what was taken last. The rectangle's colours are overwritten. */
  async encode(rectangle: Rectangle): Promise<CodedTile> {
    const sides = `${rectangle.width} × ${rectangle.height}`;
    const known = this.#isOpaque ? this.#opaque.get(sides) : undefined;
    if (known !== undefined) return withOwnData(known);
    const { pixels } = rectangle;
    for (let at = 0, from = 0; at < pixels.length; at += 4, from++) {
      pixels[at] = pixels[at + 1] = pixels[at + 2] = this.#plane[from]!;
    }
    const tile = await encodeRectangle(rectangle, this.#settings, this.#workspace);
    if (!this.#isOpaque) return tile;
    this.#opaque.set(sides, withOwnData(tile));
    return tile;
  }
}

/** Who is handed the data may do away with it. */
function withOwnData(tile: CodedTile): CodedTile {
  return { ...tile, data: tile.data.slice() };
}
