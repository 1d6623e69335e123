import type { FaultSchedule } from './fault-schedule.ts';
import { type CallingObject, inject } from './inject.ts';
import { d1Failure, d1Overloaded } from './platform-errors.ts';

type Session = Pick<D1Database, 'prepare' | 'batch'>;

/** A database whose queries go wrong by a schedule; what is only prepared cannot. */
export function faultyDatabase(database: D1Database, schedule: FaultSchedule, caller?: CallingObject): D1Database {
  const calls = new DatabaseCalls(schedule, caller);
  const faulty = {
    ...calls.session(database),
    exec: (query: string) => calls.make('exec', () => database.exec(query)),
    withSession: (start?: string) => {
      const session = database.withSession(start);
      return { ...calls.session(session), getBookmark: () => session.getBookmark() };
    },
  };
  return faulty as unknown as D1Database;
}

class DatabaseCalls {
  readonly #schedule: FaultSchedule;
  readonly #caller: CallingObject | undefined;
  /** The real statement of each that was handed out: a batch needs them. */
  readonly #real = new WeakMap<object, D1PreparedStatement>();

  constructor(schedule: FaultSchedule, caller: CallingObject | undefined) {
    this.#schedule = schedule;
    this.#caller = caller;
  }

  session(real: Session): Session {
    return {
      prepare: (query) => this.#statement(real.prepare(query)),
      batch: <T>(statements: D1PreparedStatement[]) => {
        const unwrapped = statements.map((statement) => this.#real.get(statement) ?? statement);
        return this.make('batch', () => real.batch<T>(unwrapped));
      },
    };
  }

  make<Result>(method: string, work: () => Promise<Result>): Promise<Result> {
    return inject(this.#schedule, {
      kind: `d1.${method}`,
      work,
      canRepeat: true,
      caller: this.#caller,
      failure: () => d1Failure((limit) => this.#schedule.pick(limit)),
      overloaded: d1Overloaded,
    });
  }

  #statement(real: D1PreparedStatement): D1PreparedStatement {
    const query = (method: 'first' | 'run' | 'all' | 'raw') => {
      return (...args: unknown[]) => this.make(method, () => Reflect.apply(real[method], real, args));
    };
    const faulty = {
      bind: (...values: unknown[]) => this.#statement(real.bind(...values)),
      ...{ first: query('first'), run: query('run'), all: query('all'), raw: query('raw') },
    } as unknown as D1PreparedStatement;
    this.#real.set(faulty, real);
    return faulty;
  }
}
