-- Before: 58f206456b51ec7b75fe31b29d90f5a7cdd5898ce359a009998ddf0d32a04865
DROP TRIGGER update_names_its_changes;

CREATE TRIGGER update_names_its_changes AFTER UPDATE OF before ON operations
WHEN OLD.before IS NOT NULL AND NEW.before IS NULL
  AND json_extract(NEW.snapshot, '$.id') IS json_extract(OLD.before, '$.id') BEGIN
  INSERT INTO audit_changes (audit_id, fields, kept)
  SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'audit_log'), 0) + 1, json_group_array(key),
    nullif(json_group_object(key, json(kept)) FILTER (WHERE kept IS NOT NULL), '{}')
  FROM (
    SELECT key, CASE WHEN length(OLD.before -> key) + length(NEW.snapshot -> key) <= 1000 THEN
      json_set(OLD.before -> '$.audited' -> key, '$.from', OLD.before -> key, '$.to', NEW.snapshot -> key)
    END AS kept FROM (
      SELECT key, type, value FROM json_each(NEW.snapshot)
      EXCEPT SELECT key, type, value FROM json_each(OLD.before)
    ) WHERE key NOT IN ('updated_at', 'version') ORDER BY key
  );
END;
