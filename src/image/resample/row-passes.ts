/** Horizontal weights of a whole row, computed once. */
export interface RowWeights {
  /** Taps of each output pixel. */
  readonly taps: number;
  /** First input pixel of each output pixel. */
  readonly first: Int32Array;
  /** `taps` weights for each output pixel. */
  readonly weights: Float32Array;
}

/** Filters one row of RGBA bytes to `first.length` × 3 floats (R, G, B); alpha is not looked at. */
export function filterOpaqueRow(row: Uint8Array, { taps, first, weights }: RowWeights, out: Float32Array): void {
  const width = first.length;
  let at = 0;
  for (let x = 0; x < width; x++) {
    let red = 0;
    let green = 0;
    let blue = 0;
    let from = first[x]! * 4;
    for (let tap = x * taps, end = tap + taps; tap < end; tap++, from += 4) {
      const weight = weights[tap]!;
      red += weight * row[from]!;
      green += weight * row[from + 1]!;
      blue += weight * row[from + 2]!;
    }
    out[at] = red;
    out[at + 1] = green;
    out[at + 2] = blue;
    at += 3;
  }
}

/** Filters one row of straight-alpha RGBA bytes to `first.length` × 4 floats: colour × alpha (0 … 255²), then alpha (0 … 255). */
export function filterAlphaRow(row: Uint8Array, { taps, first, weights }: RowWeights, out: Float32Array): void {
  const width = first.length;
  let at = 0;
  for (let x = 0; x < width; x++) {
    let red = 0;
    let green = 0;
    let blue = 0;
    let alpha = 0;
    let from = first[x]! * 4;
    for (let tap = x * taps, end = tap + taps; tap < end; tap++, from += 4) {
      const cover = weights[tap]! * row[from + 3]!;
      red += cover * row[from]!;
      green += cover * row[from + 1]!;
      blue += cover * row[from + 2]!;
      alpha += cover;
    }
    out[at] = red;
    out[at + 1] = green;
    out[at + 2] = blue;
    out[at + 3] = alpha;
    at += 4;
  }
}

/** Sums rows of a ring into `sum`: Σ weights[tap] · row(tap), where row(tap) is the ring's row (first + tap) mod its rows. */
export function sumRows(
  ring: readonly Float32Array[],
  first: number,
  weights: Float32Array,
  taps: number,
  sum: Float32Array,
): void {
  const rows = ring.length;
  const length = sum.length;
  sum.fill(0);
  let tap = 0;
  for (; tap + 4 <= taps; tap += 4) {
    const a = ring[(first + tap) % rows]!;
    const b = ring[(first + tap + 1) % rows]!;
    const c = ring[(first + tap + 2) % rows]!;
    const d = ring[(first + tap + 3) % rows]!;
    const wa = weights[tap]!;
    const wb = weights[tap + 1]!;
    const wc = weights[tap + 2]!;
    const wd = weights[tap + 3]!;
    for (let i = 0; i < length; i++) sum[i] = sum[i]! + wa * a[i]! + wb * b[i]! + wc * c[i]! + wd * d[i]!;
  }
  for (; tap < taps; tap++) {
    const row = ring[(first + tap) % rows]!;
    const weight = weights[tap]!;
    for (let i = 0; i < length; i++) sum[i] = sum[i]! + weight * row[i]!;
  }
}

/** Rounds R, G, B sums to opaque RGBA bytes. */
export function storeOpaqueRow(sum: Float32Array, out: Uint8ClampedArray): void {
  for (let from = 0, at = 0; at < out.length; from += 3, at += 4) {
    out[at] = sum[from]!;
    out[at + 1] = sum[from + 1]!;
    out[at + 2] = sum[from + 2]!;
    out[at + 3] = 255;
  }
}

/** Divides premultiplied sums by their alpha and rounds them to straight RGBA bytes; transparent pixels become all 0. */
export function storeAlphaRow(sum: Float32Array, out: Uint8ClampedArray): void {
  for (let at = 0; at < out.length; at += 4) {
    const alpha = sum[at + 3]!;
    // Below half a step the alpha rounds to 0 and the quotient would be noise.
    const scale = alpha < 0.5 ? 0 : 1 / alpha;
    out[at] = sum[at]! * scale;
    out[at + 1] = sum[at + 1]! * scale;
    out[at + 2] = sum[at + 2]! * scale;
    out[at + 3] = alpha;
  }
}
