import { Layout, LOG_BITS } from './state';

/** Makes the table of logarithms: digit by digit, by squaring, since there is no static data to take them from. */
export function makeLogs(work: usize): void {
  const size = 1 << LOG_BITS;
  for (let i = 0; i < size; i++) {
    let x: f64 = 1 + (<f64>i + 0.5) / <f64>size;
    let log: f64 = 0;
    for (let digit: f64 = 0.5; digit > 1e-7; digit *= 0.5) {
      x *= x;
      if (x < 2) continue;
      x *= 0.5;
      log += digit;
    }
    store<f32>(work + Layout.logs + (<usize>i << 2), <f32>log);
  }
}

/** The base-2 logarithm of a whole number of at least 1, to 3 digits. */
@inline
export function log2(work: usize, value: u32): f32 {
  const bits = reinterpret<u32>(<f32>value);
  const fraction = load<f32>(work + Layout.logs + (<usize>((bits >> (23 - LOG_BITS)) & ((1 << LOG_BITS) - 1)) << 2));
  return <f32>(<i32>(bits >> 23) - 127) + fraction;
}
