-- Accounts and their keys. Times are milliseconds since the epoch. What was released is never edited: a change is a new file.

CREATE TABLE accounts (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  -- A name of the price table in src/credits/plans.ts; not listed here, so that the table stays the one place.
  plan TEXT NOT NULL,
  suspended INTEGER NOT NULL DEFAULT 0 CHECK (suspended IN (0, 1)),
  created_at INTEGER NOT NULL
) STRICT;

CREATE INDEX accounts_by_age ON accounts (created_at, id);

CREATE TABLE keys (
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  -- SHA-256 of the key in lower-case hexadecimal; the key itself is stored nowhere.
  hash TEXT NOT NULL UNIQUE,
  prefix TEXT NOT NULL,
  label TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('api', 'app')),
  created_at INTEGER NOT NULL,
  expires_at INTEGER,
  revoked_at INTEGER
) STRICT;

CREATE INDEX keys_by_account ON keys (account_id, created_at, id);
