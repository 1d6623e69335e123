import { Decoder } from './state';

/** Loads bytes until at least 56 bits are there; behind the end they are zeros, and counted. */
export function refill(decoder: Decoder): void {
  const at = decoder.at;
  const bits = decoder.bits;
  if (bits < 56 && decoder.end - at >= 8) {
    decoder.value |= load<u64>(at) << <u64>bits;
    decoder.at = at + <usize>((63 - bits) >> 3);
    decoder.bits = bits | 56;
    return;
  }
  refillSlowly(decoder);
}

function refillSlowly(decoder: Decoder): void {
  while (decoder.bits <= 56) {
    if (decoder.at < decoder.end) {
      decoder.value |= <u64>load<u8>(decoder.at) << <u64>decoder.bits;
      decoder.at++;
    } else {
      decoder.past += 8;
    }
    decoder.bits += 8;
  }
}

/** Whether more was read than there is. */
@inline
export function exhausted(decoder: Decoder): bool {
  return decoder.past > decoder.bits;
}

/** Whether the end of what is there, but not of the data, may come before the end of the next unit. */
@inline
export function starved(decoder: Decoder): bool {
  return decoder.more != 0 && decoder.end - decoder.at < decoder.margin;
}

/** A number of up to 24 bits, the lowest first. */
export function readBits(decoder: Decoder, count: i32): i32 {
  if (decoder.bits < count) refill(decoder);
  const result = <i32>decoder.value & ((1 << count) - 1);
  decoder.value >>= <u64>count;
  decoder.bits -= count;
  return result;
}
