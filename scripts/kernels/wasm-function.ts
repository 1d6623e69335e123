import { readSigned, readUnsigned } from './wasm-binary.ts';

/** Opcodes that are looked at (WebAssembly core specification 2.0, 5.4). */
export const op = {
  unreachable: 0x00,
  block: 0x02,
  loop: 0x03,
  if: 0x04,
  else: 0x05,
  end: 0x0b,
  br: 0x0c,
  brIf: 0x0d,
  brTable: 0x0e,
  return: 0x0f,
  call: 0x10,
  callIndirect: 0x11,
  drop: 0x1a,
  select: 0x1b,
  localGet: 0x20,
  localSet: 0x21,
  localTee: 0x22,
  globalGet: 0x23,
  globalSet: 0x24,
  memorySize: 0x3f,
  memoryGrow: 0x40,
  i32Const: 0x41,
  i32Equal: 0x46,
} as const;
/** The type of a block that takes nothing and gives nothing. */
export const VOID = 0x40;

/** An instruction of a function's code, without its operands on the stack. */
export interface Instruction {
  readonly opcode: number;
  /** Bytes in the code. */
  readonly start: number;
  readonly end: number;
  /** What a local's, a global's, a function's or a type's instruction names. */
  readonly index: number;
  /** Labels that a branch may go to: how many blocks out. */
  readonly depths: readonly number[];
  /** `VOID`, or the type of the one value that a block gives. */
  readonly blockType: number;
}

/** A function's type: value types as bytes. */
export interface FunctionType {
  readonly params: readonly number[];
  readonly results: readonly number[];
}

/** A function's code, taken apart. */
export interface WasmFunction {
  readonly type: FunctionType;
  readonly code: Uint8Array;
  /** Types of all locals, the parameters first. */
  readonly locals: readonly number[];
  readonly instructions: readonly Instruction[];
}

/** Takes a function apart. @param code its locals and instructions, without their size @throws Error at an unknown instruction */
export function readFunction(code: Uint8Array, type: FunctionType): WasmFunction {
  const locals = [...type.params];
  let [groups, at] = readUnsigned(code, 0);
  for (; groups > 0; groups--) {
    const [count, typeAt] = readUnsigned(code, at);
    for (let n = 0; n < count; n++) locals.push(code[typeAt]!);
    at = typeAt + 1;
  }
  const instructions: Instruction[] = [];
  while (at < code.length) {
    const instruction = readInstruction(code, at);
    instructions.push(instruction);
    at = instruction.end;
  }
  return { type, code, locals, instructions };
}

const plain = { index: 0, depths: [], blockType: VOID } as const;

/** Instructions of the first version and sign extension, nothing else (clause 5.4 and its tables). */
function readInstruction(code: Uint8Array, start: number): Instruction {
  const opcode = code[start]!;
  const at = start + 1;
  if (opcode === op.block || opcode === op.loop || opcode === op.if) {
    return { ...plain, opcode, start, end: at + 1, blockType: valueTypeAt(code, at) };
  }
  if (opcode === op.br || opcode === op.brIf) {
    const [depth, end] = readUnsigned(code, at);
    return { ...plain, opcode, start, end, depths: [depth] };
  }
  if (opcode === op.brTable) return readBranchTable(code, start);
  if (opcode === op.call || (opcode >= op.localGet && opcode <= op.globalSet)) {
    const [index, end] = readUnsigned(code, at);
    return { ...plain, opcode, start, end, index };
  }
  if (opcode === op.callIndirect) {
    const [index, table] = readUnsigned(code, at);
    return { ...plain, opcode, start, end: readUnsigned(code, table)[1], index };
  }
  return { ...plain, opcode, start, end: immediateEnd(code, opcode, at) };
}

function valueTypeAt(code: Uint8Array, at: number): number {
  const type = code[at]!;
  if (type === VOID || (type >= 0x7c && type <= 0x7f)) return type;
  throw new Error('a block whose type is not one value or none');
}

function readBranchTable(code: Uint8Array, start: number): Instruction {
  let [count, at] = readUnsigned(code, start + 1);
  const depths: number[] = [];
  for (count++; count > 0; count--) {
    const [depth, next] = readUnsigned(code, at);
    depths.push(depth);
    at = next;
  }
  return { ...plain, opcode: op.brTable, start, end: at, depths };
}

function immediateEnd(code: Uint8Array, opcode: number, at: number): number {
  if (opcode === op.memorySize || opcode === op.memoryGrow) return at + 1;
  if (opcode >= 0x28 && opcode <= 0x3e) return readUnsigned(code, readUnsigned(code, at)[1])[1];
  if (opcode === op.i32Const || opcode === 0x42) return readSigned(code, at)[1];
  if (opcode === 0x43) return at + 4;
  if (opcode === 0x44) return at + 8;
  const isPlain = opcode <= 0x01 || opcode === op.else || opcode === op.end || opcode === op.return;
  if (isPlain || opcode === op.drop || opcode === op.select || (opcode >= 0x45 && opcode <= 0xc4)) return at;
  throw new Error(`an unknown instruction: 0x${opcode.toString(16)}`);
}

/** Whether it reads or sets the local that its index names. */
export function namesLocal({ opcode }: Instruction): boolean {
  return opcode === op.localGet || opcode === op.localSet || opcode === op.localTee;
}

/** Whether it never goes on to the next instruction. */
export function leaves({ opcode }: Instruction): boolean {
  return opcode === op.br || opcode === op.brTable || opcode === op.return || opcode === op.unreachable;
}

/** How many operands an instruction takes from the stack and how many it leaves, blocks and branches aside. */
export function stackChange({ opcode }: Instruction): number {
  if (opcode === op.drop || opcode === op.localSet || opcode === op.globalSet) return -1;
  if (opcode === op.localGet || opcode === op.globalGet || opcode === op.memorySize) return 1;
  if (opcode === op.select) return -2;
  if (opcode >= 0x36 && opcode <= 0x3e) return -2;
  if (opcode >= 0x41 && opcode <= 0x44) return 1;
  return isBinary(opcode) ? -1 : 0;
}

/** Comparisons and arithmetic of two operands (clause 5.4.7). */
function isBinary(opcode: number): boolean {
  return (
    (opcode >= 0x46 && opcode <= 0x4f) ||
    (opcode >= 0x51 && opcode <= 0x66) ||
    (opcode >= 0x6a && opcode <= 0x78) ||
    (opcode >= 0x7c && opcode <= 0x8a) ||
    (opcode >= 0x92 && opcode <= 0x98) ||
    (opcode >= 0xa0 && opcode <= 0xa6)
  );
}
