import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { AccountLedger, type ReserveRequest } from '../../src/credits/ledger.ts';

/** So far ahead that no alarm that a test sets runs by itself. */
export const benchStart = Date.UTC(2100, 10, 21, 12);

/** What storage was written: rows of tables and indexes as the platform counts them, and alarms set, which cost a row each. */
export interface Written {
  rows: number;
  alarms: number;
}

/** A ledger over an object's real storage whose clock the test sets; `restart` forgets everything that is not stored. */
export class LedgerBench {
  now = benchStart;
  readonly written: Written = { rows: 0, alarms: 0 };
  ledger!: AccountLedger;
  readonly #state: DurableObjectState;

  constructor(state: DurableObjectState) {
    this.#state = state;
    this.restart();
    count(state, this.written);
  }

  restart(): void {
    this.ledger = new AccountLedger(this.#state, { RESERVATION_TTL_SECONDS: '1800' }, () => this.now);
  }

  rows(table: string): number {
    return this.#state.storage.sql.exec<{ n: number }>(`SELECT COUNT(*) AS n FROM ${table}`).one().n;
  }

  /** As if the schema's steps from `first` on had not been applied yet. */
  forgetSteps(first: number, undo: string): void {
    this.#state.storage.sql.exec(undo);
    this.#state.storage.sql.exec('DELETE FROM schema_steps WHERE step >= ?', first);
  }

  reserve(requestId: string, ask: Partial<ReserveRequest> = {}) {
    return this.ledger.reserve({ requestId, plan: 'free', compressions: 1, aiCredits: 0, ...ask });
  }

  /** Reserves, and settles with one file that failed. */
  async fail(requestId: string, failedCpuSeconds: number): Promise<void> {
    await this.reserve(requestId);
    await this.ledger.settle(requestId, { compressions: 0, aiCredits: 0, failedCpuSeconds, complete: true });
  }
}

export function onLedgerBench(work: (bench: LedgerBench) => Promise<void>): Promise<void> {
  const stub = env.LEDGER.get(env.LEDGER.newUniqueId());
  return runInDurableObject(stub, (_instance, state) => work(new LedgerBench(state)));
}

/** Counts what is written to the object's storage from now on. The ledger wants the real state, so its methods are wrapped in place. */
function count({ storage }: DurableObjectState, written: Written): void {
  const { sql } = storage;
  const exec = sql.exec.bind(sql);
  const setAlarm = storage.setAlarm.bind(storage);
  const counting: SqlStorage['exec'] = (query, ...bindings) => {
    const cursor = exec(query, ...bindings);
    written.rows += cursor.rowsWritten;
    return cursor as never;
  };
  Object.defineProperty(sql, 'exec', { value: counting });
  Object.defineProperty(storage, 'setAlarm', {
    value: (time: number) => {
      written.alarms++;
      return setAlarm(time);
    },
  });
}
