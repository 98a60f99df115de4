-- The ids that callers have given to their records: of one record of its kind, for ever.

CREATE TABLE external_ids (
  kind TEXT NOT NULL,
  -- Of an erased record its keyed hash, behind a blank, which no caller's id has.
  external_id TEXT NOT NULL,
  record_id TEXT NOT NULL,
  -- The keyed hash of the create's address and body, of a document; null once a person was erased from it.
  create_hash TEXT,
  is_erased INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  CONSTRAINT external_id_kind CHECK (
    kind IN ('customer', 'product', 'invoice', 'payment', 'credit_note', 'order', 'booking', 'lead', 'work_item')
  ),
  CONSTRAINT external_id_erased CHECK (is_erased = 0 OR (is_erased = 1 AND create_hash IS NULL)),
  PRIMARY KEY (kind, external_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX external_ids_record ON external_ids (kind, record_id, created_at);
CREATE INDEX external_ids_erased ON external_ids (kind, external_id) WHERE is_erased = 1 AND external_id NOT GLOB ' *';

-- An id stays taken, by the same record.
CREATE TRIGGER external_ids_stay BEFORE DELETE ON external_ids BEGIN
  SELECT RAISE(ABORT, 'append_only');
END;

-- Only the hash of an erased record takes the place of its id.
CREATE TRIGGER external_id_is_fixed BEFORE UPDATE OF kind, external_id, record_id, is_erased ON external_ids
WHEN NEW.kind <> OLD.kind OR NEW.record_id <> OLD.record_id OR NEW.is_erased < OLD.is_erased
  OR (NEW.external_id <> OLD.external_id AND (NEW.is_erased = 0 OR NEW.external_id NOT GLOB ' *')) BEGIN
  SELECT RAISE(ABORT, 'append_only');
END;

/* For each of leads lead, sales_orders order */
-- A deleted one was erased.
CREATE TRIGGER external_ids_of_deleted_each_table AFTER DELETE ON each_table BEGIN
  UPDATE external_ids SET is_erased = 1, create_hash = NULL
  WHERE kind = 'each_kind' AND record_id = CAST(OLD.id AS TEXT) AND is_erased = 0;
END;
/* End of each */

-- What an id is of, and whether that was voided, refunded, deleted or erased. An order whose payment only ran out can be paid.
CREATE VIEW external_id_holders AS
SELECT kind, external_id, record_id, create_hash, created_at, is_erased = 1 OR coalesce(CASE kind
  WHEN 'customer' THEN (SELECT is_customer = 0 OR deleted_at IS NOT NULL FROM customers WHERE id = CAST(record_id AS INTEGER))
  WHEN 'invoice' THEN (SELECT status = 'voided' FROM invoices WHERE id = CAST(record_id AS INTEGER))
  WHEN 'payment' THEN (SELECT deleted_at IS NOT NULL FROM payments WHERE id = CAST(record_id AS INTEGER))
  WHEN 'credit_note' THEN (SELECT status = 'voided' FROM credit_notes WHERE id = CAST(record_id AS INTEGER))
  WHEN 'order' THEN (
    SELECT refund_status = 'refunded' OR (status = 'cancelled' AND reviewed_at IS NOT NULL)
    FROM sales_orders WHERE id = CAST(record_id AS INTEGER)
  )
END, 0) AS is_retired FROM external_ids;

-- Aborts with the code of an id that is taken.
CREATE TRIGGER refusal_external_ids BEFORE INSERT ON refusal BEGIN
  SELECT CASE NEW.code WHEN 'external_id_taken' THEN RAISE(ABORT, 'external_id_taken') END;
END;
