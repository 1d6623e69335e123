/**
 * Codes an alpha plane as the green channel of a lossless WebP stream (RFC 9649 §2.7.1.2, §3), row by row and each row by
 * itself: literals, runs of the pixel before and copies of the row above, straight or aslant, which need no window. The choice between them
 * does not depend on the prefix codes, so that counting first and writing afterwards meet the same symbols.
 */

/** Copies of fewer pixels are not worth their symbols. */
const LEAST_COPY: i32 = 4;
const MOST_COPY: i32 = 4096;
/** Symbols: 256 literals, 24 lengths; behind them, four distances. */
const FIRST_LENGTH: i32 = 256;
const FIRST_DISTANCE: i32 = 280;

/** The alpha samples of a row of RGBA. */
export function takeAlpha(rgba: usize, width: i32, out: usize): void {
  for (let x = 0; x < width; x++) store<u8>(out + <usize>x, load<u8>(rgba + <usize>(x << 2), 3));
}

/**
 * What a filter leaves of a row (RFC 9649 §2.7.1.2).
 * @param above the row before, 0 for the first; @param filter 0 none, 1 horizontal, 2 vertical, 3 gradient
 */
export function filterRow(row: usize, above: usize, width: i32, filter: i32, out: usize): void {
  if (filter == 0) {
    memory.copy(out, row, width);
    return;
  }
  store<u8>(out, load<u8>(row) - (above ? load<u8>(above) : 0));
  if (above == 0 || filter == 1) {
    for (let x = 1; x < width; x++) {
      const at = row + <usize>x;
      store<u8>(out + <usize>x, load<u8>(at) - load<u8>(at - 1));
    }
    return;
  }
  if (filter == 2) {
    for (let x = 1; x < width; x++) store<u8>(out + <usize>x, load<u8>(row + <usize>x) - load<u8>(above + <usize>x));
    return;
  }
  for (let x = 1; x < width; x++) {
    const at = row + <usize>x;
    const over = above + <usize>x;
    const gradient = <i32>load<u8>(at - 1) + <i32>load<u8>(over) - <i32>load<u8>(over - 1);
    store<u8>(out + <usize>x, load<u8>(at) - <u8>max(0, min(255, gradient)));
  }
}

/** How many samples from `x` on equal those at `other`. */
@inline
function alike(at: usize, other: usize, most: i32): i32 {
  let count = 0;
  while (count + 8 <= most && load<u64>(at + <usize>count) == load<u64>(other + <usize>count)) count += 8;
  while (count < most && load<u8>(at + <usize>count) == load<u8>(other + <usize>count)) count++;
  return count;
}

/** Prefix code of a length (§3.7.1.2): symbol, and count and value of its extra bits. */
@inline
function lengthSymbol(length: i32): i32 {
  const value = length - 1;
  if (value < 4) return value;
  const high = 31 - clz(value);
  return 2 * high + ((value >> (high - 1)) & 1);
}

@inline
function extraBits(symbol: i32): i32 {
  return symbol < 4 ? 0 : (symbol - 2) >> 1;
}

/**
 * The longest copy that starts at `x`: its length, and from bit 16 on its distance: 0 the pixel above, 1 the one before, 2 and
 * 3 those above to the left and to the right. These are the first four of §3.6.2.2, which need no extra bits.
 */
@inline
function copyAt(row: usize, above: usize, x: i32, width: i32): i32 {
  const at = row + <usize>x;
  const most = min(width - x, MOST_COPY);
  let copy = above ? alike(at, above + <usize>x, most) : 0;
  if (copy == most) return copy;
  if (x > 0) copy = longer(copy, alike(at, at - 1, most), 1);
  if (above == 0) return copy;
  if (x > 0) copy = longer(copy, alike(at, above + <usize>x - 1, most), 2);
  return longer(copy, alike(at, above + <usize>x + 1, min(width - x - 1, MOST_COPY)), 3);
}

@inline
function longer(copy: i32, length: i32, distance: i32): i32 {
  return length > (copy & 0xffff) ? length | (distance << 16) : copy;
}

/** Counts the symbols of a filtered row: u32[284]. @param above the filtered row before, 0 for the first */
export function countRow(row: usize, above: usize, width: i32, counts: usize): void {
  let x = 0;
  while (x < width) {
    const copy = copyAt(row, above, x, width);
    const length = copy & 0xffff;
    if (length < LEAST_COPY) {
      count(counts, load<u8>(row + <usize>x));
      x++;
      continue;
    }
    count(counts, FIRST_LENGTH + lengthSymbol(length));
    count(counts, FIRST_DISTANCE + (copy >> 16));
    x += length;
  }
}

@inline
function count(counts: usize, symbol: i32): void {
  const at = counts + <usize>(symbol << 2);
  store<u32>(at, load<u32>(at) + 1);
}

/** Where bits go: whole bytes at `out`, the rest waits. */
@unmanaged
class Bits {
  out: usize;
  waiting: u32;
  bits: u64;
}

/**
 * Writes a filtered row. At most 16 bits a pixel are written, and 8 bytes more are touched.
 * @param codes u32[284]: the bits of a code, the first lowest, and its length from bit 16 on
 * @param state `Bits`: pointer, count and value of the bits that wait
 */
export function writeRow(row: usize, above: usize, width: i32, codes: usize, state: usize): void {
  const to = changetype<Bits>(state);
  let x = 0;
  while (x < width) {
    const copy = copyAt(row, above, x, width);
    const length = copy & 0xffff;
    if (length < LEAST_COPY) {
      putCode(to, codes, load<u8>(row + <usize>x));
      x++;
      continue;
    }
    const symbol = lengthSymbol(length);
    const extra = extraBits(symbol);
    putCode(to, codes, FIRST_LENGTH + symbol);
    put(to, (length - 1) & ((1 << extra) - 1), extra);
    putCode(to, codes, FIRST_DISTANCE + (copy >> 16));
    x += length;
  }
}

@inline
function putCode(to: Bits, codes: usize, symbol: i32): void {
  const code = load<u32>(codes + <usize>(symbol << 2));
  put(to, code & 0xffff, code >> 16);
}

/** Appends up to 16 bits, the lowest first. */
@inline
function put(to: Bits, value: u32, count: u32): void {
  to.bits |= <u64>value << <u64>to.waiting;
  to.waiting += count;
  if (to.waiting < 32) return;
  store<u32>(to.out, <u32>to.bits);
  to.out += 4;
  to.bits >>= 32;
  to.waiting -= 32;
}
