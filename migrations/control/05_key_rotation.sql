-- Changes of the master key.

-- Each change that the operator has started; the last one counts.
CREATE TABLE key_rotations (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  -- The public name of the new master key.
  key_id TEXT NOT NULL,
  started_by TEXT NOT NULL,
  request_id TEXT NOT NULL,
  started_at INTEGER NOT NULL
) STRICT;

-- The progress in each company's database, and in this one, whose company is 0.
CREATE TABLE resealings (
  company_id INTEGER PRIMARY KEY,
  rotation_id INTEGER NOT NULL REFERENCES key_rotations (id),
  status TEXT NOT NULL,
  -- Where the pass through its columns continues, as JSON; null at its beginning.
  progress TEXT,
  -- Encrypted values found by the present or last pass: {column: {key id: how many}}.
  found TEXT NOT NULL,
  error TEXT,
  due_at INTEGER NOT NULL,
  looked_at INTEGER,
  CONSTRAINT resealing_status CHECK (status IN ('waiting', 'done', 'failed'))
) STRICT;

CREATE INDEX resealings_due ON resealings (due_at) WHERE status <> 'done';
