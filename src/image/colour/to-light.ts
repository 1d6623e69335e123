import { apply } from './matrix.ts';
import type { Evaluate, SourceColour } from './source-colour.ts';
import { encodeSrgb } from './srgb.ts';

/** The function from device values to linear sRGB, whatever the kind. Grey reads the first value. */
export function toLight(source: SourceColour): Evaluate {
  if (source.kind === 'sampled') return source.evaluate;
  if (source.kind === 'grey') return (device, light) => light.fill(source.curve(device[0]!), 0, 3);
  const [red, green, blue] = source.curves;
  return (device, light) => {
    [light[0], light[1], light[2]] = apply(source.matrix, red(device[0]!), green(device[1]!), blue(device[2]!));
  };
}

/** Steps of the grid on which a conversion is compared with doing nothing. */
const STEPS = 8;

/**
 * Whether the values are sRGB already, to within one 8-bit step in every channel: then converting would cost time and only add
 * rounding. Greys are compared at all 256 values; colours, unless the picture is `neutral`, on a grid.
 */
export function isNearlySrgb(source: SourceColour, neutral: boolean): boolean {
  const evaluate = toLight(source);
  const device = new Float64Array(3);
  const light = new Float64Array(3);
  const same = (...values: readonly [number, number, number]) => {
    device.set(values.map((value) => value / 255));
    evaluate(device, light);
    return values.every((value, i) => Math.abs(Math.round(encodeSrgb(light[i]!) * 255) - value) <= 1);
  };
  for (let value = 0; value < 256; value++) if (!same(value, value, value)) return false;
  if (neutral) return true;
  const point = (step: number) => Math.round((step * 255) / STEPS);
  for (let index = 0; index < (STEPS + 1) ** 3; index++) {
    const [r, g, b] = [
      index % (STEPS + 1),
      Math.floor(index / (STEPS + 1)) % (STEPS + 1),
      Math.floor(index / (STEPS + 1) ** 2),
    ];
    if (!same(point(r!), point(g!), point(b!))) return false;
  }
  return true;
}
