-- What was erased of persons who asked for it, by a hash of each: never who they are.
CREATE TABLE person_erasures (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  operation TEXT NOT NULL UNIQUE,
  requested_at INTEGER NOT NULL,
  person_hash TEXT NOT NULL,
  reason TEXT,
  -- How many records of each kind are gone, and what is kept and why.
  erased TEXT NOT NULL,
  kept TEXT NOT NULL,
  CONSTRAINT person_erasure_json CHECK (json_valid(erased) AND json_valid(kept))
) STRICT;

CREATE INDEX person_erasures_hash ON person_erasures (person_hash, id);

CREATE TRIGGER person_erasure_event_insert AFTER INSERT ON person_erasures BEGIN
  INSERT INTO events (type, resource, record_id) VALUES ('person.erased', 'erasure', NEW.id);
END;

-- The key of such hashes, sealed: the company's own, so that they stay what they are when the master key changes.
CREATE TABLE mark_key (
  id INTEGER PRIMARY KEY,
  sealed TEXT NOT NULL,
  CONSTRAINT one_mark_key CHECK (id = 1)
) STRICT;

-- A promise outlives the person's data: an erased opt-out has marks in the place of its number. One that a restore has
-- marked as erased waits for housekeeping, for SQL has no such function.
ALTER TABLE contact_optouts ADD COLUMN is_erased INTEGER NOT NULL DEFAULT 0
  CONSTRAINT optout_is_erased CHECK (is_erased IN (0, 1));
ALTER TABLE email_suppressions ADD COLUMN is_erased INTEGER NOT NULL DEFAULT 0
  CONSTRAINT suppression_is_erased CHECK (is_erased IN (0, 1));

CREATE INDEX contact_optouts_unmarked ON contact_optouts (id) WHERE is_erased = 1 AND address <> 'erased';
CREATE INDEX email_suppressions_unmarked ON email_suppressions (id) WHERE is_erased = 1 AND email NOT GLOB 'erased:*';

-- What a person is found by. Digits are compared by their last nine first, and then as whole numbers.
CREATE INDEX customers_any_email ON customers (email_lower) WHERE email_lower IS NOT NULL;
CREATE INDEX customers_any_phone ON customers (phone_last9) WHERE phone_last9 IS NOT NULL;
CREATE INDEX leads_email ON leads (email_norm) WHERE email_norm IS NOT NULL;
CREATE INDEX leads_phone ON leads (phone_last9) WHERE phone_last9 IS NOT NULL;
CREATE INDEX applications_email ON applications (email_norm);
CREATE INDEX applications_phone ON applications (
  substr(replace(replace(replace(replace(replace(replace(phone, ' ', ''), '-', ''), '.', ''), '(', ''), ')', ''), '/', ''), -9)
) WHERE phone IS NOT NULL;
CREATE INDEX sales_orders_phone ON sales_orders (
  substr(replace(replace(replace(replace(replace(replace(customer ->> '$.phone', ' ', ''), '-', ''), '.', ''), '(', ''), ')', ''), '/', ''), -9)
) WHERE customer ->> '$.phone' IS NOT NULL;
CREATE INDEX invoices_email ON invoices (lower(customer ->> '$.email')) WHERE customer ->> '$.email' IS NOT NULL;
CREATE INDEX invoices_phone ON invoices (
  substr(replace(replace(replace(replace(replace(replace(customer ->> '$.phone', ' ', ''), '-', ''), '.', ''), '(', ''), ')', ''), '/', ''), -9)
) WHERE customer ->> '$.phone' IS NOT NULL;
CREATE INDEX invoices_voided_customer ON invoices (customer_id) WHERE status = 'voided';
CREATE INDEX bookings_said ON bookings (customer_id)
  WHERE pickup_address IS NOT NULL OR student_notes IS NOT NULL OR cancel_reason IS NOT NULL OR client IS NOT NULL;
-- Addresses as they were sent, where that is not in lower case: few.
CREATE INDEX message_recipients_folded ON message_recipients (lower(address)) WHERE address <> lower(address);
CREATE INDEX chatapp_windows_last ON chatapp_windows (last_inbound_at);

-- A voided invoice stays as it is in all but its buyer's e-mail address and phone number, which are not printed: an
-- erasure blanks both.
DROP TRIGGER voided_invoice_is_final;
CREATE TRIGGER voided_invoice_is_final BEFORE UPDATE OF
  id, operation, invoice_number, status, currency, customer_id, seller, invoice_date, due_date, financial_year,
  place_of_supply_code, place_of_supply_name, supply_type, sub_total, discount_total, taxable_total, cgst_total, sgst_total,
  igst_total, tax_total, round_off, total_amount, amount_paid, tds_amount, amount_due, source, sales_order_id, reference_number,
  notes, terms, metadata, public_token, sent_at, voided_at, voided_by, overdue_since, created_at, updated_at ON invoices
WHEN OLD.status = 'voided' BEGIN
  SELECT RAISE(ABORT, 'invoice_voided');
END;
CREATE TRIGGER voided_invoice_keeps_its_buyer BEFORE UPDATE OF customer ON invoices
WHEN OLD.status = 'voided' AND NEW.customer <> json_set(OLD.customer, '$.email', NULL, '$.phone', NULL) BEGIN
  SELECT RAISE(ABORT, 'invoice_voided');
END;

CREATE TRIGGER sales_orders_search_update AFTER UPDATE OF customer ON sales_orders BEGIN
  DELETE FROM sales_orders_search WHERE rowid = OLD.id;
  INSERT INTO sales_orders_search (rowid, order_number, name, email)
  VALUES (NEW.id, NEW.order_number, NEW.customer ->> '$.name', NEW.customer ->> '$.email');
END;

-- A restore of a backup from before erases again, and could do neither of the two.
UPDATE invoices SET customer = json_set(customer, '$.email', NULL, '$.phone', NULL)
WHERE id IN (SELECT CAST(record AS INTEGER) FROM audit_log WHERE action = 'eraseInvoiceContact');
UPDATE sales_orders SET customer = customer
WHERE id IN (SELECT CAST(record AS INTEGER) FROM audit_log WHERE action = 'eraseOrderContact');
