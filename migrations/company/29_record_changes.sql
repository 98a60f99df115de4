-- In which order records changed last: what lists give with `sort=updated`.

-- A record has one row; a change gives it a number above all others of its kind. A number is at least the time of change in
-- milliseconds, times 1000, so that what changed since a time is found by it. Clocks differ: the order is that of commits.
CREATE TABLE record_changes (
  resource TEXT NOT NULL,
  number INTEGER NOT NULL,
  record_id TEXT NOT NULL,
  PRIMARY KEY (resource, number, record_id)
) STRICT, WITHOUT ROWID;

-- Of records that are older than this table, several may have one number. Sorted, a million take a second.
INSERT INTO record_changes (resource, number, record_id)
SELECT 'customer', updated_at * 1000, id FROM customers
UNION ALL SELECT 'product', updated_at * 1000, id FROM products
UNION ALL SELECT 'invoice', updated_at * 1000, id FROM invoices
UNION ALL SELECT 'payment', updated_at * 1000, id FROM payments
UNION ALL SELECT 'credit_note', updated_at * 1000, id FROM credit_notes
UNION ALL SELECT 'refund', max(created_at, coalesce(settled_at, 0), coalesce(reviewed_at, 0)) * 1000, id FROM gateway_refunds
UNION ALL SELECT 'order', updated_at * 1000, id FROM sales_orders
UNION ALL SELECT 'booking', updated_at * 1000, id FROM bookings
UNION ALL SELECT 'lead', updated_at * 1000, id FROM leads
UNION ALL SELECT 'application', updated_at * 1000, id FROM applications
UNION ALL SELECT 'message', max(created_at, coalesce(delivered_at, 0), coalesce(read_at, 0), coalesce(failed_at, 0)) * 1000, id
  FROM messages
ORDER BY 1, 2;

CREATE UNIQUE INDEX record_changes_record ON record_changes (resource, record_id);

-- A new record.
/* For each of customers customer, products product, invoices invoice, payments payment, credit_notes credit_note,
  sales_orders order, bookings booking, leads lead, applications application */
CREATE TRIGGER each_kind_change_insert AFTER INSERT ON each_table BEGIN
  INSERT INTO record_changes (resource, number, record_id)
  SELECT 'each_kind', max(coalesce(max(number), 0) + 1, NEW.updated_at * 1000), NEW.id
  FROM record_changes WHERE resource = 'each_kind';
END;

-- A record that changed.
/* For each of customers customer, products product, invoices invoice, payments payment, credit_notes credit_note,
  sales_orders order, bookings booking, leads lead, applications application */
CREATE TRIGGER each_kind_change_update AFTER UPDATE ON each_table BEGIN
  UPDATE record_changes SET number = max(NEW.updated_at * 1000, (
    SELECT max(number) + 1 FROM record_changes WHERE resource = 'each_kind'
  )) WHERE resource = 'each_kind' AND record_id = CAST(NEW.id AS TEXT);
END;

-- A record that is erased. The row with its kind's last number stays, so that no number comes twice.
/* For each of sales_orders order, leads lead, applications application, messages message */
CREATE TRIGGER each_kind_change_delete AFTER DELETE ON each_table BEGIN
  DELETE FROM record_changes WHERE resource = 'each_kind' AND record_id = CAST(OLD.id AS TEXT)
    AND number < (SELECT max(number) FROM record_changes WHERE resource = 'each_kind');
END;

-- Refunds and messages have no time of their last change.
CREATE TRIGGER refund_change_insert AFTER INSERT ON gateway_refunds BEGIN
  INSERT INTO record_changes
  SELECT 'refund', max(coalesce(max(number), 0) + 1, NEW.created_at * 1000, coalesce(NEW.settled_at, 0) * 1000), NEW.id
  FROM record_changes WHERE resource = 'refund';
END;
CREATE TRIGGER refund_change_update AFTER UPDATE ON gateway_refunds BEGIN
  UPDATE record_changes SET number = max(
    coalesce(NEW.settled_at, 0) * 1000, coalesce(NEW.reviewed_at, 0) * 1000,
    (SELECT max(number) + 1 FROM record_changes WHERE resource = 'refund')
  ) WHERE resource = 'refund' AND record_id = CAST(NEW.id AS TEXT);
END;

CREATE TRIGGER message_change_insert AFTER INSERT ON messages BEGIN
  INSERT INTO record_changes
  SELECT 'message', max(coalesce(max(number), 0) + 1, NEW.created_at * 1000, coalesce(NEW.failed_at, 0) * 1000), NEW.id
  FROM record_changes WHERE resource = 'message';
END;

-- That its content is purged does not show.
CREATE TRIGGER message_change_update AFTER UPDATE ON messages
WHEN OLD.content IS NEW.content OR OLD.status <> NEW.status BEGIN
  UPDATE record_changes SET number = max(
    coalesce(NEW.delivered_at, 0) * 1000, coalesce(NEW.read_at, 0) * 1000, coalesce(NEW.failed_at, 0) * 1000,
    (SELECT max(number) + 1 FROM record_changes WHERE resource = 'message')
  ) WHERE resource = 'message' AND record_id = NEW.id;
END;

-- A message shows who it goes to, and who did not get it.
CREATE TRIGGER recipient_change_update AFTER UPDATE OF address, error ON message_recipients
WHEN OLD.address <> NEW.address OR OLD.error IS NOT NEW.error BEGIN
  UPDATE record_changes SET number = (SELECT max(number) + 1 FROM record_changes WHERE resource = 'message')
  WHERE resource = 'message' AND record_id = NEW.message_id;
END;
