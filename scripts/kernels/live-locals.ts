import type { ControlTree } from './control-tree.ts';
import { type Instruction, leaves, op, type WasmFunction } from './wasm-function.ts';

/** Which locals of a function may still be read, before each of its instructions and behind its last one. */
export class LiveLocals {
  readonly #words: number;
  readonly #bits: Uint32Array;

  /** Goes backwards over the instructions until nothing changes: as often as loops are nested, and once more. */
  constructor(wasmFunction: WasmFunction, { branches, ends }: ControlTree) {
    const { instructions, locals } = wasmFunction;
    this.#words = Math.ceil(locals.length / 32);
    this.#bits = new Uint32Array((instructions.length + 1) * this.#words);
    const jumps = elseJumps(instructions, ends);
    const ways = instructions.map((instruction, at) => {
      const targets = (branches.get(at) ?? []).map(({ target }) => target);
      return [
        ...(instruction.opcode === op.else || leaves(instruction) ? [] : [at + 1]),
        ...(jumps.get(at) ?? []),
        ...targets,
      ];
    });
    while (this.#goBackwards(instructions, ways));
  }

  /** Whether a local may be read before it is set again. @param at the instruction that comes next */
  has(at: number, local: number): boolean {
    return ((this.#bits[at * this.#words + (local >> 5)]! >>> (local & 31)) & 1) === 1;
  }

  /** @param ways where each instruction may go @returns whether anything has changed */
  #goBackwards(instructions: readonly Instruction[], ways: readonly (readonly number[])[]): boolean {
    const live = new Uint32Array(this.#words);
    let changed = false;
    for (let at = instructions.length - 1; at >= 0; at--) {
      const { opcode, index } = instructions[at]!;
      live.fill(0);
      for (const way of ways[at]!) {
        for (let word = 0; word < this.#words; word++) live[word]! |= this.#bits[way * this.#words + word]!;
      }
      if (opcode === op.localGet) live[index >> 5]! |= 1 << (index & 31);
      if (opcode === op.localSet || opcode === op.localTee) live[index >> 5]! &= ~(1 << (index & 31));
      if (this.#replace(at, live)) changed = true;
    }
    return changed;
  }

  #replace(at: number, live: Uint32Array): boolean {
    let changed = false;
    for (let word = 0, place = at * this.#words; word < this.#words; word++, place++) {
      if (this.#bits[place] === live[word]) continue;
      this.#bits[place] = live[word]!;
      changed = true;
    }
    return changed;
  }
}

/** Where an `if` goes when its condition is false, and where an `else` goes that is come upon from above. */
function elseJumps(instructions: readonly Instruction[], ends: ReadonlyMap<number, number>): Map<number, number[]> {
  const jumps = new Map<number, number[]>();
  const elseBefore = new Map<number, number>();
  for (const [at, { opcode }] of instructions.entries()) {
    if (opcode !== op.else) continue;
    jumps.set(at, [ends.get(at)!]);
    elseBefore.set(ends.get(at)!, at + 1);
  }
  for (const [at, { opcode }] of instructions.entries()) {
    if (opcode === op.if) jumps.set(at, [elseBefore.get(ends.get(at)!) ?? ends.get(at)!]);
  }
  return jumps;
}
