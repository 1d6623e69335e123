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
