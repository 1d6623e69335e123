/**
 * The tables of one account's ledger, as numbered steps: what was released is never edited, a change is a new step.
 * Times are ms since the epoch. `src/database/README.md` tells who writes what.
 */
const steps = [
  `CREATE TABLE months (
     month TEXT PRIMARY KEY,
     compressions INTEGER NOT NULL CHECK (compressions >= 0),
     ai_credits INTEGER NOT NULL CHECK (ai_credits >= 0)
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE reservations (
     request_id TEXT PRIMARY KEY,
     plan TEXT NOT NULL,
     month TEXT NOT NULL,
     compressions INTEGER NOT NULL CHECK (compressions >= 0),
     ai_monthly INTEGER NOT NULL CHECK (ai_monthly >= 0),
     ai_top_up INTEGER NOT NULL CHECK (ai_top_up >= 0),
     expires_at INTEGER NOT NULL,
     settled_at INTEGER
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX reservations_held ON reservations (expires_at) WHERE settled_at IS NULL;
   CREATE INDEX reservations_settled ON reservations (settled_at) WHERE settled_at IS NOT NULL;
   CREATE TABLE top_up_balance (
     id INTEGER PRIMARY KEY CHECK (id = 1),
     ai_credits INTEGER NOT NULL CHECK (ai_credits >= 0)
   ) STRICT;
   INSERT INTO top_up_balance (id, ai_credits) VALUES (1, 0);
   CREATE TABLE top_ups (
     reference TEXT PRIMARY KEY,
     ai_credits INTEGER NOT NULL CHECK (ai_credits >= 0),
     added_at INTEGER NOT NULL
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE idempotency (
     key TEXT PRIMARY KEY,
     request_id TEXT NOT NULL,
     fingerprint TEXT NOT NULL,
     finished_at INTEGER,
     response TEXT
   ) STRICT;
   CREATE INDEX idempotency_request ON idempotency (request_id);
   CREATE INDEX idempotency_finished ON idempotency (finished_at) WHERE finished_at IS NOT NULL;`,
  // What a batch came to is kept by its own object; here only whether it is worth taking up again.
  `ALTER TABLE idempotency ADD COLUMN complete INTEGER NOT NULL DEFAULT 1;
   CREATE TABLE batches (
     request_id TEXT PRIMARY KEY,
     files INTEGER NOT NULL,
     created_at INTEGER NOT NULL
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX batches_created ON batches (created_at);`,
  // No index on full_at: it would double the rows that a drained bucket writes, and the table has hardly more rows than keys.
  `CREATE TABLE buckets (
     id TEXT PRIMARY KEY,
     tokens REAL NOT NULL,
     at INTEGER NOT NULL,
     full_at INTEGER NOT NULL
   ) STRICT, WITHOUT ROWID;`,
  // The request that the running one takes up: it has the key again when the running one is lost.
  `ALTER TABLE idempotency ADD COLUMN earlier TEXT;
   ALTER TABLE idempotency ADD COLUMN earlier_at INTEGER;`,
  `CREATE TABLE days (
     day TEXT NOT NULL,
     key_id TEXT NOT NULL,
     compressions INTEGER NOT NULL,
     ai_credits INTEGER NOT NULL,
     bytes_in INTEGER NOT NULL,
     bytes_out INTEGER NOT NULL,
     PRIMARY KEY (day, key_id)
   ) STRICT, WITHOUT ROWID;`,
];

/** Brings the tables up to the newest step, each step and its number in one transaction. */
export function migrateLedger(storage: DurableObjectStorage): void {
  storage.sql.exec('CREATE TABLE IF NOT EXISTS schema_steps (step INTEGER PRIMARY KEY) STRICT');
  const { done } = storage.sql.exec<{ done: number }>('SELECT COUNT(*) AS done FROM schema_steps').one();
  for (const [offset, statements] of steps.slice(done).entries()) {
    storage.transactionSync(() => {
      storage.sql.exec(statements);
      storage.sql.exec('INSERT INTO schema_steps (step) VALUES (?)', done + offset + 1);
    });
  }
}
