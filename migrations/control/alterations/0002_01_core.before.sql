-- The tables of the write path, as in a company's database. Times in epoch milliseconds; names of CHECKs and texts of
-- RAISE are problem codes.

-- A call that commits adds its row here, which answers its retries.
CREATE TABLE operations (
  scope TEXT PRIMARY KEY,
  fingerprint TEXT NOT NULL,
  snapshot TEXT,
  -- Of an update: the record as it was, until the snapshot stands.
  before TEXT,
  -- The problem of an operation that was refused while an earlier attempt of it may still commit: the row holds the
  -- primary key against that attempt.
  refused TEXT,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX operations_expires_at ON operations (expires_at);

-- The members that an update changed; the batch's row of the audit log comes next.
CREATE TRIGGER update_names_its_changes AFTER UPDATE OF before ON operations
WHEN OLD.before IS NOT NULL AND NEW.before IS NULL
  AND json_extract(NEW.snapshot, '$.id') IS json_extract(OLD.before, '$.id') BEGIN
  INSERT INTO audit_changes (audit_id, fields)
  SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'audit_log'), 0) + 1, json_group_array(key) FROM (
    SELECT key FROM (
      SELECT key, type, value FROM json_each(NEW.snapshot)
      EXCEPT SELECT key, type, value FROM json_each(OLD.before)
    ) WHERE key NOT IN ('updated_at', 'version') ORDER BY key
  );
END;

-- An insert of a code undoes its batch.
CREATE TABLE refusal (
  code TEXT NOT NULL
) STRICT;

-- Aborts with each code that the service uses.
CREATE TRIGGER refusal_aborts BEFORE INSERT ON refusal BEGIN
  SELECT CASE NEW.code
    WHEN 'not_found' THEN RAISE(ABORT, 'not_found')
    WHEN 'conflict' THEN RAISE(ABORT, 'conflict')
    WHEN 'insufficient_scope' THEN RAISE(ABORT, 'insufficient_scope')
    WHEN 'limit_reached' THEN RAISE(ABORT, 'limit_reached')
  END;
  SELECT RAISE(ABORT, 'unknown_refusal');
END;
