import type { Frame } from '../../src/image/frame.ts';

/** What a made picture shows: `photo` has slopes, edges and grain as photographs do, `noise` is the worst case of every coder. */
export type PictureKind = 'photo' | 'noise' | 'flat';

export interface SyntheticPicture {
  readonly frame: Frame;
  /** RGBA, height × width × 4. */
  readonly pixels: Uint8Array<ArrayBuffer>;
}

/** The same picture in every run. With `alpha` it fades from transparent to opaque, with noise in between for `noise`. */
export function syntheticPicture(kind: PictureKind, width: number, height: number, alpha = false): SyntheticPicture {
  const pixels = new Uint8Array(width * height * 4);
  const random = xorshift(width * 65_537 + height);
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at += 4) {
      paint(kind, x, y, random, pixels, at);
      pixels[at + 3] = alpha ? opacity(kind, x, width, random) : 255;
    }
  }
  return { frame: { width, height, alpha, model: 'rgb' }, pixels };
}

function paint(kind: PictureKind, x: number, y: number, random: () => number, pixels: Uint8Array, at: number): void {
  if (kind === 'flat') {
    pixels.set([90, 140, 200], at);
    return;
  }
  const word = random();
  if (kind === 'noise') {
    pixels.set([word & 255, (word >> 8) & 255, (word >> 16) & 255], at);
    return;
  }
  const grain = (word & 15) - 8;
  const edge = Math.hypot(x - 90, y - 70) < 60 ? 45 : 0;
  const slope = 110 + 50 * Math.sin(x / 37) + 35 * Math.cos(y / 23 + x / 91);
  pixels[at] = clamp(slope + edge + grain);
  pixels[at + 1] = clamp(slope * 0.8 + 30 * Math.sin(y / 41) + edge + grain);
  pixels[at + 2] = clamp(220 - slope * 0.7 + grain);
}

function opacity(kind: PictureKind, x: number, width: number, random: () => number): number {
  return kind === 'noise' ? random() & 255 : Math.round((x * 255) / Math.max(1, width - 1));
}

function clamp(value: number): number {
  return Math.max(0, Math.min(255, Math.round(value)));
}

/** Marsaglia's xorshift32: whole numbers of 32 bits. */
function xorshift(seed: number): () => number {
  let state = seed | 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
}

/**
 * How far two RGBA pictures are apart: the mean of the absolute differences of all samples, 0–255, colours counted as far as they
 * can be seen, since lossy coders may change what is fully transparent.
 */
export function meanDifference(actual: Uint8Array, expected: Uint8Array): number {
  if (actual.length !== expected.length) throw new Error(`${actual.length} bytes, expected ${expected.length}`);
  let sum = 0;
  for (let at = 0; at < expected.length; at += 4) {
    const opacityOf = expected[at + 3]! / 255;
    sum += Math.abs(actual[at + 3]! - expected[at + 3]!);
    for (let channel = 0; channel < 3; channel++) {
      sum += Math.abs(actual[at + channel]! - expected[at + channel]!) * opacityOf;
    }
  }
  return sum / expected.length;
}
