-- The audit log of companies and keys, and how far each company's own log is known to be chained.

CREATE TABLE audit_log (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at INTEGER NOT NULL,
  actor TEXT NOT NULL,
  action TEXT NOT NULL,
  record TEXT NOT NULL,
  request_id TEXT NOT NULL,
  -- The remark of the person who made the change.
  note TEXT
) STRICT;

CREATE INDEX audit_log_record ON audit_log (record, id);

-- A row of the log never changes.
CREATE TRIGGER audit_log_is_append_only_update BEFORE UPDATE ON audit_log BEGIN
  SELECT RAISE(ABORT, 'append_only');
END;

-- No row of the log is deleted.
CREATE TRIGGER audit_log_is_append_only_delete BEFORE DELETE ON audit_log BEGIN
  SELECT RAISE(ABORT, 'append_only');
END;

-- The names of the members that an update changed. `atomic` keeps the earlier record in the place of the snapshot, and
-- the batch's row of the audit log comes next.
CREATE TABLE audit_changes (
  audit_id INTEGER PRIMARY KEY,
  fields TEXT NOT NULL,
  -- By name of what of them is kept: its kind, the scope that reads it, and its values before and after, as stored.
  kept TEXT,
  CONSTRAINT audit_fields CHECK (json_valid(fields))
) STRICT;

-- The names of changed members never change.
CREATE TRIGGER audit_changes_is_append_only_update BEFORE UPDATE ON audit_changes BEGIN
  SELECT RAISE(ABORT, 'append_only');
END;

-- They are never deleted.
CREATE TRIGGER audit_changes_is_append_only_delete BEFORE DELETE ON audit_changes BEGIN
  SELECT RAISE(ABORT, 'append_only');
END;

-- How far each company's own log is known to be chained: a log that was cut or rewritten no longer leads there.
CREATE TABLE audit_heads (
  company_id INTEGER PRIMARY KEY,
  last_id INTEGER NOT NULL,
  hash TEXT NOT NULL,
  chained_at INTEGER NOT NULL
) STRICT;
