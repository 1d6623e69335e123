/**
 * Undoes the filter of one row of an alpha plane in place (RFC 9649 §2.7.1.2).
 * @param filter 0 none, 1 horizontal, 2 vertical, 3 gradient
 * @param above the row before; 0 for the first
 */
export function unfilterRow(filter: i32, row: usize, above: usize, width: i32): void {
  if (filter == 0) return;
  if (above == 0 || filter == 1) addLeft(row, above == 0 ? 0 : load<u8>(above), width);
  else if (filter == 2) addAbove(row, above, width);
  else addGradient(row, above, width);
}

function addLeft(row: usize, first: i32, width: i32): void {
  let left = first;
  for (const end = row + <usize>width; row < end; row++) {
    left += <i32>load<u8>(row);
    store<u8>(row, left);
  }
}

/** Up to fifteen bytes behind the row are changed. */
function addAbove(row: usize, above: usize, width: i32): void {
  for (const end = row + <usize>width; row < end; row += 16) {
    v128.store(row, i8x16.add(v128.load(row), v128.load(above)));
    above += 16;
  }
}

function addGradient(row: usize, above: usize, width: i32): void {
  let corner = <i32>load<u8>(above);
  let left = corner;
  for (const end = row + <usize>width; row < end; row++) {
    const top = <i32>load<u8>(above);
    const prediction = min(max(left + top - corner, 0), 255);
    left = (prediction + <i32>load<u8>(row)) & 255;
    store<u8>(row, left);
    corner = top;
    above++;
  }
}
