import type { PixelFacts } from '../../../src/image/formats/png/pixel-census.ts';

const MAX_COLOURS = 256;
/** Slots of the hash table; a power of two, four times the colours, so that a search is short. */
const SLOTS = 1024;

/**
 * Gathers facts of RGBA rows as they pass. Rows have 8 bits a sample, or 16 with the upper byte first.
 */
export class PixelCensus {
  readonly #wideRows: boolean;
  #grey = true;
  #opaque = true;
  #wide = false;
  #greyDepth: 1 | 2 | 4 | 8 = 1;
  readonly #colours = new Uint32Array(MAX_COLOURS);
  #colourCount = 0;
  #tooMany = false;
  /** Index + 1 into the colours; 0 is a free slot. */
  readonly #slots = new Uint16Array(SLOTS);

  constructor(bitsPerSample: 8 | 16) {
    this.#wideRows = bitsPerSample === 16;
  }

  get facts(): PixelFacts {
    const few = !this.#tooMany && !this.#wide;
    return {
      grey: this.#grey,
      opaque: this.#opaque,
      wide: this.#wide,
      greyDepth: this.#greyDepth,
      ...(few && { colours: new Uint8Array(this.#colours.slice(0, this.#colourCount).buffer) }),
    };
  }

  /** Whether nothing that is still to come can change the facts. */
  get settled(): boolean {
    return !this.#grey && !this.#opaque && this.#tooMany && (this.#wide || !this.#wideRows);
  }

  /** Whether some pixel is not grey and there are too many colours for a palette: only alpha is still open. */
  get coloured(): boolean {
    return !this.#grey && this.#tooMany;
  }

  /** Takes in whole pixels: a row or several. */
  add(rgba: Uint8Array): void {
    if (this.settled) return;
    if (this.#wideRows) this.#addWide(rgba);
    else this.#addNarrow(rgba);
  }

  #addNarrow(rgba: Uint8Array): void {
    const { buffer, byteOffset } = rgba.byteOffset % 4 === 0 ? rgba : rgba.slice();
    const pixels = new Uint32Array(buffer, byteOffset, rgba.length >> 2);
    let last = ~pixels[0]! >>> 0;
    for (let index = 0; index < pixels.length; index++) {
      const pixel = pixels[index]!;
      if (pixel === last) continue;
      last = pixel;
      const at = index << 2;
      this.#note(pixel, rgba[at]!, rgba[at + 1]!, rgba[at + 2]!, rgba[at + 3]!);
    }
  }

  #note(pixel: number, red: number, green: number, blue: number, alpha: number): void {
    if (alpha !== 255) this.#opaque = false;
    if (this.#grey) {
      if (red !== green || green !== blue) this.#grey = false;
      else if (this.#greyDepth < 8) this.#greyDepth = Math.max(this.#greyDepth, depthOfGrey(red)) as 1 | 2 | 4 | 8;
    }
    if (!this.#tooMany) this.#count(pixel);
  }

  #count(pixel: number): void {
    let slot = (Math.imul(pixel, 0x9e3779b1) >>> 22) & (SLOTS - 1);
    for (;;) {
      const entry = this.#slots[slot]!;
      if (entry === 0) break;
      if (this.#colours[entry - 1] === pixel) return;
      slot = (slot + 1) & (SLOTS - 1);
    }
    if (this.#colourCount === MAX_COLOURS) {
      this.#tooMany = true;
      return;
    }
    this.#colours[this.#colourCount++] = pixel;
    this.#slots[slot] = this.#colourCount;
  }

  #addWide(rgba: Uint8Array): void {
    const narrow = new Uint8Array(4);
    const pixel = new Uint32Array(narrow.buffer);
    for (let at = 0; at < rgba.length; at += 8) {
      for (let sample = 0; sample < 4; sample++) {
        narrow[sample] = rgba[at + 2 * sample]!;
        if (narrow[sample] !== rgba[at + 2 * sample + 1]) this.#wide = true;
      }
      if (this.#wide) {
        this.#tooMany = true;
        this.#noteWide(rgba, at);
      } else this.#note(pixel[0]!, narrow[0]!, narrow[1]!, narrow[2]!, narrow[3]!);
    }
  }

  #noteWide(rgba: Uint8Array, at: number): void {
    if (rgba[at + 6] !== 255 || rgba[at + 7] !== 255) this.#opaque = false;
    const same = (a: number, b: number): boolean =>
      rgba[at + a] === rgba[at + b] && rgba[at + a + 1] === rgba[at + b + 1];
    if (this.#grey && !(same(0, 2) && same(2, 4))) this.#grey = false;
  }
}

/** The least bit depth whose scale to the full range holds this 8-bit value. */
function depthOfGrey(value: number): 1 | 2 | 4 | 8 {
  if (value === 0 || value === 255) return 1;
  if (value % 85 === 0) return 2;
  return value % 17 === 0 ? 4 : 8;
}
