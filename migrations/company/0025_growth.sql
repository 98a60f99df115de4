-- What grows without anybody asking for it is erased when its time is over, in the order in which it came.

CREATE INDEX payment_intents_failed ON payment_intents (created_at) WHERE status = 'failed';
CREATE INDEX gateway_events_stray ON gateway_events (received_at) WHERE intent_id IS NULL;

-- A number that was given stays given: how many orders of a year are gone is counted, so that a gap is explained.
CREATE TRIGGER erased_order_is_counted AFTER DELETE ON sales_orders BEGIN
  INSERT INTO number_series (series, period, last)
  VALUES ('order_erased', substr(rtrim(OLD.order_number, '0123456789'), -6, 5), 1)
  ON CONFLICT (series, period) DO UPDATE SET last = last + 1;
  DELETE FROM sales_orders_search WHERE rowid = OLD.id;
END;

-- The log is chained in links of consecutive rows, each with the HMAC of its rows and of the link before it. What is
-- left of the links that were erased is the last of them, in `audit_cut`: its rows and all before it are gone.
CREATE TABLE audit_links (
  last_id INTEGER PRIMARY KEY,
  key_id TEXT NOT NULL,
  hash TEXT NOT NULL,
  chained_at INTEGER NOT NULL
) STRICT;

CREATE TABLE audit_cut (
  id INTEGER PRIMARY KEY,
  last_id INTEGER NOT NULL,
  hash TEXT NOT NULL,
  chained_at INTEGER NOT NULL,
  CONSTRAINT one_audit_cut CHECK (id = 1)
) STRICT;

-- The keys of the links, sealed: an older one is derived from a master key that the service may not have any more.
CREATE TABLE audit_keys (
  key_id TEXT PRIMARY KEY,
  sealed TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TRIGGER audit_links_are_append_only_update BEFORE UPDATE ON audit_links BEGIN
  SELECT RAISE(ABORT, 'append_only');
END;

CREATE TRIGGER audit_links_are_append_only_delete BEFORE DELETE ON audit_links
WHEN OLD.last_id > coalesce((SELECT last_id FROM audit_cut), 0) BEGIN
  SELECT RAISE(ABORT, 'append_only');
END;

CREATE TRIGGER audit_cut_only_rises BEFORE UPDATE ON audit_cut WHEN NEW.last_id < OLD.last_id BEGIN
  SELECT RAISE(ABORT, 'append_only');
END;

CREATE TRIGGER audit_cut_stays BEFORE DELETE ON audit_cut BEGIN
  SELECT RAISE(ABORT, 'append_only');
END;

DROP TRIGGER audit_log_is_append_only_delete;

CREATE TRIGGER audit_log_is_append_only_delete BEFORE DELETE ON audit_log
WHEN OLD.id > coalesce((SELECT last_id FROM audit_cut), 0) BEGIN
  SELECT RAISE(ABORT, 'append_only');
END;

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

CREATE TRIGGER audit_changes_is_append_only_delete BEFORE DELETE ON audit_changes
WHEN OLD.audit_id > coalesce((SELECT last_id FROM audit_cut), 0) BEGIN
  SELECT RAISE(ABORT, 'append_only');
END;
