-- What administrators did. No names or labels of customers are in it, so that it can stay when an account is erased.

CREATE TABLE audit (
  -- Grows with time and is never used twice: pages go by it.
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at INTEGER NOT NULL,
  -- The name of the administration token.
  admin TEXT NOT NULL,
  action TEXT NOT NULL,
  -- The id of the account or key.
  target TEXT NOT NULL,
  -- JSON object: what was set.
  details TEXT NOT NULL,
  -- The address that the request came from, where the platform tells it.
  address TEXT,
  request_id TEXT NOT NULL,
  UNIQUE (request_id, action, target)
) STRICT;
