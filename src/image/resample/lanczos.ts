/** Lobes of the kernel on each side of its centre: Lanczos3. */
const LOBES = 3;

/** How one side is mapped onto another: `from` pixels become `to`. */
export interface Axis {
  readonly from: number;
  readonly to: number;
  /** How much of `from` is the picture, where its last pixel is only partly covered (`Frame.extent`); absent: all. */
  readonly extent?: number;
}

/** The largest number of input pixels that one output pixel is made of. */
export function windowSize({ from, to }: Axis): number {
  return Math.min(from, Math.ceil(2 * LOBES * Math.max(1, from / to)) + 1);
}

/**
 * Computes the weights of output pixel `index`: writes them to the start of `weights` (`windowSize` of them) and returns the
 * first input pixel of the window. Downscaling widens the kernel so that it also filters; at the edges the weights that are
 * left are scaled to the sum 1.
 */
export function lanczosWindow(axis: Axis, index: number, weights: Float64Array): number {
  const ratio = (axis.extent ?? axis.from) / axis.to;
  const stretch = Math.max(1, ratio);
  const size = windowSize(axis);
  const centre = (index + 0.5) * ratio - 0.5;
  const wanted = Math.max(0, Math.ceil(centre - LOBES * stretch));
  // A full window always fits, so that no reader has to look for the end of the side.
  const first = Math.min(wanted, axis.from - size);
  let sum = 0;
  for (let tap = 0; tap < size; tap++) {
    const weight = lanczos((first + tap - centre) / stretch);
    weights[tap] = weight;
    sum += weight;
  }
  for (let tap = 0; tap < size; tap++) weights[tap] = weights[tap]! / sum;
  return first;
}

/** sinc(x) · sinc(x / 3) for |x| < 3, else 0. */
function lanczos(x: number): number {
  if (x === 0) return 1;
  if (Math.abs(x) >= LOBES) return 0;
  const angle = Math.PI * x;
  return (LOBES * Math.sin(angle) * Math.sin(angle / LOBES)) / (angle * angle);
}
