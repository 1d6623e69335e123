import {
  type FunctionType,
  type Instruction,
  leaves,
  op,
  stackChange,
  VOID,
  type WasmFunction,
} from './wasm-function.ts';

/** Where branches go to: behind a block, or to a loop's beginning. */
export interface Label {
  /** How many labels are around it. */
  readonly level: number;
  /** The instruction that follows after a branch; the number of instructions where the function ends. */
  readonly target: number;
  /** Whether a branch takes no value along. */
  readonly isVoid: boolean;
}

/** Instructions that leave the stack as it was, or a sequence's last ones, which leave its value. */
export interface Statement {
  /** Instructions. */
  readonly from: number;
  readonly to: number;
  readonly sequences: readonly Sequence[];
  /** Leaves the stack as it was. */
  readonly isWhole: boolean;
  /** Nothing behind it in its sequence is ever reached. */
  readonly ends: boolean;
}

/** What stands between a block and its end. */
export interface Sequence {
  readonly statements: readonly Statement[];
  /** Labels around it, the function's first. */
  readonly labels: readonly Label[];
}

/** A function's statements, blocks within blocks, and where its instructions branch to. */
export interface ControlTree {
  readonly root: Sequence;
  readonly branches: ReadonlyMap<number, readonly Label[]>;
  /** For every instruction that begins a block, and for every `else`: where the block's end is. */
  readonly ends: ReadonlyMap<number, number>;
}

/** Types that calls are known by. */
export interface CallTypes {
  /** Of every function of the module. */
  readonly functions: readonly FunctionType[];
  /** All of the module. */
  readonly types: readonly FunctionType[];
}

/** Takes a function's control structure apart (WebAssembly core specification 2.0, clause 3.4). */
export function controlTree(wasmFunction: WasmFunction, calls: CallTypes): ControlTree {
  const builder = new TreeBuilder(wasmFunction, calls);
  return { root: builder.build(), branches: builder.branches, ends: builder.ends };
}

class TreeBuilder {
  readonly branches = new Map<number, readonly Label[]>();
  readonly ends: ReadonlyMap<number, number>;
  readonly #function: WasmFunction;
  readonly #calls: CallTypes;
  #at = 0;

  constructor(wasmFunction: WasmFunction, calls: CallTypes) {
    this.#function = wasmFunction;
    this.#calls = calls;
    this.ends = blockEnds(wasmFunction.instructions);
  }

  build(): Sequence {
    const { type, instructions } = this.#function;
    return this.#sequence([{ level: 0, target: instructions.length, isVoid: type.results.length === 0 }]);
  }

  /** Leaves `#at` at the sequence's `else` or `end`. */
  #sequence(labels: readonly Label[]): Sequence {
    const statements: Statement[] = [];
    while (!this.#isOver()) statements.push(this.#statement(labels));
    return { statements, labels };
  }

  #isOver(): boolean {
    const { opcode } = this.#next();
    return opcode === op.end || opcode === op.else;
  }

  #statement(labels: readonly Label[]): Statement {
    const from = this.#at;
    const sequences: Sequence[] = [];
    let height = 0;
    do {
      const instruction = this.#next();
      if (leaves(instruction)) {
        this.#noteBranches(labels);
        this.#at++;
        const isWhole = this.#isOver();
        while (!this.#isOver()) this.#skip(labels);
        return { from, to: this.#at, sequences, isWhole, ends: true };
      }
      height += this.#isBlock() ? this.#block(labels, sequences) : this.#plain(labels);
    } while (height !== 0 && !this.#isOver());
    return { from, to: this.#at, sequences, isWhole: height === 0, ends: false };
  }

  /** Code that is never reached. */
  #skip(labels: readonly Label[]): void {
    if (this.#isBlock()) this.#block(labels, []);
    else this.#plain(labels);
  }

  /** @returns how the stack's height changes */
  #plain(labels: readonly Label[]): number {
    const instruction = this.#next();
    this.#noteBranches(labels);
    this.#at++;
    if (instruction.opcode === op.brIf) return -1;
    if (instruction.opcode === op.call) return callChange(this.#calls.functions[instruction.index]!);
    if (instruction.opcode === op.callIndirect) return callChange(this.#calls.types[instruction.index]!) - 1;
    return stackChange(instruction);
  }

  #block(labels: readonly Label[], sequences: Sequence[]): number {
    const start = this.#at++;
    const { opcode, blockType } = this.#function.instructions[start]!;
    const isLoop = opcode === op.loop;
    const label = {
      level: labels.length,
      target: isLoop ? start : this.ends.get(start)!,
      isVoid: isLoop || blockType === VOID,
    };
    sequences.push(this.#sequence([...labels, label]));
    if (this.#next().opcode === op.else) {
      this.#at++;
      sequences.push(this.#sequence([...labels, label]));
    }
    this.#at++;
    return (opcode === op.if ? -1 : 0) + (blockType === VOID ? 0 : 1);
  }

  #isBlock(): boolean {
    return beginsBlock(this.#next());
  }

  #next(): Instruction {
    return this.#function.instructions[this.#at]!;
  }

  #noteBranches(labels: readonly Label[]): void {
    const { depths } = this.#next();
    if (depths.length === 0) return;
    const targets = new Set(depths.map((depth) => labels[labels.length - 1 - depth]!));
    this.branches.set(this.#at, [...targets]);
  }
}

function beginsBlock({ opcode }: Instruction): boolean {
  return opcode === op.block || opcode === op.loop || opcode === op.if;
}

function callChange({ params, results }: FunctionType): number {
  return results.length - params.length;
}

function blockEnds(instructions: readonly Instruction[]): Map<number, number> {
  const ends = new Map<number, number>();
  const open: { readonly starts: number[] }[] = [];
  for (const [at, instruction] of instructions.entries()) {
    if (beginsBlock(instruction)) open.push({ starts: [at] });
    else if (instruction.opcode === op.else) open.at(-1)!.starts.push(at);
    else if (instruction.opcode === op.end) for (const start of open.pop()?.starts ?? []) ends.set(start, at);
  }
  return ends;
}
