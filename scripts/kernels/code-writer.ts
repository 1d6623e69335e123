import type { Label } from './control-tree.ts';
import type { Piece } from './function-pieces.ts';
import { encodeUnsigned } from './wasm-binary.ts';
import { type FunctionType, namesLocal, op, VOID, type WasmFunction } from './wasm-function.ts';
import { push } from './wasm-module.ts';

const I32 = 0x7f;

/** A function that is added to a module. */
export interface AddedFunction {
  readonly type: FunctionType;
  readonly code: Uint8Array;
}

/** Writes the code of a function and of its pieces. */
export class CodeWriter {
  readonly #function: WasmFunction;
  readonly #pieces: ReadonlyMap<number, readonly Piece[]>;
  readonly #add: (piece: AddedFunction) => number;

  constructor(wasmFunction: WasmFunction, pieces: readonly Piece[], add: (piece: AddedFunction) => number) {
    this.#function = wasmFunction;
    this.#pieces = Map.groupBy(pieces, ({ from }) => from);
    this.#add = add;
  }

  whole(): Uint8Array {
    const { type, instructions, locals } = this.#function;
    const scope = new Locals(locals, type.params.length);
    for (const [local] of locals.entries()) scope.of(local);
    const instructionBytes = this.#write(0, instructions.length, scope, undefined);
    return Uint8Array.from([...scope.declarations(), ...instructionBytes]);
  }

  /** Instructions of a function or, where that is given, of a piece, without its own call. */
  #write(from: number, to: number, scope: Locals, within: Piece | undefined): number[] {
    const bytes: number[] = [];
    for (let at = from; at < to; ) {
      const piece = this.#outermost(at, to, within);
      if (piece !== undefined) {
        push(bytes, this.#call(piece, scope));
        at = piece.to;
        continue;
      }
      const instruction = this.#function.instructions[at]!;
      const { opcode, start, end, index } = instruction;
      if (namesLocal(instruction)) push(bytes, [opcode, ...encodeUnsigned(scope.of(index))]);
      else push(bytes, this.#function.code.subarray(start, end));
      at++;
    }
    return bytes;
  }

  /** The longest piece that begins here and is not the one that is being written, nor one around it. */
  #outermost(at: number, to: number, within: Piece | undefined): Piece | undefined {
    const inner = (this.#pieces.get(at) ?? []).filter((piece) => {
      return piece !== within && piece.to <= to && (within === undefined || isInside(piece, within));
    });
    return inner.sort((one, other) => other.to - one.to || one.level - other.level)[0];
  }

  #call(piece: Piece, scope: Locals): number[] {
    const { params, results, exits, level, ends } = piece;
    const bytes = params.flatMap((local) => [op.localGet, ...encodeUnsigned(scope.of(local))]);
    push(bytes, [op.call, ...encodeUnsigned(this.#add(this.#pieceFunction(piece)))]);
    const exit = exits.length > 0 ? encodeUnsigned(scope.exit('called')) : [];
    if (exits.length > 0) push(bytes, [op.localSet, ...exit]);
    for (const local of results.toReversed()) push(bytes, [op.localSet, ...encodeUnsigned(scope.of(local))]);
    for (const [number, label] of exits.entries()) {
      const isThis = [op.localGet, ...exit, op.i32Const, ...encodeSmall(number + 1), op.i32Equal];
      push(bytes, [...isThis, op.brIf, ...encodeUnsigned(depthOf(label, level))]);
    }
    return ends ? [...bytes, op.unreachable] : bytes;
  }

  #pieceFunction(piece: Piece): AddedFunction {
    const { from, to, params, results, exits } = piece;
    const types = this.#function.locals;
    const scope = new Locals(types, params.length);
    for (const local of params) scope.of(local);
    const code = this.#write(from, to, scope, piece);
    const body = exits.length === 0 ? code : withExits(code, piece, scope.exit('own'));
    for (const local of results) push(body, [op.localGet, ...encodeUnsigned(scope.of(local))]);
    if (exits.length > 0) push(body, [op.localGet, ...encodeUnsigned(scope.exit('own'))]);
    const type = {
      params: params.map((local) => types[local]!),
      results: [...results.map((local) => types[local]!), ...(exits.length > 0 ? [I32] : [])],
    };
    return { type, code: Uint8Array.from([...scope.declarations(), ...body, op.end]) };
  }
}

/**
 * Puts blocks around a piece's code, one for each label around it up to the outermost that it branches to, so that its branches stay as
 * they are; behind each block, the exit's number is noted. 0 stays where the code came to its end.
 */
function withExits(code: readonly number[], { exits, level, ends }: Piece, exit: number): number[] {
  const depth = Math.max(...exits.map((label) => depthOf(label, level))) + 1;
  const bytes: number[] = [];
  for (let block = 0; block <= depth; block++) bytes.push(op.block, VOID);
  push(bytes, code);
  if (!ends) push(bytes, [op.br, ...encodeUnsigned(depth)]);
  for (let block = 0; block < depth; block++) {
    bytes.push(op.end);
    const number = exits.findIndex((label) => depthOf(label, level) === block);
    if (number >= 0) push(bytes, [op.i32Const, ...encodeSmall(number + 1), op.localSet, ...encodeUnsigned(exit)]);
    push(bytes, [op.br, ...encodeUnsigned(depth - 1 - block)]);
  }
  return [...bytes, op.end];
}

/** The locals of a function that is being written, by their numbers in the one that it comes from. */
class Locals {
  readonly #types: readonly number[];
  readonly #params: number;
  readonly #numbers = new Map<number, number>();
  readonly #declared: number[] = [];
  readonly #exits = new Map<'own' | 'called', number>();

  /** @param params how many of those that are asked for first are parameters */
  constructor(types: readonly number[], params: number) {
    this.#types = types;
    this.#params = params;
  }

  of(local: number): number {
    const known = this.#numbers.get(local);
    if (known !== undefined) return known;
    const number = this.#declare(this.#types[local]!);
    this.#numbers.set(local, number);
    return number;
  }

  /** The local for the number of the exit that a piece takes itself, or that a piece has taken that it called. */
  exit(whose: 'own' | 'called'): number {
    const known = this.#exits.get(whose);
    if (known !== undefined) return known;
    const number = this.#declare(I32);
    this.#exits.set(whose, number);
    return number;
  }

  /** What stands before the instructions. */
  declarations(): number[] {
    const own = this.#declared.slice(this.#params);
    return [...encodeUnsigned(own.length), ...own.flatMap((type) => [1, type])];
  }

  #declare(type: number): number {
    return this.#declared.push(type) - 1;
  }
}

function depthOf(label: Label, level: number): number {
  return level - 1 - label.level;
}

function isInside(piece: Piece, around: Piece): boolean {
  const within = piece.from >= around.from && piece.to <= around.to;
  const isSame = piece.from === around.from && piece.to === around.to;
  return within && (!isSame || piece.level > around.level);
}

/** A signed LEB128 of a small number that is not negative. */
function encodeSmall(value: number): number[] {
  return value < 64 ? [value] : [(value & 0x7f) | 0x80, value >> 7];
}
