import type { SyntheticPicture } from './synthetic-picture.ts';

/**
 * The same opaque picture in every run, with detail at every size as photographs have it (value noise whose strength falls
 * with its fineness), soft colours and one edge.
 */
export function texturedPicture(width: number, height: number): SyntheticPicture {
  const pixels = new Uint8Array(width * height * 4);
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at += 4) {
      const light = texture(x, y);
      const warmth = 40 * noise(x / 96, y / 96, 50);
      const green = 30 * noise(x / 48, y / 48, 60);
      const disc = Math.hypot(x - width / 3, y - height / 2) < height / 4 ? 40 : 0;
      pixels[at] = clamp(125 + light + warmth + disc);
      pixels[at + 1] = clamp(120 + light + green + disc * 0.6);
      pixels[at + 2] = clamp(115 + light - warmth);
      pixels[at + 3] = 255;
    }
  }
  return { frame: { width, height, alpha: false, model: 'rgb' }, pixels };
}

const COARSEST = 128;
const FINEST = 2;
const STRENGTH = 90;
/** Of an octave against the coarser one. */
const FALL = 0.62;

function texture(x: number, y: number): number {
  let sum = 0;
  for (let size = COARSEST, strength = STRENGTH; size >= FINEST; size /= 2, strength *= FALL)
    sum += strength * noise(x / size, y / size, size);
  return sum;
}

/** Smooth between random values at whole numbers, −0.5 to 0.5. */
function noise(x: number, y: number, seed: number): number {
  const [left, top] = [Math.floor(x), Math.floor(y)];
  const [right, down] = [ease(x - left), ease(y - top)];
  const above = mix(lattice(left, top, seed), lattice(left + 1, top, seed), right);
  const below = mix(lattice(left, top + 1, seed), lattice(left + 1, top + 1, seed), right);
  return mix(above, below, down) - 0.5;
}

/** A random value of 0–1 that depends on the place alone. */
function lattice(x: number, y: number, seed: number): number {
  const mixed = Math.imul(x, 374_761_393) ^ Math.imul(y, 668_265_263) ^ Math.imul(seed, 1_274_126_177);
  const scattered = Math.imul(mixed ^ (mixed >>> 13), 1_103_515_245);
  return ((scattered ^ (scattered >>> 16)) >>> 0) / 2 ** 32;
}

function ease(share: number): number {
  return share * share * (3 - 2 * share);
}

function mix(from: number, to: number, share: number): number {
  return from + (to - from) * share;
}

function clamp(value: number): number {
  return Math.max(0, Math.min(255, Math.round(value)));
}
