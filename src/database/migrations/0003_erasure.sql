-- An erased account keeps its id and its dates, nothing else of it.

ALTER TABLE accounts ADD COLUMN erased_at INTEGER;
