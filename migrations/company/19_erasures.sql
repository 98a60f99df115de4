-- Erasures of persons who asked for it.

-- Each person is named by a hash only.
CREATE TABLE person_erasures (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  operation TEXT NOT NULL UNIQUE,
  requested_at INTEGER NOT NULL,
  person_hash TEXT NOT NULL,
  reason TEXT,
  -- The number of erased records of each kind, and what is kept and why.
  erased TEXT NOT NULL,
  kept TEXT NOT NULL,
  CONSTRAINT person_erasure_json CHECK (json_valid(erased) AND json_valid(kept))
) STRICT;

CREATE INDEX person_erasures_hash ON person_erasures (person_hash, id);

-- The encrypted key of these hashes: the company's own, so that they stay the same when the master key changes.
CREATE TABLE mark_key (
  id INTEGER PRIMARY KEY,
  sealed TEXT NOT NULL,
  CONSTRAINT one_mark_key CHECK (id = 1)
) STRICT;
