/**
 * What an RGBA picture becomes by being kept as full-range BT.601 YCbCr 4:2:0 (ITU-T T.871) and transparency: chroma is the mean of 2 × 2
 * pixels, the last column and row repeated, and serves all of them; pixels that nobody sees have the mean colour of those of their block
 * that are seen. The arithmetic of the turning kernel in plain TypeScript.
 */
export function planesReference(source: Uint8Array, width: number, height: number): Uint8Array {
  const pixels = withoutHidden(source, width, height);
  const out = pixels.slice();
  for (let top = 0; top < height; top += 2) {
    for (let left = 0; left < width; left += 2) {
      const places = [0, 1, 2, 3].map((i) => {
        const x = Math.min(left + (i & 1), width - 1);
        const y = Math.min(top + (i >> 1), height - 1);
        return (y * width + x) * 4;
      });
      const sum = [0, 1, 2].map((k) => places.reduce((total, at) => total + pixels[at + k]!, 0)) as Triple;
      const cb =
        clamp(((-5529 * sum[0] - 10_855 * sum[1] + 16_384 * sum[2] + (128 << 17) + (1 << 16)) >> 17) | 0) - 128;
      const cr = clamp(((16_384 * sum[0] - 13_720 * sum[1] - 2664 * sum[2] + (128 << 17) + (1 << 16)) >> 17) | 0) - 128;
      for (const at of places) {
        const luma = (9798 * pixels[at]! + 19_235 * pixels[at + 1]! + 3735 * pixels[at + 2]! + (1 << 14)) >> 15;
        out[at] = clamp(luma + cr + ((cr * 13_173 + (1 << 14)) >> 15));
        out[at + 1] = clamp(luma + ((-11_277 * cb - 23_401 * cr + (1 << 14)) >> 15));
        out[at + 2] = clamp(luma + 2 * cb - ((cb * 7471 + (1 << 14)) >> 15));
      }
    }
  }
  return out;
}

function withoutHidden(source: Uint8Array, width: number, height: number): Uint8Array {
  const pixels = source.slice();
  for (let top = 0; top < height; top += 2) {
    for (let left = 0; left < width; left += 2) {
      const places = [0, 1, 2, 3]
        .filter((i) => left + (i & 1) < width && top + (i >> 1) < height)
        .map((i) => ((top + (i >> 1)) * width + left + (i & 1)) * 4);
      const seen = places.filter((at) => source[at + 3]! > 0);
      for (const at of places.filter((place) => !seen.includes(place))) {
        const sum = (k: number) => seen.reduce((total, place) => total + source[place + k]!, 0);
        for (let k = 0; k < 3; k++) pixels[at + k] = seen.length === 0 ? 0 : Math.trunc(sum(k) / seen.length);
      }
    }
  }
  return pixels;
}

type Triple = [number, number, number];

function clamp(value: number): number {
  return Math.min(255, Math.max(0, value));
}
