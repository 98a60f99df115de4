-- Invoices. They keep their parties as of their day.

CREATE TABLE invoices (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  operation TEXT NOT NULL UNIQUE,
  invoice_number TEXT NOT NULL UNIQUE,
  status TEXT NOT NULL,
  currency TEXT NOT NULL,
  customer_id INTEGER NOT NULL REFERENCES customers (id),
  customer TEXT NOT NULL,
  seller TEXT NOT NULL,
  invoice_date TEXT NOT NULL,
  due_date TEXT NOT NULL,
  financial_year TEXT NOT NULL,
  place_of_supply_code TEXT,
  place_of_supply_name TEXT,
  -- Null outside India, where a tax has one head.
  supply_type TEXT CONSTRAINT invoice_supply_type CHECK (supply_type IN ('intra', 'inter', 'export')),
  document_type TEXT NOT NULL CONSTRAINT invoice_document_type CHECK (
    document_type IN ('tax_invoice', 'bill_of_supply', 'invoice_cum_bill_of_supply', 'invoice')
  ),
  sub_total INTEGER NOT NULL,
  discount_total INTEGER NOT NULL,
  taxable_total INTEGER NOT NULL,
  cgst_total INTEGER NOT NULL,
  sgst_total INTEGER NOT NULL,
  igst_total INTEGER NOT NULL,
  tax_total INTEGER NOT NULL,
  round_off INTEGER NOT NULL,
  total_amount INTEGER NOT NULL,
  amount_paid INTEGER NOT NULL DEFAULT 0,
  tds_amount INTEGER NOT NULL DEFAULT 0,
  -- What credit notes took off the amount due, and how much of the taxable value the invoice's own notes credited.
  amount_credited INTEGER NOT NULL DEFAULT 0,
  taxable_credited INTEGER NOT NULL DEFAULT 0,
  -- What its gateways gave back by themselves of its payments, and no credit note says.
  refunded_without_credit_note INTEGER NOT NULL DEFAULT 0,
  amount_due INTEGER NOT NULL,
  -- How often what is due rose: whatever raises it counts.
  due_raises INTEGER NOT NULL DEFAULT 0,
  payment_status TEXT GENERATED ALWAYS AS (
    CASE
      WHEN status = 'voided' THEN 'unpaid'
      WHEN amount_due = 0 THEN 'paid'
      WHEN amount_paid + tds_amount = 0 THEN 'unpaid'
      ELSE 'partial'
    END
  ) VIRTUAL,
  credit_status TEXT GENERATED ALWAYS AS (
    CASE taxable_credited WHEN 0 THEN 'none' WHEN taxable_total THEN 'full' ELSE 'partial' END
  ) VIRTUAL,
  source TEXT NOT NULL DEFAULT 'api',
  sales_order_id INTEGER,
  reference_number TEXT,
  notes TEXT,
  terms TEXT,
  metadata TEXT NOT NULL DEFAULT '{}',
  public_token TEXT NOT NULL UNIQUE,
  sent_at INTEGER,
  voided_at INTEGER,
  -- The call that voided it; the payments removed with it name it too.
  voided_by TEXT,
  -- The day on which the clock found it overdue; null once it is paid or voided.
  overdue_since TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  CONSTRAINT invoice_status CHECK (status IN ('draft', 'sent', 'voided')),
  CONSTRAINT amount_exceeds_due CHECK (amount_due >= 0),
  -- Both halves of GST have the same base and rate.
  CONSTRAINT invoice_heads_are_equal CHECK (cgst_total = sgst_total),
  CONSTRAINT invoice_tax_identity CHECK (tax_total = cgst_total + sgst_total + igst_total),
  CONSTRAINT invoice_taxable_identity CHECK (taxable_total = sub_total - discount_total),
  CONSTRAINT invoice_total_identity CHECK (total_amount = taxable_total + tax_total + round_off),
  CONSTRAINT invoice_due_identity CHECK (
    CASE WHEN status = 'voided' THEN amount_paid = 0 AND tds_amount = 0 AND amount_credited = 0 AND amount_due = 0
      ELSE amount_due = total_amount - amount_paid - tds_amount - amount_credited END
  ),
  CONSTRAINT invoice_credited CHECK (amount_credited >= 0 AND taxable_credited BETWEEN 0 AND taxable_total),
  CONSTRAINT invoice_refunded CHECK (refunded_without_credit_note >= 0),
  CONSTRAINT invoice_metadata CHECK (json_valid(metadata) AND json_valid(customer) AND json_valid(seller))
) STRICT;

CREATE INDEX invoices_live ON invoices (id) WHERE status <> 'voided';
CREATE INDEX invoices_customer ON invoices (customer_id, id) WHERE status <> 'voided';
CREATE INDEX invoices_payment_status ON invoices (payment_status, id) WHERE status <> 'voided';
CREATE INDEX invoices_customer_payment_status ON invoices (customer_id, payment_status, id) WHERE status <> 'voided';
CREATE INDEX invoices_not_overdue ON invoices (due_date) WHERE amount_due > 0 AND overdue_since IS NULL;

-- For finding a person.
CREATE INDEX invoices_email ON invoices (lower(customer ->> '$.email')) WHERE customer ->> '$.email' IS NOT NULL;
CREATE INDEX invoices_phone ON invoices (
  substr(replace(replace(replace(replace(replace(replace(customer ->> '$.phone', ' ', ''), '-', ''), '.', ''), '(', ''), ')', ''), '/', ''), -9)
) WHERE customer ->> '$.phone' IS NOT NULL;
CREATE INDEX invoices_voided_customer ON invoices (customer_id) WHERE status = 'voided';

-- For finding the invoices to remind of.
CREATE INDEX invoices_overdue ON invoices (due_date) WHERE amount_due > 0 AND overdue_since IS NOT NULL;

-- An invoice needs a customer that is not removed.
CREATE TRIGGER invoice_needs_a_live_customer BEFORE INSERT ON invoices
WHEN NOT EXISTS (SELECT 1 FROM customers WHERE id = NEW.customer_id AND is_customer = 1 AND deleted_at IS NULL) BEGIN
  SELECT RAISE(ABORT, 'customer_gone');
END;

-- Voiding an invoice removes its payments.
CREATE TRIGGER voided_invoice_removes_its_payments AFTER UPDATE OF status ON invoices
WHEN NEW.status = 'voided' AND OLD.status <> 'voided' BEGIN
  UPDATE payments SET deleted_at = NEW.voided_at, removed_by = NEW.voided_by, updated_at = NEW.voided_at
  WHERE invoice_id = NEW.id AND deleted_at IS NULL;
END;

-- A voided invoice never changes, except its buyer's e-mail address and phone number, which are not printed.
CREATE TRIGGER voided_invoice_is_final BEFORE UPDATE OF
  id, operation, invoice_number, status, currency, customer_id, seller, invoice_date, due_date, financial_year,
  place_of_supply_code, place_of_supply_name, supply_type, document_type, sub_total, discount_total, taxable_total, cgst_total, sgst_total,
  igst_total, tax_total, round_off, total_amount, amount_paid, tds_amount, amount_credited,
  taxable_credited, refunded_without_credit_note, amount_due, due_raises, source, sales_order_id, reference_number,
  notes, terms, metadata, public_token, sent_at, voided_at, voided_by, overdue_since, created_at, updated_at ON invoices
WHEN OLD.status = 'voided' BEGIN
  SELECT RAISE(ABORT, 'invoice_voided');
END;

-- An erasure blanks only the e-mail address and the phone number of a voided invoice's buyer.
CREATE TRIGGER voided_invoice_keeps_its_buyer BEFORE UPDATE OF customer ON invoices
WHEN OLD.status = 'voided' AND NEW.customer <> json_set(OLD.customer, '$.email', NULL, '$.phone', NULL) BEGIN
  SELECT RAISE(ABORT, 'invoice_voided');
END;

-- No invoice is made in a period that is locked, or in a month whose GST return is filed.
CREATE TRIGGER invoice_date_is_open BEFORE INSERT ON invoices BEGIN
  SELECT CASE WHEN NEW.invoice_date <= locked_through THEN RAISE(ABORT, 'period_locked')
    WHEN substr(NEW.invoice_date, 1, 7) <= gst_filed_through THEN RAISE(ABORT, 'return_filed') END
  FROM books_settings;
END;

-- No invoice of such a date is voided, nor one with a credit note: a credit note corrects it.
CREATE TRIGGER closed_invoice_is_not_voided BEFORE UPDATE OF status ON invoices
WHEN NEW.status = 'voided' AND OLD.status <> 'voided' BEGIN
  SELECT RAISE(ABORT, 'has_credit_notes')
  WHERE EXISTS (SELECT 1 FROM credit_notes WHERE invoice_id = OLD.id AND status = 'issued');
  SELECT CASE WHEN substr(OLD.invoice_date, 1, 7) <= gst_filed_through THEN RAISE(ABORT, 'return_filed')
    WHEN OLD.invoice_date <= locked_through THEN RAISE(ABORT, 'period_locked') END
  FROM books_settings;
END;

-- An invoice never shows a due beside a credit of its own: what is due again is taken from its notes, the oldest first.
-- It is made before the triggers of events, so that it fires after them: the event of what is due again comes before that of
-- its credit. Not of amount_due: then each payment would be prepared with it.
CREATE TRIGGER own_credit_is_applied AFTER UPDATE OF due_raises ON invoices
WHEN NEW.amount_due > OLD.amount_due AND NEW.status <> 'voided'
  AND EXISTS (SELECT 1 FROM credit_notes WHERE invoice_id = NEW.id AND unapplied_amount > 0) BEGIN
  INSERT INTO credit_applications (credit_note_id, invoice_id, amount, created_at)
  SELECT id, NEW.id, min(unapplied_amount, NEW.amount_due - earlier), NEW.updated_at FROM (
    SELECT id, unapplied_amount, sum(unapplied_amount) OVER (ORDER BY id) - unapplied_amount AS earlier
    FROM credit_notes WHERE invoice_id = NEW.id AND unapplied_amount > 0
  ) WHERE earlier < NEW.amount_due;
END;

-- What is due rises only by a write that counts it.
CREATE TRIGGER raised_due_is_counted BEFORE UPDATE OF amount_due ON invoices
WHEN NEW.amount_due > OLD.amount_due AND NEW.due_raises <= OLD.due_raises BEGIN
  SELECT RAISE(ABORT, 'append_only');
END;

-- Two digits of each year name a series, so only the series of one century are distinct.
CREATE TRIGGER invoice_date_has_a_series BEFORE INSERT ON invoices
WHEN NEW.invoice_date NOT BETWEEN '2000-04-01' AND '2100-03-31' BEGIN
  SELECT RAISE(ABORT, 'invoice_date_out_of_range');
END;

-- A company that is not registered for a tax charges none (CGST Act s.32).
CREATE TRIGGER only_the_registered_charge_tax BEFORE INSERT ON invoices
WHEN NEW.tax_total > 0
  AND (SELECT gst_status IN ('unregistered', 'composition') OR tax_registered = 0 FROM profile) BEGIN
  SELECT RAISE(ABORT, 'gst_not_registered');
END;

CREATE TABLE invoice_items (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  invoice_id INTEGER NOT NULL REFERENCES invoices (id),
  position INTEGER NOT NULL,
  product_id INTEGER,
  item_name TEXT NOT NULL,
  description TEXT,
  hsn_sac_code TEXT,
  quantity INTEGER NOT NULL,
  unit TEXT NOT NULL,
  unit_price INTEGER NOT NULL,
  discount_amount INTEGER NOT NULL,
  taxable_value INTEGER NOT NULL,
  tax_rate INTEGER NOT NULL,
  gst_treatment TEXT NOT NULL CONSTRAINT invoice_item_gst_treatment CHECK (
    gst_treatment IN ('taxable', 'nil_rated', 'exempt', 'non_gst')
  ),
  cgst_amount INTEGER NOT NULL,
  sgst_amount INTEGER NOT NULL,
  igst_amount INTEGER NOT NULL,
  UNIQUE (invoice_id, position),
  CONSTRAINT invoice_item_heads_are_equal CHECK (cgst_amount = sgst_amount),
  CONSTRAINT rate_not_zero CHECK (tax_rate = 0 OR gst_treatment = 'taxable')
) STRICT;
