import { adler } from './inflate/adler';
import {
  readBlock, readChecksum, readCodeLengths, readHeader, readLengths, readSizes, readStored, readStoredSize,
} from './inflate/blocks';
import { HISTORY_BYTES, Inflater, Layout, Mode, Outcome, SLACK } from './inflate/state';
import { readSymbols } from './inflate/symbols';

/*
 * Decompression of a zlib stream (RFC 1950, RFC 1951) that comes in pieces, into a window that slides: every step either has all of
 * its bits or takes none, so a piece may end anywhere.
 */

/** Begins a stream. @param work the work region @param window bytes of output, with the 32 KiB that copies reach back */
export function start(work: usize, window: usize, windowBytes: usize): void {
  memory.fill(work, 0, Layout.bytes);
  const state = changetype<Inflater>(work);
  state.window = window;
  state.out = window;
  state.summed = window;
  state.outEnd = window + windowBytes - SLACK;
  state.sumA = 1;
  for (let distance: usize = 1; distance < 16; distance++) {
    for (let i: usize = 0; i < 16; i++) store<u8>(work + Layout.patterns + (distance << 4) + i, i % distance);
    store<u8>(work + Layout.strides + distance, 16 - 16 % distance);
  }
}

/** Gives the next piece of input; the one before must be used up. */
export function give(work: usize, input: usize, bytes: usize): void {
  const state = changetype<Inflater>(work);
  state.input = input;
  state.inputEnd = input + bytes;
}

/** Decompresses as far as it goes: 0 asks for input, 1 for room (`slide`), 2 is the end of the stream, -1 damage. */
export function inflate(work: usize): i32 {
  const state = changetype<Inflater>(work);
  let outcome = Outcome.onward;
  while (outcome == Outcome.onward) {
    if (state.mode == Mode.checksum) sum(state);
    outcome = step(state);
  }
  sum(state);
  return outcome;
}

function step(state: Inflater): i32 {
  switch (state.mode) {
    case Mode.header:
      return readHeader(state);
    case Mode.block:
      return readBlock(state);
    case Mode.storedSize:
      return readStoredSize(state);
    case Mode.stored:
      return readStored(state);
    case Mode.sizes:
      return readSizes(state);
    case Mode.codeLengths:
      return readCodeLengths(state);
    case Mode.lengths:
      return readLengths(state);
    case Mode.symbols:
      return readSymbols(state);
    case Mode.checksum:
      return readChecksum(state);
    default:
      return Outcome.done;
  }
}

/** Takes into the checksum what was written since. */
function sum(state: Inflater): void {
  const sums = adler(state.sumA, state.sumB, state.summed, state.out);
  state.sumA = sums & 0xffff;
  state.sumB = sums >> 16;
  state.summed = state.out;
}

/** Bytes of the window that hold output. */
export function filled(work: usize): usize {
  const state = changetype<Inflater>(work);
  return state.out - state.window;
}

/** Makes room: moves what is still needed to the window's start, all from `offset` on at the least. Returns how far it moved. */
export function slide(work: usize, offset: usize): usize {
  const state = changetype<Inflater>(work);
  const filled = state.out - state.window;
  const shift = min(offset, filled > HISTORY_BYTES ? filled - HISTORY_BYTES : 0);
  memory.copy(state.window, state.window + shift, filled - shift);
  state.out -= shift;
  state.summed = state.out;
  return shift;
}
