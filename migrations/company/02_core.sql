-- The tables of the write path: one row for each operation, refusals, and series of numbers.
-- Units, here and in all files: money in minor units (paise, cents), unit prices in 1/10,000, quantities in 1/1,000, rates
-- in 1/1,000 of a percent, times in epoch milliseconds, dates as YYYY-MM-DD. Names of CHECKs and texts of RAISE are
-- problem codes.

-- A call that commits adds its row here, which answers its retries.
CREATE TABLE operations (
  -- Of a call: from its Idempotency-Key, or fresh.
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

-- The members that an update changed, and the values of those that the call names, unless they are long; the batch's row
-- of the audit log comes next.
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

-- An insert of a code undoes its batch.
CREATE TABLE refusal (
  code TEXT NOT NULL
) STRICT;

-- Aborts with the codes that every feature uses.
CREATE TRIGGER refusal_aborts BEFORE INSERT ON refusal BEGIN
  SELECT CASE NEW.code
    WHEN 'not_found' THEN RAISE(ABORT, 'not_found')
    WHEN 'invoice_voided' THEN RAISE(ABORT, 'invoice_voided')
    WHEN 'stock_not_tracked' THEN RAISE(ABORT, 'stock_not_tracked')
    WHEN 'in_use' THEN RAISE(ABORT, 'in_use')
    WHEN 'account_gone' THEN RAISE(ABORT, 'account_gone')
    WHEN 'unit_gone' THEN RAISE(ABORT, 'unit_gone')
    WHEN 'category_gone' THEN RAISE(ABORT, 'category_gone')
    WHEN 'insufficient_scope' THEN RAISE(ABORT, 'insufficient_scope')
  END;
END;

-- Aborts with any other code, which no trigger of a feature knows.
CREATE TRIGGER refusal_unknown AFTER INSERT ON refusal BEGIN
  SELECT RAISE(ABORT, 'unknown_refusal');
END;

CREATE TRIGGER refusal_limits BEFORE INSERT ON refusal WHEN NEW.code = 'captcha_failed' BEGIN
  SELECT RAISE(ABORT, 'captcha_failed');
END;

-- The batch that uses a number takes it, so a batch that fails leaves no gap.
CREATE TABLE number_series (
  series TEXT NOT NULL,
  period TEXT NOT NULL,
  last INTEGER NOT NULL,
  PRIMARY KEY (series, period),
  CONSTRAINT number_exhausted CHECK (last BETWEEN 0 AND 999999)
) STRICT, WITHOUT ROWID;

-- The first part of a series' numbers, in any case. One that a series ever had is no other's, so no two documents have
-- one number.
CREATE TABLE number_prefixes (
  prefix TEXT NOT NULL PRIMARY KEY COLLATE NOCASE,
  series TEXT NOT NULL
) STRICT, WITHOUT ROWID;

INSERT INTO number_prefixes (prefix, series) VALUES
  ('RCPT', 'payment'), ('SO', 'order'), ('JV', 'journal'), ('RV', 'lesson_receipt'), ('RFV', 'lesson_refund');

-- Numbers that were given after the backup from which this database was restored: no document here has them, and none
-- will. The series continues after `through`.
CREATE TABLE number_gaps (
  series TEXT NOT NULL,
  period TEXT NOT NULL,
  -- The last number that the backup held.
  after INTEGER NOT NULL,
  through INTEGER NOT NULL,
  noted_at INTEGER NOT NULL,
  PRIMARY KEY (series, period, after),
  CONSTRAINT number_gap CHECK (after >= 0 AND through > after)
) STRICT, WITHOUT ROWID;

-- Which of a company's databases is its own. A database that replaces another gets a higher generation. The replaced
-- one keeps the name and the generation of its replacement, and is not served until it is put back.
CREATE TABLE database_generation (
  id INTEGER PRIMARY KEY,
  generation INTEGER NOT NULL,
  replaced_by TEXT,
  replaced_generation INTEGER,
  replaced_at INTEGER,
  CONSTRAINT one_database_generation CHECK (id = 1),
  CONSTRAINT whole_replacement CHECK (
    (replaced_by IS NULL) = (replaced_generation IS NULL) AND (replaced_by IS NULL) = (replaced_at IS NULL)
  )
) STRICT;

CREATE TRIGGER generation_never_falls BEFORE UPDATE OF generation ON database_generation
WHEN NEW.generation < OLD.generation BEGIN
  SELECT RAISE(ABORT, 'generation_falls');
END;

-- Each write begins with an update of this row in a replaced database, so this trigger refuses the write.
CREATE TRIGGER replaced_database_is_not_written BEFORE UPDATE OF id ON database_generation BEGIN
  SELECT RAISE(ABORT, 'database_replaced');
END;

INSERT INTO database_generation (id, generation) VALUES (1, 1);
