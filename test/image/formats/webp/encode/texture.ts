import type { SyntheticPicture } from '../../../../support/synthetic-picture.ts';

/** A picture of slopes, edges, stripes and grain in all proportions: what a seed makes of it. @param contrast 0–1 */
export function textureOf(width: number, height: number, seed: number, contrast: number): SyntheticPicture {
  const random = uniform(seed);
  const share = () => random() ** 3 * contrast;
  const [slope, stripes, edge, grain] = [share() * 120, share() * 120, share() * 160, share() * 120];
  const [angle, frequency, turn] = [random() * 6.3, random() * 1.5, random() * 6.3];
  const colour = [random(), random(), random()];
  const [edgeX, edgeY] = [random() * width, random() * height];
  const pixels = new Uint8Array(width * height * 4);
  for (let at = 0; at < width * height; at++) {
    const [x, y] = [at % width, Math.floor(at / width)];
    const along = x * Math.cos(angle) + y * Math.sin(angle);
    const across = (x - edgeX) * Math.cos(turn) + (y - edgeY) * Math.sin(turn);
    const shade = slope * Math.sin(along / 20) + stripes * Math.sin(along * frequency) + (across > 0 ? edge : 0);
    for (let channel = 0; channel < 3; channel++) {
      const value = 60 + 100 * colour[channel]! + shade * (1 - colour[channel]! / 2) + grain * (random() - 0.5);
      pixels[at * 4 + channel] = Math.max(0, Math.min(255, value));
    }
    pixels[at * 4 + 3] = 255;
  }
  return { frame: { width, height, alpha: false, model: 'rgb' }, pixels };
}

/** Mulberry32: numbers of 0–1. */
function uniform(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let word = Math.imul(state ^ (state >>> 15), state | 1);
    word ^= word + Math.imul(word ^ (word >>> 7), word | 61);
    return ((word ^ (word >>> 14)) >>> 0) / 2 ** 32;
  };
}
