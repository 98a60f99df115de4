-- Each change of the master key that whoever runs the service has started: the last one counts.
CREATE TABLE key_rotations (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  -- The master key that everything is to be sealed with, by its public name.
  key_id TEXT NOT NULL,
  started_by TEXT NOT NULL,
  request_id TEXT NOT NULL,
  started_at INTEGER NOT NULL
) STRICT;

-- How far it is with each company's database, and with this one, whose company is 0.
CREATE TABLE resealings (
  company_id INTEGER PRIMARY KEY,
  rotation_id INTEGER NOT NULL REFERENCES key_rotations (id),
  status TEXT NOT NULL,
  -- Where the look through its columns goes on, as JSON; null at its beginning.
  progress TEXT,
  -- Sealed values found by the look that runs or ended last: {column: {key id: how many}}.
  found TEXT NOT NULL,
  error TEXT,
  due_at INTEGER NOT NULL,
  looked_at INTEGER,
  CONSTRAINT resealing_status CHECK (status IN ('waiting', 'done', 'failed'))
) STRICT;

CREATE INDEX resealings_due ON resealings (due_at) WHERE status <> 'done';
