/**
 * Puts straight-alpha RGBA pixels of `mark` over those of `row`, in place, where `row` starts at the mark's left edge. The mark's alpha
 * is multiplied by `opacity` percent. Source over destination (W3C Compositing 1, 9.1), each value rounded once.
 */
export function blendRow(row: Uint8Array, mark: Uint8Array, opacity: number): void {
  const full = 255 * 100;
  for (let at = 0; at < mark.length; at += 4) {
    const over = mark[at + 3]! * opacity;
    if (over === 0) continue;
    const below = row[at + 3]!;
    // Weights of the two colours; their sum is the resulting alpha × `full`.
    const markWeight = over * 255;
    const rowWeight = (full - over) * below;
    const sum = markWeight + rowWeight;
    row[at] = (mark[at]! * markWeight + row[at]! * rowWeight) / sum + 0.5;
    row[at + 1] = (mark[at + 1]! * markWeight + row[at + 1]! * rowWeight) / sum + 0.5;
    row[at + 2] = (mark[at + 2]! * markWeight + row[at + 2]! * rowWeight) / sum + 0.5;
    row[at + 3] = sum / full + 0.5;
  }
}
