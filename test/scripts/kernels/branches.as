/*
 * AssemblyScript, for the test of split-functions.ts: every kind of branch there is, blocks within loops, loops that are left from
 * inside, tables, early ends, locals of all types, memory.
 */

export function collatz(start: u32, most: u32): u64 {
  let value: u64 = start;
  let sum: u64 = 0;
  for (let step: u32 = 0; step < most; step++) {
    if (value == 1) break;
    if (value & 1) {
      value = 3 * value + 1;
      if (step % 7 == 3) continue;
    } else {
      value >>= 1;
    }
    sum += value;
  }
  return sum ^ value;
}

// Inlined, its ends become branches out of several blocks of the caller's.
@inline
function place(wanted: u32, y: u32, last: i32): i32 {
  let found = last;
  for (let x: u32 = 0; x < 40; x++) {
    const value: u32 = (y * 2654435761 + x * 40503) % 977;
    if (value == wanted % 977) return <i32>(y * 40 + x);
    if (value % 13 == 5) return -2 - <i32>x;
    if (value > 950) break;
    found = -<i32>value;
  }
  return found ^ <i32>y;
}

export function search(wanted: u32, rows: u32): i32 {
  let found: i32 = -1;
  for (let y: u32 = 0; y < rows; y++) {
    found = place(wanted, y, found);
    if (found >= 0) break;
    if (found < -900) {
      found = place(wanted + 1, y + 1, found);
      continue;
    }
    found += <i32>(y & 1);
  }
  return found;
}

export function table(seed: u32, rounds: u32): f64 {
  let state: u32 = seed;
  let sum: f64 = 0.5;
  let count: f32 = 1;
  while (rounds-- > 0) {
    state = state * 1664525 + 1013904223;
    switch ((state >> 24) % 6) {
      case 0:
        sum += <f64>(state & 255);
        break;
      case 1:
        sum *= 0.75;
      case 2:
        count += 1.5;
        break;
      case 3:
        if (sum > 1000) return sum / count;
        sum = sum * 1.125 + 3;
        break;
      case 4:
        continue;
      default:
        sum -= <f64>count;
    }
    if (<i64>sum % 11 == 10) state ^= <u32>(<u64>sum >> 3);
  }
  return sum * count;
}

export function sorted(seed: u32, length: u32): u32 {
  const values: usize = 64;
  for (let i: u32 = 0; i < length; i++) {
    seed = seed * 1103515245 + 12345;
    store<u16>(values + 2 * i, <u16>(seed >> 16));
  }
  for (let i: u32 = 1; i < length; i++) {
    const value = load<u16>(values + 2 * i);
    let at = i;
    while (at > 0) {
      const before = load<u16>(values + 2 * (at - 1));
      if (before <= value) break;
      store<u16>(values + 2 * at, before);
      at--;
    }
    store<u16>(values + 2 * at, value);
  }
  let hash: u32 = 0;
  for (let i: u32 = 0; i < length; i++) hash = hash * 31 + load<u16>(values + 2 * i);
  return hash;
}

let kept: u32 = 1;

export function keep(value: u32): void {
  if (value % 3 == 0) return;
  for (let i: u32 = 0; i < value % 17; i++) {
    kept = kept * 33 + i;
    if (kept % 5 == 1) return;
    if (kept % 5 == 2) {
      kept += value;
      continue;
    }
    kept ^= value >> (i & 7);
  }
  kept++;
}

export function whatWasKept(): u32 {
  return kept;
}
