/** A reader of bits, the lowest of each byte first. */
@unmanaged
export class Reader {
  /** The low `bits` bits are loaded. */
  value: u64;
  bits: i32;
  /** Zero bits that were made up behind the end of the data. */
  past: i32;
  at: usize;
  end: usize;
}

/** One prefix code: a table of 2^bits entries, and the tables that those refer to. */
@unmanaged
export class Code {
  table: usize;
  mask: u32;
}
export const CODE_BYTES: usize = 8;

/** The five codes of a group, in the order of the bitstream. */
export namespace Group {
  export const green: usize = 0;
  export const red: usize = 8;
  export const blue: usize = 16;
  export const alpha: usize = 24;
  export const distance: usize = 32;
  export const bytes: usize = 40;
}

/** One transform of the picture. */
@unmanaged
export class Transform {
  /** 0 predictor, 1 cross-colour, 2 subtract green, 3 colour indexing. */
  type: i32;
  /** Of the side of a block, or (colour indexing) of the number of pixels in one. */
  bits: i32;
  /** Pixels of a row behind the inverse transform. */
  width: i32;
  data: usize;
}
export const TRANSFORM_BYTES: usize = 16;

/** Everything about one picture. Pointers are into the work region. */
@unmanaged
export class Decoder {
  value: u64;
  bits: i32;
  past: i32;
  at: usize;
  end: usize;
  /** Whether the data goes on behind `end`, and then the bytes that must be there before a unit of it is read. */
  more: i32;
  margin: usize;
  /** What is read next: a `Step`. */
  step: i32;
  width: i32;
  height: i32;
  /** Rows that were handed out. */
  row: i32;
  transformCount: i32;
  transforms: usize;
  /** Pixels in a row of the picture behind the transforms that were read: palettes pack several into one. */
  packedWidth: i32;
  /** Pixels in a row of the picture or part that is being read. */
  codedWidth: i32;
  codedHeight: i32;
  /** Pixels of it that were read, and where the next one is. */
  position: u32;
  x: i32;
  y: i32;
  cacheBits: i32;
  cache: usize;
  /** Of the picture itself, while its group map is read. */
  ownCacheBits: i32;
  groups: usize;
  groupCount: i32;
  groupsRead: i32;
  /** Index of each block's group, u16; 0 where there is one group. */
  groupMap: usize;
  groupBits: i32;
  groupColumns: i32;
  /** The last pixels read: a ring of a power of two. */
  ring: usize;
  ringMask: u32;
  /** The free part of the work region. */
  pool: usize;
  poolEnd: usize;
  distances: usize;
  lengths: usize;
  sorted: usize;
  used: usize;
  /** Rows in between, `width` + 1 pixels each and some more; the predictor has A and B in turns. */
  raw: usize;
  rowA: usize;
  rowB: usize;
  rowC: usize;
  /** The part that is being read: what is kept of its pixels, where, where the next one goes, and the pool behind it. */
  partKeep: i32;
  partData: usize;
  partNext: usize;
  partPool: usize;
  /** Set on failure: what the exports return. */
  failure: i32;
}

/** Offsets in the work region. */
export namespace Layout {
  /** 120 bytes, which the host writes. */
  export const distances: usize = 0;
  export const decoder: usize = 128;
  export const transforms: usize = 384;
  /** Up to 2328 code lengths, and symbols in their order. */
  export const lengths: usize = 512;
  export const sorted: usize = 3072;
  export const cache: usize = 8192;
  /** One bit for each of 65,536 groups. */
  export const used: usize = 16384;
  export const bytes: usize = 24576;
}

/** The units in which what stands in front of the pixels is read. */
export namespace Step {
  /** Whether there is one more transform, and what stands in front of its part's pixels. */
  export const transform: i32 = 0;
  /** A row of a part. */
  export const partRow: i32 = 1;
  /** The colour cache, and what stands in front of the pixels of the map of groups. */
  export const coding: i32 = 2;
  /** A group of codes. */
  export const group: i32 = 3;
  /** Everything was read. */
  export const pixels: i32 = 4;
}

/** What the exports return when it does not go well. */
export namespace Failure {
  export const damaged: i32 = -1;
  /** The file's own tables are larger than the work region. */
  export const memory: i32 = -2;
  /** Nothing is wrong: more of the data must be fed first. */
  export const starved: i32 = -3;
}
