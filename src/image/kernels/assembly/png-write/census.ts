/*
 * What is known of a picture's pixels, gathered as they pass. Colours are kept in the order of their appearance, and found again by
 * hashing.
 */

export const MOST_COLOURS: u32 = 256;
/** Slots of the hash table, four times the colours, so that a search is short. */
const SLOTS: u32 = 1024;

@unmanaged
export class Census {
  /** Some pixel is not grey; not opaque; needs more than 8 bits a sample. */
  coloured: u32;
  translucent: u32;
  wide: u32;
  /** The least depth that holds all greys. */
  greyDepth: u32;
  /** Colours; 257 stands for any greater number. */
  colours: u32;
}

const COLOURS: usize = 32;
const TABLE: usize = COLOURS + 4 * <usize>MOST_COLOURS;
export const CENSUS_BYTES: usize = TABLE + 2 * <usize>SLOTS;

/** The slot in which a colour is, or the free one where it belongs: index + 1 of the colour, 0 is free. */
@inline
function slotOf(census: usize, pixel: u32): usize {
  let slot = (pixel * 0x9e3779b1) >> 22;
  for (;;) {
    const entry = load<u16>(census + TABLE + (<usize>slot << 1));
    if (entry == 0 || load<u32>(census + COLOURS + (<usize>entry << 2) - 4) == pixel) break;
    slot = (slot + 1) & (SLOTS - 1);
  }
  return census + TABLE + (<usize>slot << 1);
}

/** Takes a colour in, if there is room. */
function addColour(census: Census, pixel: u32): void {
  const base = changetype<usize>(census);
  const slot = slotOf(base, pixel);
  if (load<u16>(slot) != 0) return;
  if (census.colours < MOST_COLOURS) {
    store<u32>(base + COLOURS + (<usize>census.colours << 2), pixel);
    store<u16>(slot, census.colours + 1);
  }
  census.colours++;
}

/** The least bit depth whose scale to the full range holds this value. */
@inline
function depthOf(grey: u32): u32 {
  if (grey == 0 || grey == 255) return 1;
  if (grey % 85 == 0) return 2;
  return grey % 17 == 0 ? 4 : 8;
}

function note(census: Census, pixel: u32): void {
  if (pixel >> 24 != 255) census.translucent = 1;
  if (((pixel ^ (pixel >> 8)) & 0xffff) != 0) census.coloured = 1;
  else if (!census.coloured) census.greyDepth = max(census.greyDepth, depthOf(pixel & 255));
  if (census.colours <= MOST_COLOURS) addColour(census, pixel);
}

/** Takes in RGBA pixels of 8 bits a sample. */
export function addNarrow(census: Census, at: usize, count: usize): void {
  const end = at + (count << 2);
  const whole = at + (count << 2 & ~15);
  let last = ~load<u32>(at);
  while (at < end) {
    if (census.colours > MOST_COLOURS && (census.coloured || census.greyDepth == 8)) break;
    if (at < whole && i32x4.all_true(i32x4.eq(v128.load(at), i32x4.splat(last)))) {
      at += 16;
      continue;
    }
    const pixel = load<u32>(at);
    at += 4;
    if (pixel == last) continue;
    last = pixel;
    note(census, pixel);
  }
  addKinds(census, at, end);
}

/** The rest, of which only transparency and greyness are open. */
function addKinds(census: Census, at: usize, end: usize): void {
  let differences = i32x4.splat(0);
  let alphas = i32x4.splat(-1);
  for (; at + 16 <= end; at += 16) {
    const pixels = v128.load(at);
    differences = v128.or(differences, v128.xor(pixels, i32x4.shr_u(pixels, 8)));
    alphas = v128.and(alphas, pixels);
  }
  if (v128.any_true(v128.and(differences, i32x4.splat(0xffff)))) census.coloured = 1;
  if (!i32x4.all_true(i32x4.eq(i32x4.shr_u(alphas, 24), i32x4.splat(255)))) census.translucent = 1;
  for (; at < end; at += 4) {
    const pixel = load<u32>(at);
    if (pixel >> 24 != 255) census.translucent = 1;
    if (((pixel ^ (pixel >> 8)) & 0xffff) != 0) census.coloured = 1;
  }
}

/** Takes in RGBA pixels of 16 bits a sample, the upper byte first. */
export function addWide(census: Census, at: usize, count: usize): void {
  const end = at + (count << 3);
  for (; at < end; at += 8) {
    const pixel = load<u64>(at);
    if (((pixel ^ (pixel >> 8)) & 0x00ff00ff00ff00ff) != 0) census.wide = 1;
    if (census.wide) {
      census.colours = MOST_COLOURS + 1;
      if (pixel >> 48 != 0xffff) census.translucent = 1;
      if (((pixel ^ (pixel >> 16)) & 0xffffffff) != 0) census.coloured = 1;
    } else {
      const narrow = (<u32>pixel & 255) | ((<u32>(pixel >> 16) & 255) << 8) | ((<u32>(pixel >> 32) & 255) << 16) |
        (<u32>(pixel >> 48) << 24);
      note(census, narrow);
    }
  }
}

/** For each pixel the index of its colour in the census, which must have it. */
export function indexPixels(census: usize, at: usize, out: usize, count: usize): void {
  const end = out + count;
  let last = ~load<u32>(at);
  let index: u32 = 0;
  for (; out < end; at += 4, out++) {
    const pixel = load<u32>(at);
    if (pixel != last) {
      last = pixel;
      index = <u32>load<u16>(slotOf(census, pixel)) - 1;
    }
    store<u8>(out, index);
  }
}

/** The colours of indexes again. */
export function expandIndexes(census: usize, at: usize, out: usize, count: usize): void {
  const end = at + count;
  for (; at < end; at++, out += 4) {
    store<u32>(out, load<u32>(census + COLOURS + (<usize>load<u8>(at) << 2)));
  }
}

/** Makes the census of a palette: its colours, in its order. */
export function setColours(census: usize, colours: usize, count: u32): void {
  memory.fill(census, 0, CENSUS_BYTES);
  const state = changetype<Census>(census);
  for (let i: u32 = 0; i < count; i++) addColour(state, load<u32>(colours + (<usize>i << 2)));
}
