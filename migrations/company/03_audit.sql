-- The audit log: what was done, which members changed, and the chain that shows a change of the log itself.

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

-- No row of the log is deleted, except those before the cut.
CREATE TRIGGER audit_log_is_append_only_delete BEFORE DELETE ON audit_log
WHEN OLD.id > coalesce((SELECT last_id FROM audit_cut), 0) BEGIN
  SELECT RAISE(ABORT, 'append_only');
END;

-- The names of the members that an update changed. `atomic` keeps the earlier record beside the snapshot's place, and
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

-- They are deleted only with their rows of the log.
CREATE TRIGGER audit_changes_is_append_only_delete BEFORE DELETE ON audit_changes
WHEN OLD.audit_id > coalesce((SELECT last_id FROM audit_cut), 0) BEGIN
  SELECT RAISE(ABORT, 'append_only');
END;

-- The log is chained in links of consecutive rows, each with the HMAC of its rows and of the link before it. After an
-- erasure `audit_cut` keeps the last erased link: its rows and all before it are gone.
CREATE TABLE audit_links (
  last_id INTEGER PRIMARY KEY,
  -- The public name of the master key that the link's own key is derived from.
  key_id TEXT NOT NULL,
  hash TEXT NOT NULL,
  chained_at INTEGER NOT NULL
) STRICT;

-- A link never changes.
CREATE TRIGGER audit_links_are_append_only_update BEFORE UPDATE ON audit_links BEGIN
  SELECT RAISE(ABORT, 'append_only');
END;

-- No link is deleted, except those before the cut.
CREATE TRIGGER audit_links_are_append_only_delete BEFORE DELETE ON audit_links
WHEN OLD.last_id > coalesce((SELECT last_id FROM audit_cut), 0) BEGIN
  SELECT RAISE(ABORT, 'append_only');
END;

CREATE TABLE audit_cut (
  id INTEGER PRIMARY KEY,
  last_id INTEGER NOT NULL,
  hash TEXT NOT NULL,
  chained_at INTEGER NOT NULL,
  CONSTRAINT one_audit_cut CHECK (id = 1)
) STRICT;

-- A cut only moves forward.
CREATE TRIGGER audit_cut_only_rises BEFORE UPDATE ON audit_cut WHEN NEW.last_id < OLD.last_id BEGIN
  SELECT RAISE(ABORT, 'append_only');
END;

-- A cut is never taken back.
CREATE TRIGGER audit_cut_stays BEFORE DELETE ON audit_cut BEGIN
  SELECT RAISE(ABORT, 'append_only');
END;

-- The keys of the links, encrypted: the service may no longer have the master key from which an older one is derived.
CREATE TABLE audit_keys (
  key_id TEXT PRIMARY KEY,
  sealed TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Of an invoice, a payment, a journal entry and an account: the HMAC of the columns that never change. The link of the
-- audit log that ends with `last_id` holds it too.
CREATE TABLE paper_digests (
  kind TEXT NOT NULL,
  record_id INTEGER NOT NULL,
  key_id TEXT NOT NULL,
  digest TEXT NOT NULL,
  last_id INTEGER NOT NULL,
  PRIMARY KEY (kind, record_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX paper_digests_link ON paper_digests (last_id);

-- A digest never changes.
CREATE TRIGGER paper_digests_are_append_only_update BEFORE UPDATE ON paper_digests BEGIN
  SELECT RAISE(ABORT, 'append_only');
END;

-- No digest is deleted.
CREATE TRIGGER paper_digests_are_append_only_delete BEFORE DELETE ON paper_digests BEGIN
  SELECT RAISE(ABORT, 'append_only');
END;
