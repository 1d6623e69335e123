import type { Usage } from '../credits/usage.ts';
import type { Batch } from './batch.ts';
import type { FileOutcome, FileRecord } from './outcome.ts';

/**
 * `running`: files are worked on. `settling`: every file has its outcome, which is not charged yet. `done`: charged. `void`: given up,
 * nothing charged.
 */
export type BatchState = 'running' | 'settling' | 'done' | 'void';

/** A batch as its object keeps it. */
export interface BatchRecord {
  readonly batch: Batch;
  readonly state: BatchState;
  /** ms since the epoch. */
  readonly createdAt: number;
  /** Times that the object began to work on it: it may be reset in the middle. */
  readonly starts: number;
  readonly files: readonly FileRecord[];
  /** The files that an earlier request under the same Idempotency-Key has done: they are not charged again. */
  readonly inherited: readonly number[];
  /** That earlier request, where there is one. */
  readonly resumes?: string;
  /** The account's usage when it was settled. */
  readonly usage?: Usage;
}

type Head = Omit<BatchRecord, 'files'>;

/** The rows in which a batch's object keeps it: one for the batch, one for each file that has begun or ended. */
export class BatchJournal {
  readonly #storage: DurableObjectStorage;
  #head: Head | undefined;
  readonly #files = new Map<number, FileRecord>();

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
    const { sql } = storage;
    // Whoever asks for an id that never was makes an object of that name: nothing may be stored for it.
    if (sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'batch'").toArray().length === 0) return;
    for (const { head } of sql.exec<{ head: string }>('SELECT head FROM batch')) this.#head = JSON.parse(head) as Head;
    for (const { place, record } of sql.exec<{ place: number; record: string }>('SELECT * FROM files')) {
      this.#files.set(place, JSON.parse(record) as FileRecord);
    }
  }

  /** What is known; undefined before `begin`. */
  get record(): BatchRecord | undefined {
    if (this.#head === undefined) return undefined;
    const files = [...this.#files].sort(([a], [b]) => a - b).map(([, file]) => file);
    return { ...this.#head, files };
  }

  begin(record: BatchRecord): void {
    const { files, ...head } = record;
    const { sql } = this.#storage;
    this.#storage.transactionSync(() => {
      sql.exec('CREATE TABLE IF NOT EXISTS batch (id INTEGER PRIMARY KEY CHECK (id = 1), head TEXT NOT NULL) STRICT');
      sql.exec('CREATE TABLE IF NOT EXISTS files (place INTEGER PRIMARY KEY, record TEXT NOT NULL) STRICT');
      this.#write(head);
      for (const [place, file] of files.entries()) this.#writeFile(place, file);
    });
  }

  /** Removes everything, and the object's alarm with it. */
  async forget(): Promise<void> {
    this.#head = undefined;
    this.#files.clear();
    await this.#storage.deleteAll();
  }

  change(change: Partial<Pick<Head, 'state' | 'starts' | 'usage'>>): void {
    this.#write({ ...this.#head!, ...change });
  }

  /** In memory only: after a reset it is queued again. */
  running(index: number): void {
    const [place, file] = this.#find(index);
    if (file.outcome === undefined) this.#files.set(place, { ...file, state: 'running' });
  }

  ended(index: number, outcome: FileOutcome): void {
    const [place, file] = this.#find(index);
    this.#writeFile(place, { ...file, state: outcome.kind === 'done' ? 'done' : 'failed', outcome });
  }

  #find(index: number): [place: number, file: FileRecord] {
    for (const entry of this.#files) if (entry[1].index === index) return entry;
    throw new RangeError(`a batch without file ${index}`);
  }

  #write(head: Head): void {
    this.#head = head;
    this.#storage.sql.exec('INSERT OR REPLACE INTO batch VALUES (1, ?)', JSON.stringify(head));
  }

  #writeFile(place: number, file: FileRecord): void {
    this.#files.set(place, file);
    this.#storage.sql.exec('INSERT OR REPLACE INTO files VALUES (?, ?)', place, JSON.stringify(file));
  }
}
