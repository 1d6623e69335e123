-- Sign-in without e-mail: sessions of browsers, one-time invites, when a key was last used, and whose an audit entry is.

CREATE TABLE sessions (
  id TEXT PRIMARY KEY,
  -- SHA-256 of the cookie's value in lower-case hexadecimal; the value itself is stored nowhere.
  hash TEXT NOT NULL UNIQUE,
  -- An owner's session has an account, an operator's the name of a token.
  account_id TEXT REFERENCES accounts (id),
  admin TEXT,
  -- HMAC-SHA-256 of the operator's token under the cookie's value: the session dies when the token changes.
  proof TEXT,
  -- The key that opened it, with which it dies; null where an invite did.
  key_id TEXT,
  created_at INTEGER NOT NULL,
  seen_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  ended_at INTEGER,
  user_agent TEXT,
  CHECK ((account_id IS NULL) <> (admin IS NULL))
) STRICT;

CREATE INDEX sessions_by_account ON sessions (account_id, seen_at) WHERE account_id IS NOT NULL;
CREATE INDEX sessions_by_end ON sessions (expires_at);

CREATE TABLE invites (
  id TEXT PRIMARY KEY,
  -- SHA-256 of the secret in the link.
  hash TEXT NOT NULL UNIQUE,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  -- When it was used, and for which session: the same attempt, repeated, is not a second one.
  used_at INTEGER,
  session_id TEXT
) STRICT;

CREATE INDEX invites_by_account ON invites (account_id);
CREATE INDEX invites_by_end ON invites (expires_at);

ALTER TABLE keys ADD COLUMN last_used_at INTEGER;

-- Whose account an entry is about, so that its owner can be shown it, and who acted: null for an operator.
ALTER TABLE audit ADD COLUMN account_id TEXT;
ALTER TABLE audit ADD COLUMN actor TEXT;
CREATE INDEX audit_by_account ON audit (account_id, id);
UPDATE audit SET account_id = target WHERE target LIKE 'acc\_%' ESCAPE '\';
UPDATE audit SET account_id = (SELECT keys.account_id FROM keys WHERE keys.id = audit.target) WHERE target LIKE 'key\_%' ESCAPE '\';
