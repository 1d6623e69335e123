import type { ControlTree, Label, Sequence, Statement } from './control-tree.ts';
import { LiveLocals } from './live-locals.ts';
import { namesLocal, op, type WasmFunction } from './wasm-function.ts';

/** Whole statements of a function that can be a function of their own. */
export interface Piece {
  /** Instructions. */
  readonly from: number;
  readonly to: number;
  /** Locals that it reads before it sets them. */
  readonly params: readonly number[];
  /** Locals that it sets and that are read behind it. */
  readonly results: readonly number[];
  /** Labels around it that it branches to. */
  readonly exits: readonly Label[];
  /** Labels around it. */
  readonly level: number;
  /** Never goes on behind its last statement. */
  readonly ends: boolean;
}

/** Locals that are handed over at a call, at most: more cost more than they save. */
const MOST_VALUES = 60;

/**
 * Finds pieces of at least `bytes` of code, inner ones first, so that what is left of the pieces around them and of the function is
 * small. Of the places where a piece may end, it ends where it has the fewest values to hand over.
 */
export function functionPieces(wasmFunction: WasmFunction, tree: ControlTree, bytes: number): Piece[] {
  const finder = new PieceFinder(wasmFunction, tree, bytes);
  finder.visit(tree.root);
  return finder.pieces;
}

class PieceFinder {
  readonly pieces: Piece[] = [];
  readonly #function: WasmFunction;
  readonly #branches: ControlTree['branches'];
  readonly #live: LiveLocals;
  readonly #bytes: number;

  constructor(wasmFunction: WasmFunction, tree: ControlTree, bytes: number) {
    this.#function = wasmFunction;
    this.#branches = tree.branches;
    this.#live = new LiveLocals(wasmFunction, tree);
    this.#bytes = bytes;
  }

  /** @returns bytes of code that are left of a sequence */
  visit(sequence: Sequence): number {
    const sizes = sequence.statements.map((statement) => this.#visitStatement(statement));
    for (let first = 0; first < sizes.length; ) {
      const found = this.#bestFrom(first, sequence, sizes);
      if (found === undefined) {
        first++;
        continue;
      }
      this.pieces.push(found.piece);
      sizes.fill(0, first, found.end);
      sizes[first] = callBytes(found.piece);
      first = found.end;
    }
    return sizes.reduce((sum, size) => sum + size, 0);
  }

  #visitStatement({ from, to, sequences }: Statement): number {
    const { instructions } = this.#function;
    const all = instructions[to - 1]!.end - instructions[from]!.start;
    return sequences.reduce((size, inner) => size - this.#codeBytes(inner) + this.visit(inner), all);
  }

  #codeBytes({ statements }: Sequence): number {
    const { instructions } = this.#function;
    const [first, last] = [statements[0], statements.at(-1)];
    return first === undefined || last === undefined
      ? 0
      : instructions[last.to - 1]!.end - instructions[first.from]!.start;
  }

  #bestFrom(first: number, { statements, labels }: Sequence, sizes: readonly number[]) {
    const run = new StatementRun(this.#function, this.#branches, labels.length);
    let best: { readonly piece: Piece; readonly end: number } | undefined;
    let size = 0;
    for (let end = first; end < statements.length && (size < 2 * this.#bytes || best === undefined); end++) {
      if (!run.add(statements[end]!)) break;
      size += sizes[end]!;
      if (size < this.#bytes) continue;
      const piece = run.piece(this.#live);
      if (valuesOf(piece) > MOST_VALUES) continue;
      if (best === undefined || valuesOf(piece) < valuesOf(best.piece)) best = { piece, end: end + 1 };
    }
    return best;
  }
}

/** Statements that follow one another, and what they have to do with what is around them. */
class StatementRun {
  readonly #function: WasmFunction;
  readonly #branches: ControlTree['branches'];
  readonly #level: number;
  readonly #named = new Set<number>();
  readonly #set = new Set<number>();
  readonly #exits = new Set<Label>();
  #first: Statement | undefined;
  #last: Statement | undefined;

  /** @param level labels around it */
  constructor(wasmFunction: WasmFunction, branches: ControlTree['branches'], level: number) {
    this.#function = wasmFunction;
    this.#branches = branches;
    this.#level = level;
  }

  /** @returns false where the statement cannot be moved to another function: it returns, or takes a value out */
  add(statement: Statement): boolean {
    if (!statement.isWhole) return false;
    for (let at = statement.from; at < statement.to; at++) if (!this.#addInstruction(at)) return false;
    this.#first ??= statement;
    this.#last = statement;
    return true;
  }

  #addInstruction(at: number): boolean {
    const instruction = this.#function.instructions[at]!;
    const { opcode, index } = instruction;
    if (opcode === op.return) return false;
    if (namesLocal(instruction)) this.#named.add(index);
    if (namesLocal(instruction) && opcode !== op.localGet) this.#set.add(index);
    for (const label of this.#branches.get(at) ?? []) {
      if (label.level >= this.#level) continue;
      if (!label.isVoid) return false;
      this.#exits.add(label);
    }
    return true;
  }

  /** What was added, as a piece. */
  piece(live: LiveLocals): Piece {
    const [{ from }, { to, ends }] = [this.#first!, this.#last!];
    const exits = [...this.#exits].sort((one, other) => other.level - one.level);
    const ways = exits.map(({ target }) => target).concat(ends ? [] : [to]);
    const results = [...this.#set].filter((local) => ways.some((at) => live.has(at, local)));
    const params = [...this.#named].filter((local) => live.has(from, local));
    return {
      from,
      to,
      params: params.sort(ascending),
      results: results.sort(ascending),
      exits,
      level: this.#level,
      ends,
    };
  }
}

function valuesOf({ params, results, exits }: Piece): number {
  return params.length + results.length + 3 * exits.length;
}

/** About how long a call of a piece is. */
function callBytes(piece: Piece): number {
  return 4 + 2 * valuesOf(piece);
}

function ascending(one: number, other: number): number {
  return one - other;
}
