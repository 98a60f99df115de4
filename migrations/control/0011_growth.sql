-- What the audit logs of the companies' keys, and of the companies, say of a change, and how far each company's own log
-- is known to be chained: a log that was cut or written anew does not lead there any more.
CREATE TABLE audit_heads (
  company_id INTEGER PRIMARY KEY,
  last_id INTEGER NOT NULL,
  hash TEXT NOT NULL,
  chained_at INTEGER NOT NULL
) STRICT;

-- Which members of its record an update changed: their names alone. `atomic` keeps the record as it was in the place of
-- the snapshot, and the batch's row of the audit log comes next.
CREATE TABLE audit_changes (
  audit_id INTEGER PRIMARY KEY,
  fields TEXT NOT NULL,
  CONSTRAINT audit_fields CHECK (json_valid(fields))
) STRICT;

CREATE TRIGGER update_names_its_changes AFTER UPDATE OF snapshot ON operations
WHEN OLD.snapshot IS NOT NULL AND json_type(OLD.snapshot, '$.changing') = 'object'
  AND json_type(NEW.snapshot, '$.changing') IS NULL
  AND json_extract(NEW.snapshot, '$.id') IS json_extract(OLD.snapshot, '$.changing.id') BEGIN
  INSERT INTO audit_changes (audit_id, fields)
  SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'audit_log'), 0) + 1, json_group_array(key) FROM (
    SELECT key FROM (
      SELECT key, type, value FROM json_each(NEW.snapshot)
      EXCEPT SELECT key, type, value FROM json_each(OLD.snapshot, '$.changing')
    ) WHERE key NOT IN ('updated_at', 'version') ORDER BY key
  );
END;

CREATE TRIGGER audit_changes_is_append_only_update BEFORE UPDATE ON audit_changes BEGIN
  SELECT RAISE(ABORT, 'append_only');
END;

CREATE TRIGGER audit_changes_is_append_only_delete BEFORE DELETE ON audit_changes BEGIN
  SELECT RAISE(ABORT, 'append_only');
END;
