import { type AddedFunction, CodeWriter } from './code-writer.ts';
import { type CallTypes, controlTree } from './control-tree.ts';
import { functionPieces } from './function-pieces.ts';
import { encodeUnsigned, type Section, section } from './wasm-binary.ts';
import { type FunctionType, readFunction } from './wasm-function.ts';
import {
  bodyOf,
  encodeType,
  importedFunctions,
  readCodes,
  readTypes,
  readVector,
  typeIndex,
  vector,
} from './wasm-module.ts';

/** How long a function's code may be, and how long the pieces are that are made of longer ones, in bytes. */
export interface SplitSizes {
  readonly function: number;
  readonly piece: number;
}

/**
 * Cuts long functions into shorter ones. What V8's optimising compiler needs at once grows with the function that it compiles:
 * about 400 bytes for a byte of code, so 23 MB for the longest of libaom, and as much again for each thread that compiles another one.
 * A piece is a function of its own that gets the locals it reads, gives back those it sets, and tells by one more result where
 * to go on. What is computed, and in which order, stays the same.
 * @throws Error at what Emscripten's output without threads, exceptions and vectors does not have
 */
export function splitFunctions(sections: readonly Section[], sizes: SplitSizes): Section[] {
  const types = readTypes(bodyOf(sections, section.type));
  const imported = importedFunctions(bodyOf(sections, section.import));
  const defined = readVector(bodyOf(sections, section.function));
  const functions = [...imported, ...defined].map((type) => types[type]!);
  const splitter = new Splitter({ types, functions }, sizes);
  const codes = readCodes(bodyOf(sections, section.code)).map((code, number) =>
    splitter.split(code, functions[imported.length + number]!),
  );
  const added = splitter.added.map(({ type }) => typeIndex(type, types));
  const allCodes = [...codes, ...splitter.added.map(({ code }) => code)];
  return sections.map((present) => {
    if (present.id === section.type) return { ...present, body: vector(types.map(encodeType)) };
    if (present.id === section.function) {
      return { ...present, body: vector([...defined, ...added].map(encodeUnsigned)) };
    }
    if (present.id !== section.code) return present;
    return { ...present, body: vector(allCodes.map((code) => [...encodeUnsigned(code.length), ...code])) };
  });
}

class Splitter {
  readonly added: AddedFunction[] = [];
  readonly #calls: CallTypes;
  readonly #sizes: SplitSizes;

  constructor(calls: CallTypes, sizes: SplitSizes) {
    this.#calls = calls;
    this.#sizes = sizes;
  }

  /** @returns the function's code, with calls where pieces were */
  split(code: Uint8Array, type: FunctionType): Uint8Array {
    if (code.length <= this.#sizes.function) return code;
    const wasmFunction = readFunction(code, type);
    const pieces = functionPieces(wasmFunction, controlTree(wasmFunction, this.#calls), this.#sizes.piece);
    if (pieces.length === 0) return code;
    return new CodeWriter(wasmFunction, pieces, (piece) => this.#add(piece)).whole();
  }

  #add(piece: AddedFunction): number {
    return this.#calls.functions.length + this.added.push(piece) - 1;
  }
}
