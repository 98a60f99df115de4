-- What lists are narrowed and sorted by: the order in which records changed last, for `sort=updated`, and times and days.

-- A record has one row; a change gives it a number above all others of its kind. A number is at least the time of change in
-- milliseconds, times 1000, so that what changed since a time is found by it. Clocks differ: the order is that of commits.
CREATE TABLE record_changes (
  resource TEXT NOT NULL,
  number INTEGER NOT NULL,
  record_id TEXT NOT NULL,
  PRIMARY KEY (resource, number, record_id)
) STRICT, WITHOUT ROWID;

/* For each of customers customer, products product, invoices invoice, payments payment, credit_notes credit_note,
  sales_orders order, bookings booking, leads lead, applications application,
  gateway_refunds refund (created_at settled_at reviewed_at),
  messages message (created_at delivered_at read_at failed_at) */
-- Of records that are older than this table, several may have one number. Sorted, a million take a second.
INSERT INTO record_changes (resource, number, record_id)
SELECT 'each_kind', each_time * 1000, id FROM each_table ORDER BY 2;

CREATE TRIGGER each_kind_change_insert AFTER INSERT ON each_table BEGIN
  INSERT INTO record_changes (resource, number, record_id)
  SELECT 'each_kind', max(coalesce(max(number), 0) + 1, NEW.each_time * 1000), NEW.id
  FROM record_changes WHERE resource = 'each_kind';
END;

CREATE TRIGGER each_kind_change_update AFTER UPDATE ON each_table BEGIN
  UPDATE record_changes SET number = max(NEW.each_time * 1000, (
    SELECT max(number) + 1 FROM record_changes WHERE resource = 'each_kind'
  )) WHERE resource = 'each_kind' AND record_id = CAST(NEW.id AS TEXT);
END;

-- The row with its kind's last number stays, so that no number comes twice.
CREATE TRIGGER each_kind_change_delete AFTER DELETE ON each_table BEGIN
  DELETE FROM record_changes WHERE resource = 'each_kind' AND record_id = CAST(OLD.id AS TEXT)
    AND number < (SELECT max(number) FROM record_changes WHERE resource = 'each_kind');
END;
/* End of each */

CREATE UNIQUE INDEX record_changes_record ON record_changes (resource, record_id);

-- A message shows who it goes to, and who did not get it.
CREATE TRIGGER recipient_change_update AFTER UPDATE OF address, error ON message_recipients
WHEN OLD.address <> NEW.address OR OLD.error IS NOT NEW.error BEGIN
  UPDATE record_changes SET number = (SELECT max(number) + 1 FROM record_changes WHERE resource = 'message')
  WHERE resource = 'message' AND record_id = NEW.message_id;
END;

CREATE INDEX customers_created ON customers (created_at) WHERE is_customer = 1 AND deleted_at IS NULL;
CREATE INDEX products_created ON products (created_at);
CREATE INDEX invoices_date ON invoices (invoice_date, created_at) WHERE status <> 'voided';
CREATE INDEX invoices_due ON invoices (due_date, created_at) WHERE status <> 'voided';
CREATE INDEX payments_date ON payments (payment_date, created_at) WHERE deleted_at IS NULL;
CREATE INDEX payments_mode ON payments (payment_mode_id, id) WHERE deleted_at IS NULL;
CREATE INDEX leads_created ON leads (created_at);
CREATE INDEX credit_notes_created ON credit_notes (created_at);
CREATE INDEX gateway_refunds_created ON gateway_refunds (created_at);
