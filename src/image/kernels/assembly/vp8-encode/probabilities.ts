import {
  BANDS,
  BIT_COSTS,
  COSTS,
  COSTS_OF_CONTEXT,
  COSTS_OF_POSITION,
  COSTS_OF_TYPE,
  COUNTS,
  DEFAULT_PROBABILITIES,
  END_COST,
  PROBABILITIES,
  UPDATE_PROBABILITIES,
} from './encoder';

/** Tokens as they are counted: 0, 1, 2, 3, 4, six categories, end. */
export const END_TOKEN: i32 = 11;
const TOKEN_COUNT: usize = 12;

@inline
export function countsOf(e: usize, type: i32, band: i32, context: i32): usize {
  return e + COUNTS + <usize>((type * 8 + band) * 3 + context) * (TOKEN_COUNT * 4);
}

@inline
function count(counts: usize, token: usize): u32 {
  return load<u32>(counts + (token << 2));
}

/** Cost of `zeros` and `ones` with a probability, in 1/256 bit. */
@inline
function costOf(e: usize, probability: u32, zeros: u32, ones: u32): u64 {
  return (
    <u64>zeros * <u64>load<u16>(e + BIT_COSTS + (<usize>probability << 1)) +
    <u64>ones * <u64>load<u16>(e + BIT_COSTS + (<usize>(256 - probability) << 1))
  );
}

/** How often each node of the token tree (RFC 6386 §13.2) went left; right is what remains of `total`. */
@inline
function decideNode(e: usize, row: usize, node: usize, zeros: u32, ones: u32): void {
  const at = row + node;
  const standard = <u32>load<u8>(e + DEFAULT_PROBABILITIES + at);
  let chosen = standard;
  const total = zeros + ones;
  if (total > 0) {
    const fitting = max<u32>(1, min<u32>(255, <u32>((<u64>zeros * 256 + (total >> 1)) / total)));
    const update = <u32>load<u8>(e + UPDATE_PROBABILITIES + at);
    const kept = costOf(e, standard, zeros, ones) + costOf(e, update, 1, 0);
    const changed = costOf(e, fitting, zeros, ones) + costOf(e, update, 0, 1) + 8 * 256;
    if (changed < kept) chosen = fitting;
  }
  store<u8>(e + PROBABILITIES + at, chosen);
}

/** Chooses the coefficient probabilities that cost the least for the tokens counted so far, their own coding included. */
export function fitProbabilities(e: usize): void {
  for (let index: usize = 0; index < 96; index++) {
    const t = e + COUNTS + index * (TOKEN_COUNT * 4);
    const row = index * 11;
    const type = index / 24;
    const band = (index / 3) & 7;
    const context = index % 3;
    const large1 = count(t, 5) + count(t, 6);
    const large2 = count(t, 7) + count(t, 8);
    const large3 = count(t, 9) + count(t, 10);
    const categories = large1 + large2 + large3;
    const few = count(t, 3) + count(t, 4);
    const more = count(t, 2) + few + categories;
    const notZero = count(t, 1) + more;
    const all = count(t, 0) + notZero;
    // Behind a zero there is no end; the first position has a band of its own.
    const endPossible = context != 0 || band == (type == 0 ? 1 : 0);
    decideNode(e, row, 0, count(t, 11), endPossible ? all : 0);
    decideNode(e, row, 1, count(t, 0), notZero);
    decideNode(e, row, 2, count(t, 1), more);
    decideNode(e, row, 3, count(t, 2) + few, categories);
    decideNode(e, row, 4, count(t, 2), few);
    decideNode(e, row, 5, count(t, 3), count(t, 4));
    decideNode(e, row, 6, large1, large2 + large3);
    decideNode(e, row, 7, count(t, 5), count(t, 6));
    decideNode(e, row, 8, large2, large3);
    decideNode(e, row, 9, count(t, 7), count(t, 8));
    decideNode(e, row, 10, count(t, 9), count(t, 10));
  }
}

@inline
function bit(e: usize, probabilities: usize, node: usize, value: u32): i32 {
  const p = <usize>load<u8>(probabilities + node);
  return <i32>load<u16>(e + BIT_COSTS + ((value ? 256 - p : p) << 1));
}

/** Tables the costs of levels with the present probabilities: for each type, position and context. */
export function tableCosts(e: usize): void {
  for (let type: usize = 0; type < 4; type++) {
    for (let n: usize = 0; n < 16; n++) {
      const band = <usize>load<u8>(e + BANDS + n);
      // Positions 7–14 share a band with 4 (§13.3).
      const to = e + COSTS + type * COSTS_OF_TYPE + n * COSTS_OF_POSITION;
      if (n > 6 && n < 15) {
        memory.copy(to, e + COSTS + type * COSTS_OF_TYPE + 4 * COSTS_OF_POSITION, COSTS_OF_POSITION);
        continue;
      }
      for (let context: usize = 0; context < 3; context++) {
        const endPossible = context != 0 || n == (type == 0 ? 1 : 0);
        tableRow(e, e + PROBABILITIES + ((type * 8 + band) * 3 + context) * 11, to + context * COSTS_OF_CONTEXT, endPossible);
      }
    }
  }
}

/** Categories' extra bits cost about what they are long; one more bit is the sign. */
function tableRow(e: usize, p: usize, to: usize, endPossible: bool): void {
  store<u16>(to, bit(e, p, 0, 0), END_COST);
  const start = endPossible ? bit(e, p, 0, 1) : 0;
  store<u16>(to, start + bit(e, p, 1, 0));
  const some = start + bit(e, p, 1, 1) + 256;
  store<u16>(to, some + bit(e, p, 2, 0), 2);
  const more = some + bit(e, p, 2, 1);
  const few = more + bit(e, p, 3, 0);
  store<u16>(to, few + bit(e, p, 4, 0), 4);
  store<u16>(to, few + bit(e, p, 4, 1) + bit(e, p, 5, 0), 6);
  store<u16>(to, few + bit(e, p, 4, 1) + bit(e, p, 5, 1), 8);
  const many = more + bit(e, p, 3, 1);
  const small = many + bit(e, p, 6, 0);
  const large = many + bit(e, p, 6, 1);
  fill(to, 5, 6, small + bit(e, p, 7, 0) + 250);
  fill(to, 7, 10, small + bit(e, p, 7, 1) + 490);
  fill(to, 11, 18, large + bit(e, p, 8, 0) + bit(e, p, 9, 0) + 720);
  fill(to, 19, 34, large + bit(e, p, 8, 0) + bit(e, p, 9, 1) + 950);
  fill(to, 35, 66, large + bit(e, p, 8, 1) + bit(e, p, 10, 0) + 1180);
  fill(to, 67, 67, large + bit(e, p, 8, 1) + bit(e, p, 10, 1));
}

function fill(to: usize, from: usize, through: usize, cost: i32): void {
  for (let level = from; level <= through; level++) store<u16>(to + (level << 1), cost);
}
