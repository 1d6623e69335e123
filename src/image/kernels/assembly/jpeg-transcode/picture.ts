/** One component of the picture that is written. Block rows and columns count without the padding of interleaved MCUs. */
@unmanaged
export class Component {
  /** Blocks of a row. */
  across: u32;
  /** Blocks of an MCU, side by side and above each other. */
  horizontal: u32;
  vertical: u32;
  /** One pointer for each row of blocks to what is kept of it; 0 where there is none. */
  rows: usize;
}

/** Bytes of the picture's own fields before its components: their number (u32) and MCUs of a row (u32). */
const HEAD_BYTES: usize = 8;
/** Bytes of one `Component`. */
const COMPONENT_BYTES: usize = 16;

@inline
export function componentCount(picture: usize): u32 {
  return load<u32>(picture);
}

@inline
export function mcusAcross(picture: usize): u32 {
  return load<u32>(picture + 4);
}

@inline
export function componentOf(picture: usize, index: u32): Component {
  return changetype<Component>(picture + HEAD_BYTES + index * COMPONENT_BYTES);
}

/** What is kept of one row of blocks of a component; 0: the row is padding. */
@inline
export function keptRow(component: Component, row: u32): usize {
  return load<usize>(component.rows + (row << 2));
}
