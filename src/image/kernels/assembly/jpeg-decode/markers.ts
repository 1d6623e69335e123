/** Whether the byte behind an 0xFF leaves it inside entropy-coded data: a stuffed or a fill byte, or RSTn. */
// @ts-ignore: decorator
@inline
export function staysInData(code: i32): bool {
  return code == 0x00 || code == 0xff || (code & 0xf8) == 0xd0;
}

/** The first 0xFF from `from` on whose next byte ends entropy-coded data; `end` where there is none. */
export function dataEnd(from: usize, end: usize): usize {
  const all = i8x16.splat(-1);
  let at = from;
  for (; at + 17 <= end; at += 16) {
    for (let found = i8x16.bitmask(i8x16.eq(v128.load(at), all)); found != 0; found &= found - 1) {
      const marker = at + <usize>ctz(found);
      if (!staysInData(load<u8>(marker, 1))) return marker;
    }
  }
  for (; at + 1 < end; at++) {
    if (load<u8>(at) == 0xff && !staysInData(load<u8>(at, 1))) return at;
  }
  return end;
}

/**
 * Drops the fill bytes (T.81 B.1.1.2: 0xFF before 0xFF) between `from` and `end`, whose number has no bound, and moves what
 * is left up to `end`. A decoder steps over them in any case. @returns where it starts now
 */
export function withoutFillBytes(from: usize, end: usize): usize {
  const last = lastFillByte(from, end);
  if (last == end) return from;
  let to = last + 1;
  for (let at = last; at > from; ) {
    const byte = <i32>load<u8>(--at);
    if (byte != 0xff || load<u8>(to) != 0xff) store<u8>(--to, byte);
  }
  return to;
}

/** The last byte between `from` and `end` that is 0xFF and has 0xFF behind it; `end` where there is none. */
function lastFillByte(from: usize, end: usize): usize {
  const all = i8x16.splat(-1);
  let at = end;
  for (; at >= from + 17; at -= 16) {
    const pairs = v128.and(v128.load(at - 17), v128.load(at - 16));
    const found = i8x16.bitmask(i8x16.eq(pairs, all));
    if (found != 0) return at - 17 + <usize>(31 - clz(found));
  }
  for (; at >= from + 2; at--) {
    if (load<u8>(at - 2) == 0xff && load<u8>(at - 1) == 0xff) return at - 2;
  }
  return end;
}
