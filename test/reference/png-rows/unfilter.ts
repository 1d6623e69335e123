import { brokenPng } from '../../../src/image/formats/png/broken-png.ts';

/**
 * Undoes the filter of one row in place (third edition, clause 9). `prior` is the row above, already undone and of the same
 * length; zeros above the first row. `distance` is the bytes of a pixel.
 * @throws FileError broken_image for a filter type that PNG does not have
 */
export function unfilter(type: number, row: Uint8Array, prior: Uint8Array, distance: number): void {
  switch (type) {
    case 0:
      return;
    case 1:
      undoSub(row, distance);
      return;
    case 2:
      undoUp(row, prior);
      return;
    case 3:
      undoAverage(row, prior, distance);
      return;
    case 4:
      undoPaeth(row, prior, distance);
      return;
    default:
      throw brokenPng('a row of its picture data has no valid filter type');
  }
}

// The loops go channel by channel: the neighbours stay in registers, which is faster than reading them again and needs no
// loop of its own for each pixel size.

function undoSub(row: Uint8Array, distance: number): void {
  const { length } = row;
  for (let channel = 0; channel < distance; channel++) {
    let left = 0;
    for (let at = channel; at < length; at += distance) {
      left = (row[at]! + left) & 255;
      row[at] = left;
    }
  }
}

function undoUp(row: Uint8Array, prior: Uint8Array): void {
  const { length } = row;
  for (let at = 0; at < length; at++) row[at] = row[at]! + prior[at]!;
}

function undoAverage(row: Uint8Array, prior: Uint8Array, distance: number): void {
  const { length } = row;
  for (let channel = 0; channel < distance; channel++) {
    let left = 0;
    for (let at = channel; at < length; at += distance) {
      left = (row[at]! + ((left + prior[at]!) >> 1)) & 255;
      row[at] = left;
    }
  }
}

function undoPaeth(row: Uint8Array, prior: Uint8Array, distance: number): void {
  const { length } = row;
  for (let channel = 0; channel < distance; channel++) {
    let left = 0;
    let corner = 0;
    for (let at = channel; at < length; at += distance) {
      const above = prior[at]!;
      const toLeft = Math.abs(above - corner);
      const toAbove = Math.abs(left - corner);
      const toCorner = Math.abs(left + above - corner - corner);
      const nearest = toLeft <= toAbove && toLeft <= toCorner ? left : toAbove <= toCorner ? above : corner;
      left = (row[at]! + nearest) & 255;
      row[at] = left;
      corner = above;
    }
  }
}
