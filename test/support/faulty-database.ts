/** What happens to every query, until the test says otherwise. `loses the answer`: it is carried out, and then fails. */
export type Fault = 'none' | 'fails' | 'hangs' | 'is overloaded' | 'loses the answer' | 'runs twice';

interface Statement {
  readonly real: D1PreparedStatement;
  bind(...values: unknown[]): Statement;
  first(): Promise<unknown>;
  all(): Promise<unknown>;
  run(): Promise<unknown>;
}

/** A D1 database over a real one whose faults the test sets, and which counts what it is asked. */
export class FaultyDatabase {
  fault: Fault = 'none';
  queries = 0;
  /** Queries that the real database has not answered yet. */
  pending = 0;
  readonly #real: D1Database;

  constructor(real: D1Database) {
    this.#real = real;
  }

  get database(): D1Database {
    const prepare = (query: string) => this.#statement(this.#real.prepare(query));
    const batch = (statements: readonly Statement[]) =>
      this.#carryOut(() => this.#real.batch(statements.map(({ real }) => real)));
    return { prepare, batch } as unknown as D1Database;
  }

  #statement(real: D1PreparedStatement): Statement {
    return {
      real,
      bind: (...values: unknown[]) => this.#statement(real.bind(...values)),
      first: () => this.#carryOut(() => real.first()),
      all: () => this.#carryOut(() => real.all()),
      run: () => this.#carryOut(() => real.run()),
    };
  }

  async #carryOut<Result>(query: () => Promise<Result>): Promise<Result> {
    this.queries++;
    const { fault } = this;
    if (fault === 'fails') throw new Error('D1_ERROR: Network connection lost.');
    if (fault === 'is overloaded') throw new Error('D1_ERROR: D1 DB is overloaded. Too many requests queued.');
    if (fault === 'hangs') return new Promise<Result>(() => {});
    const first = await this.#ask(query);
    if (fault === 'loses the answer') throw new Error('D1_ERROR: Internal error while the answer was sent.');
    return fault === 'runs twice' ? await this.#ask(query) : first;
  }

  async #ask<Result>(query: () => Promise<Result>): Promise<Result> {
    this.pending++;
    try {
      return await query();
    } finally {
      this.pending--;
    }
  }
}
