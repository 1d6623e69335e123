import type { FilterStrategy } from '../../../src/image/formats/png/row-coder.ts';

const fixedTypes: Partial<Record<FilterStrategy, number>> = { none: 0, sub: 1, up: 2, paeth: 4 };

const SUB = 1;
const UP = 2;

/** Filters rows one after the other (third edition, clause 9). Keeps the row above by itself. */
export class RowFilter {
  readonly #strategy: FilterStrategy;
  readonly #distance: number;
  readonly #prior: Uint8Array;
  readonly #trial: Uint8Array;
  readonly #counts = new Uint32Array(256);
  /** The filter type of the row above; undefined above the first. */
  #last: number | undefined;

  /** @param scratch two rows of bytes */
  constructor(strategy: FilterStrategy, distance: number, scratch: Uint8Array) {
    const rowBytes = scratch.length / 2;
    this.#strategy = strategy;
    this.#distance = distance;
    this.#prior = scratch.subarray(0, rowBytes).fill(0);
    this.#trial = scratch.subarray(rowBytes);
  }

  /** Writes the filter type and the filtered row to `out`, which is one byte longer than the row. */
  apply(row: Uint8Array, out: Uint8Array): void {
    const result = out.subarray(1);
    const fixed = this.#fixedType();
    const type = fixed ?? this.#best(row, result);
    if (fixed !== undefined) filterRow(fixed, row, this.#prior, this.#distance, result);
    out[0] = type;
    this.#last = type;
    this.#prior.set(row);
  }

  #fixedType(): number | undefined {
    const type = fixedTypes[this.#strategy];
    // Nothing is above the first row, so there "up" would leave it as it is.
    return type === UP && this.#last === undefined ? SUB : type;
  }

  /** The type with the least cost; among equals that of the row above, since a change costs the deflater. */
  #best(row: Uint8Array, result: Uint8Array): number {
    let best = 0;
    let least = Number.POSITIVE_INFINITY;
    for (let type = 0; type <= 4; type++) {
      filterRow(type, row, this.#prior, this.#distance, this.#trial);
      const cost = this.#strategy === 'least-sum' ? absoluteSum(this.#trial) : entropy(this.#trial, this.#counts);
      if (cost > least || (cost === least && type !== this.#last)) continue;
      least = cost;
      best = type;
      result.set(this.#trial);
    }
    return best;
  }
}

/** The sum of the bytes as signed differences, without sign. */
function absoluteSum(bytes: Uint8Array): number {
  let sum = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!;
    sum += byte < 128 ? byte : 256 - byte;
  }
  return sum;
}

/** Logarithms of 1 … 2, as the kernel gets them. */
const logs = Float32Array.from({ length: 1024 }, (_, index) => Math.log2(1 + (index + 0.5) / 1024));

/** To 3 digits, in the kernel's precision. */
function log2(value: number): number {
  const exponent = 31 - Math.clz32(value);
  const fraction = logs[Math.floor((value / 2 ** exponent - 1) * 1024)]!;
  return Math.fround(exponent + fraction);
}

/** The entropy of the bytes, up to a constant that depends on their number alone. */
function entropy(bytes: Uint8Array, counts: Uint32Array): number {
  counts.fill(0);
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!;
    counts[byte] = counts[byte]! + 1;
  }
  let sum = 0;
  for (let value = 0; value < 256; value++) {
    const count = counts[value]!;
    if (count > 1) sum -= count * log2(count);
  }
  return sum;
}

function filterRow(type: number, row: Uint8Array, prior: Uint8Array, distance: number, out: Uint8Array): void {
  switch (type) {
    case 0:
      out.set(row);
      return;
    case 1:
      filterSub(row, distance, out);
      return;
    case 2:
      filterUp(row, prior, out);
      return;
    case 3:
      filterAverage(row, prior, distance, out);
      return;
    default:
      filterPaeth(row, prior, distance, out);
      return;
  }
}

function filterSub(row: Uint8Array, distance: number, out: Uint8Array): void {
  const { length } = row;
  const start = Math.min(distance, length);
  for (let at = 0; at < start; at++) out[at] = row[at]!;
  for (let at = start, left = 0; at < length; at++, left++) out[at] = row[at]! - row[left]!;
}

function filterUp(row: Uint8Array, prior: Uint8Array, out: Uint8Array): void {
  const { length } = row;
  for (let at = 0; at < length; at++) out[at] = row[at]! - prior[at]!;
}

function filterAverage(row: Uint8Array, prior: Uint8Array, distance: number, out: Uint8Array): void {
  const { length } = row;
  const start = Math.min(distance, length);
  for (let at = 0; at < start; at++) out[at] = row[at]! - (prior[at]! >> 1);
  for (let at = start, left = 0; at < length; at++, left++) out[at] = row[at]! - ((row[left]! + prior[at]!) >> 1);
}

function filterPaeth(row: Uint8Array, prior: Uint8Array, distance: number, out: Uint8Array): void {
  const { length } = row;
  const start = Math.min(distance, length);
  for (let at = 0; at < start; at++) out[at] = row[at]! - prior[at]!;
  for (let at = start, back = 0; at < length; at++, back++) {
    const left = row[back]!;
    const above = prior[at]!;
    const corner = prior[back]!;
    const toLeft = Math.abs(above - corner);
    const toAbove = Math.abs(left - corner);
    const toCorner = Math.abs(left + above - corner - corner);
    const nearest = toLeft <= toAbove && toLeft <= toCorner ? left : toAbove <= toCorner ? above : corner;
    out[at] = row[at]! - nearest;
  }
}
