import { parseLazily } from './deflate/lazy';
import { makeLogs } from './deflate/logarithm';
import { parseChunk, takeChoices } from './deflate/optimal';
import { CHUNK, Deflater, FIRST, HISTORY, KEPT, Layout, LOOKAHEAD, Outcome } from './deflate/state';
import { beginBlocks, writeBlocks, writeTrailer } from './deflate/write';
import { adler } from './inflate/adler';

/*
 * Compression to a zlib stream (RFC 1950, RFC 1951). Input is copied into a window and parsed into symbols, lazily or optimally; many
 * symbols together are divided into blocks of different statistics, each written in the codes that make it smallest.
 */

/** Bytes of the work region. */
export function workBytes(): usize {
  return Layout.bytes;
}

/**
 * Begins a stream in a work region. Nothing of what the region held is used.
 * @param passes of the optimal parse; 0: lazy parse
 * @param trees optimal parse: whether matches are looked for in trees of all that is near, not in chains
 * @param depth candidates that are looked at for a match, at the most
 * @param nice length of a match that ends the search
 * @param lazy lazy parse: the length up to which the next position is tried too, 0: never
 * @param items symbols that are gathered before they become blocks, at most 65536
 * @param parts log2 of the symbols between which blocks may be divided; at most 64 such parts may make up `items`
 * @param dry whether output is only counted
 */
export function start(
  work: usize, passes: i32, trees: i32, depth: i32, nice: i32, lazy: i32, items: i32, parts: i32, dry: i32,
): void {
  memory.fill(work, 0, Layout.logs);
  makeLogs(work);
  memory.fill(work + Layout.partTallies, 0, Layout.items - Layout.partTallies);
  memory.fill(work + Layout.tally, 0, Layout.lengths - Layout.tally);
  memory.fill(work + Layout.shortHeads, 0, Layout.chain - Layout.shortHeads);
  const state = changetype<Deflater>(work);
  state.passes = passes;
  state.trees = trees;
  state.depth = depth;
  state.nice = nice;
  state.lazy = lazy;
  state.itemRoom = items;
  state.partBits = parts;
  state.dry = dry;
  state.origin = work + Layout.window - FIRST;
  state.start = FIRST;
  state.next = FIRST;
  state.end = FIRST;
  state.chosenEnd = FIRST;
  state.unwritten = FIRST;
  state.sumA = 1;
  // A window of 32 KiB, the slowest algorithm (RFC 1950, 2.2).
  state.bits = 0xda78;
  state.bitCount = 16;
  state.size = 16;
}

/** Copies input into the window; returns how much there was room for. Only where input was asked for. */
export function give(work: usize, input: usize, bytes: i32): i32 {
  const state = changetype<Deflater>(work);
  const room = <i32>(Layout.windowEnd - Layout.window);
  if (state.end - state.start + bytes > room) slide(state);
  const taken = min(bytes, room - (state.end - state.start));
  const at = state.origin + state.end;
  memory.copy(at, input, taken);
  state.end += taken;
  if (!state.dry) {
    const sums = adler(state.sumA, state.sumB, at, at + taken);
    state.sumA = sums & 0xffff;
    state.sumB = sums >> 16;
  }
  return taken;
}

/** Forgets what no match reaches any more; what is not written stays a while, since it may have to be stored. */
function slide(state: Deflater): void {
  const window = changetype<usize>(state) + Layout.window;
  const kept = max(state.start, max(state.next - KEPT, min(state.unwritten, state.next - HISTORY)));
  memory.copy(window, state.origin + kept, state.end - kept);
  state.origin = window - kept;
  state.start = kept;
}

/** Where the next output goes. @param bytes at least 1 KiB */
export function take(work: usize, out: usize, bytes: usize): void {
  const state = changetype<Deflater>(work);
  state.out = out;
  state.outEnd = out + bytes;
}

/** Where the output ends that was written since `take`. */
export function written(work: usize): usize {
  return changetype<Deflater>(work).out;
}

/** Bytes of the stream so far, begun ones too. */
export function size(work: usize): f64 {
  return <f64>((changetype<Deflater>(work).size + 7) >> 3);
}

/** No more input will come. */
export function end(work: usize): void {
  changetype<Deflater>(work).ended = 1;
}

/** Compresses as far as it goes: 0 asks for input, 1 for room for output (`take`), 2 is the end of the stream. */
export function deflate(work: usize): i32 {
  const state = changetype<Deflater>(work);
  if (state.trailed) return Outcome.done;
  for (;;) {
    if (state.blocks > 0 && !writeBlocks(state)) return Outcome.full;
    if (state.final) break;
    parse(state);
    if (state.itemCount < state.itemRoom - 1 && !(state.ended && state.next == state.end)) return Outcome.starved;
    beginBlocks(state);
  }
  if (!writeTrailer(state)) return Outcome.full;
  state.trailed = 1;
  return Outcome.done;
}

/** Parses until the room for symbols is used up or the input is. */
function parse(state: Deflater): void {
  if (state.passes == 0) {
    parseLazily(state);
    return;
  }
  while (state.itemCount < state.itemRoom) {
    if (state.next == state.chosenEnd) {
      const ready = state.ended ? state.next < state.end : state.end - state.next >= CHUNK + LOOKAHEAD;
      if (!ready) return;
      parseChunk(state);
    }
    takeChoices(state);
  }
}
