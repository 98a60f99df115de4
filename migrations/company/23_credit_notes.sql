-- Credit notes: each gives back value and tax of one invoice. What is credited of a line stands in a table of its own.

CREATE TABLE credit_notes (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  operation TEXT NOT NULL UNIQUE,
  credit_note_number TEXT NOT NULL UNIQUE,
  status TEXT NOT NULL DEFAULT 'draft',
  invoice_id INTEGER NOT NULL REFERENCES invoices (id),
  customer_id INTEGER NOT NULL REFERENCES customers (id),
  note_date TEXT NOT NULL,
  financial_year TEXT NOT NULL,
  reason TEXT NOT NULL,
  reason_text TEXT,
  -- 0: a commercial note, which gives back value only.
  with_tax INTEGER NOT NULL,
  -- 1: only goods came back, which were free or whose price was credited before.
  goods_only INTEGER NOT NULL,
  -- 1: the call that issued it refunds it through a gateway.
  for_refund INTEGER NOT NULL,
  taxable_total INTEGER NOT NULL DEFAULT 0,
  cgst_total INTEGER NOT NULL DEFAULT 0,
  sgst_total INTEGER NOT NULL DEFAULT 0,
  igst_total INTEGER NOT NULL DEFAULT 0,
  tax_total INTEGER NOT NULL DEFAULT 0,
  round_off INTEGER NOT NULL DEFAULT 0,
  total_amount INTEGER NOT NULL DEFAULT 0,
  -- What of it took off the amount due of invoices, and what was given back by hand.
  applied_amount INTEGER NOT NULL DEFAULT 0,
  paid_out_amount INTEGER NOT NULL DEFAULT 0,
  -- What refunds through gateways gave back, or will.
  gateway_refunded_amount INTEGER NOT NULL DEFAULT 0,
  unapplied_amount INTEGER GENERATED ALWAYS AS (
    iif(status = 'issued', total_amount - applied_amount - paid_out_amount - gateway_refunded_amount, 0)
  ) VIRTUAL,
  metadata TEXT NOT NULL DEFAULT '{}',
  public_token TEXT NOT NULL UNIQUE,
  voided_at INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  CONSTRAINT credit_note_status CHECK (status IN ('draft', 'issued', 'voided') AND (status = 'voided') = (voided_at IS NOT NULL)),
  CONSTRAINT credit_note_reason CHECK (reason IN (
    'sales_return', 'post_sale_discount', 'deficiency', 'correction', 'change_of_pos', 'cancellation', 'other'
  )),
  CONSTRAINT credit_note_tax CHECK (with_tax IN (0, 1) AND (with_tax = 1 OR tax_total = 0)),
  CONSTRAINT credit_note_totals CHECK (
    cgst_total >= 0 AND sgst_total >= 0 AND igst_total >= 0 AND tax_total = cgst_total + sgst_total + igst_total
    AND total_amount = taxable_total + tax_total + round_off AND total_amount >= 0
  ),
  CONSTRAINT credit_note_has_value CHECK (goods_only IN (0, 1) AND for_refund IN (0, 1) AND (status = 'draft' OR goods_only = (taxable_total = 0))),
  CONSTRAINT credit_exhausted CHECK (
    applied_amount >= 0 AND paid_out_amount >= 0 AND gateway_refunded_amount >= 0
    AND applied_amount + paid_out_amount + gateway_refunded_amount <= total_amount
  ),
  CONSTRAINT credit_note_metadata CHECK (json_valid(metadata))
) STRICT;

CREATE INDEX credit_notes_invoice ON credit_notes (invoice_id, id);
CREATE INDEX credit_notes_customer ON credit_notes (customer_id, id);
CREATE INDEX credit_notes_date ON credit_notes (note_date, id);
CREATE INDEX credit_notes_unapplied ON credit_notes (customer_id, id) WHERE unapplied_amount > 0;
CREATE INDEX credit_notes_with_credit ON credit_notes (id) WHERE unapplied_amount > 0;

-- A note credits an invoice that stands, in an open period; an invoice has at most 100.
CREATE TRIGGER credit_note_needs_a_live_invoice BEFORE INSERT ON credit_notes BEGIN
  SELECT RAISE(ABORT, 'invoice_voided') WHERE (SELECT status FROM invoices WHERE id = NEW.invoice_id) = 'voided';
  SELECT RAISE(ABORT, 'number_of_an_invoice') WHERE EXISTS (SELECT 1 FROM invoices WHERE invoice_number = NEW.credit_note_number);
  SELECT RAISE(ABORT, 'limit_reached') WHERE (SELECT count(*) FROM credit_notes WHERE invoice_id = NEW.invoice_id) >= 100;
  SELECT CASE WHEN NEW.note_date <= locked_through THEN RAISE(ABORT, 'period_locked')
    WHEN substr(NEW.note_date, 1, 7) <= gst_filed_through THEN RAISE(ABORT, 'return_filed') END
  FROM books_settings;
END;

CREATE TRIGGER invoice_number_is_no_credit_notes BEFORE INSERT ON invoices
WHEN EXISTS (SELECT 1 FROM credit_notes WHERE credit_note_number = NEW.invoice_number) BEGIN
  SELECT RAISE(ABORT, 'number_of_a_credit_note');
END;

-- An issued note is never edited.
CREATE TRIGGER issued_credit_note_is_final BEFORE UPDATE OF
  id, operation, credit_note_number, invoice_id, customer_id, note_date, financial_year, reason, reason_text, with_tax, goods_only, for_refund,
  taxable_total, cgst_total, sgst_total, igst_total, tax_total, round_off, total_amount, metadata, public_token, created_at
ON credit_notes WHEN OLD.status <> 'draft' BEGIN
  SELECT RAISE(ABORT, 'append_only');
END;

-- A voided note is final.
CREATE TRIGGER voided_credit_note_is_final BEFORE UPDATE OF status, paid_out_amount, gateway_refunded_amount ON credit_notes
WHEN OLD.status = 'voided' BEGIN
  SELECT RAISE(ABORT, 'credit_note_voided');
END;

CREATE TRIGGER credit_note_is_not_deleted BEFORE DELETE ON credit_notes BEGIN
  SELECT RAISE(ABORT, 'append_only');
END;

-- An issued note credits the value of its invoice, and takes off what is due of it.
CREATE TRIGGER issued_credit_note_is_applied AFTER UPDATE OF status ON credit_notes
WHEN OLD.status = 'draft' AND NEW.status = 'issued' BEGIN
  UPDATE invoices SET taxable_credited = taxable_credited + NEW.taxable_total, updated_at = NEW.created_at
  WHERE id = NEW.invoice_id;
  INSERT INTO credit_applications (credit_note_id, invoice_id, amount, created_at)
  SELECT NEW.id, id, min(amount_due, NEW.total_amount), NEW.created_at FROM invoices
  WHERE id = NEW.invoice_id AND amount_due > 0 AND NEW.total_amount > 0;
  -- Its gateway gave money of the invoice back by itself: this note is the paper for as many such refunds as it covers, with what
  -- older notes have left.
  UPDATE gateway_refunds SET credit_note_id = NEW.id WHERE id IN (
    SELECT id FROM (
      SELECT id, sum(owed) OVER (ORDER BY owed, id) AS so_far FROM uncovered_refunds_of_invoices WHERE invoice_id = NEW.invoice_id
    ) WHERE so_far <= (SELECT sum(unapplied_amount) FROM credit_notes WHERE invoice_id = NEW.invoice_id)
  );
  -- What is unused then, and did not go back, is owed to the buyer of an order that a gateway paid.
  UPDATE sales_orders SET needs_refund = 1, updated_at = NEW.created_at
  WHERE NEW.for_refund = 0 AND needs_refund = 0 AND invoice_id = NEW.invoice_id
    AND (SELECT sum(unapplied_amount) FROM credit_notes WHERE invoice_id = NEW.invoice_id)
      > (SELECT coalesce(sum(owed), 0) FROM uncovered_refunds_of_invoices WHERE invoice_id = NEW.invoice_id)
    AND EXISTS (SELECT 1 FROM payments WHERE invoice_id = NEW.invoice_id AND gateway IS NOT NULL AND deleted_at IS NULL);
END;

-- A note is voided while its date is open and nothing of it was used but for its own invoice.
CREATE TRIGGER used_credit_note_is_not_voided BEFORE UPDATE OF status ON credit_notes
WHEN OLD.status = 'issued' AND NEW.status = 'voided' BEGIN
  SELECT CASE WHEN substr(OLD.note_date, 1, 7) <= gst_filed_through THEN RAISE(ABORT, 'return_filed')
    WHEN OLD.note_date <= locked_through THEN RAISE(ABORT, 'period_locked') END
  FROM books_settings;
  SELECT RAISE(ABORT, 'credit_in_use') WHERE OLD.paid_out_amount > 0 OR OLD.gateway_refunded_amount > 0 OR EXISTS (
    SELECT 1 FROM credit_applications
    WHERE credit_note_id = OLD.id AND invoice_id <> OLD.invoice_id AND removed_at IS NULL
  );
END;

-- A voided note credits nothing any longer.
CREATE TRIGGER voided_credit_note_is_taken_back AFTER UPDATE OF status ON credit_notes
WHEN OLD.status = 'issued' AND NEW.status = 'voided' BEGIN
  UPDATE credit_applications SET removed_at = NEW.voided_at WHERE credit_note_id = NEW.id AND removed_at IS NULL;
  UPDATE credited_lines SET
    credited_quantity = credited_quantity - coalesce(item.quantity, 0),
    credited_taxable = credited_taxable - item.taxable_value,
    untaxed_taxable = untaxed_taxable - iif(NEW.with_tax = 0, item.taxable_value, 0),
    credited_cgst = credited_cgst - item.cgst_amount,
    credited_sgst = credited_sgst - item.sgst_amount,
    credited_igst = credited_igst - item.igst_amount
  FROM credit_note_items AS item
  WHERE item.credit_note_id = NEW.id AND item.invoice_item_id = credited_lines.invoice_item_id;
  UPDATE invoices SET taxable_credited = taxable_credited - NEW.taxable_total, updated_at = NEW.voided_at
  WHERE id = NEW.invoice_id;
END;

CREATE TABLE credit_note_items (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  credit_note_id INTEGER NOT NULL REFERENCES credit_notes (id),
  position INTEGER NOT NULL,
  invoice_item_id INTEGER NOT NULL REFERENCES invoice_items (id),
  -- Null where an amount was credited.
  quantity INTEGER,
  taxable_value INTEGER NOT NULL,
  -- What of it Unearned Lesson Income still held.
  unearned_amount INTEGER NOT NULL,
  cgst_amount INTEGER NOT NULL,
  sgst_amount INTEGER NOT NULL,
  igst_amount INTEGER NOT NULL,
  CONSTRAINT credit_note_item_amounts CHECK (
    coalesce(quantity > 0, 1) AND taxable_value >= 0 AND unearned_amount BETWEEN 0 AND taxable_value AND cgst_amount >= 0 AND sgst_amount >= 0 AND igst_amount >= 0
  ),
  UNIQUE (credit_note_id, invoice_item_id)
) STRICT;

CREATE INDEX credit_note_items_line ON credit_note_items (invoice_item_id);

-- What is credited of the lines of invoices, from the first credit on. The line's own values are copied for the CHECK.
CREATE TABLE credited_lines (
  invoice_item_id INTEGER PRIMARY KEY REFERENCES invoice_items (id),
  quantity INTEGER NOT NULL,
  taxable_value INTEGER NOT NULL,
  cgst_amount INTEGER NOT NULL,
  sgst_amount INTEGER NOT NULL,
  igst_amount INTEGER NOT NULL,
  credited_quantity INTEGER NOT NULL DEFAULT 0,
  credited_taxable INTEGER NOT NULL DEFAULT 0,
  -- Of the credited value, what was credited without tax.
  untaxed_taxable INTEGER NOT NULL DEFAULT 0,
  credited_cgst INTEGER NOT NULL DEFAULT 0,
  credited_sgst INTEGER NOT NULL DEFAULT 0,
  credited_igst INTEGER NOT NULL DEFAULT 0,
  CONSTRAINT credit_exceeds_invoice CHECK (
    credited_quantity BETWEEN 0 AND quantity AND credited_taxable BETWEEN 0 AND taxable_value
    AND untaxed_taxable BETWEEN 0 AND credited_taxable AND credited_cgst BETWEEN 0 AND cgst_amount
    AND credited_sgst BETWEEN 0 AND sgst_amount AND credited_igst BETWEEN 0 AND igst_amount
  )
) STRICT;

-- A line joins only a draft, and is of the note's invoice.
CREATE TRIGGER credit_note_item_joins_a_draft BEFORE INSERT ON credit_note_items
WHEN NOT EXISTS (
  SELECT 1 FROM credit_notes JOIN invoice_items ON invoice_items.invoice_id = credit_notes.invoice_id
  WHERE credit_notes.id = NEW.credit_note_id AND status = 'draft' AND invoice_items.id = NEW.invoice_item_id
) BEGIN
  SELECT RAISE(ABORT, 'append_only');
END;

-- Each line of a note counts as credited.
CREATE TRIGGER credit_note_item_is_credited AFTER INSERT ON credit_note_items BEGIN
  INSERT INTO credited_lines (invoice_item_id, quantity, taxable_value, cgst_amount, sgst_amount, igst_amount)
  SELECT id, quantity, taxable_value, cgst_amount, sgst_amount, igst_amount FROM invoice_items WHERE id = NEW.invoice_item_id
  ON CONFLICT DO NOTHING;
  UPDATE credited_lines SET
    credited_quantity = credited_quantity + coalesce(NEW.quantity, 0),
    credited_taxable = credited_taxable + NEW.taxable_value,
    untaxed_taxable = untaxed_taxable
      + iif((SELECT with_tax FROM credit_notes WHERE id = NEW.credit_note_id) = 0, NEW.taxable_value, 0),
    credited_cgst = credited_cgst + NEW.cgst_amount,
    credited_sgst = credited_sgst + NEW.sgst_amount,
    credited_igst = credited_igst + NEW.igst_amount
  WHERE invoice_item_id = NEW.invoice_item_id;
END;

CREATE TRIGGER credit_note_item_is_immutable BEFORE UPDATE ON credit_note_items BEGIN
  SELECT RAISE(ABORT, 'append_only');
END;

CREATE TRIGGER credit_note_item_is_not_deleted BEFORE DELETE ON credit_note_items BEGIN
  SELECT RAISE(ABORT, 'append_only');
END;

-- A package whose line is wholly credited is cancelled; one whose line is credited in part needs review.
CREATE TRIGGER credited_line_cancels_its_package AFTER UPDATE OF credited_taxable ON credited_lines
WHEN NEW.credited_taxable > OLD.credited_taxable BEGIN
  UPDATE booking_packages SET status = 'cancelled', updated_at = credited.at
  FROM (
    SELECT sales_order_id, position, max(credit_notes.created_at) AS at FROM invoice_items
    JOIN invoices ON invoices.id = invoice_items.invoice_id JOIN credit_notes ON credit_notes.invoice_id = invoices.id
    WHERE invoice_items.id = NEW.invoice_item_id GROUP BY sales_order_id, position
  ) AS credited
  WHERE NEW.credited_taxable = NEW.taxable_value AND booking_packages.status = 'active'
    AND order_id = credited.sales_order_id AND line = credited.position;
  UPDATE sales_orders SET review_code = 'package_credited', updated_at = credited.at
  FROM (
    SELECT sales_order_id, position, max(credit_notes.created_at) AS at FROM invoice_items
    JOIN invoices ON invoices.id = invoice_items.invoice_id JOIN credit_notes ON credit_notes.invoice_id = invoices.id
    WHERE invoice_items.id = NEW.invoice_item_id GROUP BY sales_order_id, position
  ) AS credited
  WHERE NEW.credited_taxable < NEW.taxable_value AND sales_orders.id = credited.sales_order_id AND review_code IS NULL
    AND EXISTS (
      SELECT 1 FROM booking_packages WHERE status = 'active' AND order_id = sales_orders.id AND line = credited.position
    );
END;

-- What of a note took off the amount due of an invoice: its own first, then any of the same customer.
CREATE TABLE credit_applications (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  credit_note_id INTEGER NOT NULL REFERENCES credit_notes (id),
  invoice_id INTEGER NOT NULL REFERENCES invoices (id),
  amount INTEGER NOT NULL,
  removed_at INTEGER,
  created_at INTEGER NOT NULL,
  CONSTRAINT credit_application_amount CHECK (amount > 0)
) STRICT;

CREATE INDEX credit_applications_note ON credit_applications (credit_note_id) WHERE removed_at IS NULL;
CREATE INDEX credit_applications_invoice ON credit_applications (invoice_id) WHERE removed_at IS NULL;

-- A note that stands is applied to an invoice that stands, of the same customer and currency.
CREATE TRIGGER credit_application_fits BEFORE INSERT ON credit_applications BEGIN
  SELECT CASE WHEN credit_notes.status <> 'issued' THEN RAISE(ABORT, 'credit_note_voided')
    WHEN invoices.status = 'voided' THEN RAISE(ABORT, 'invoice_voided')
    WHEN invoices.customer_id <> credit_notes.customer_id OR invoices.currency <> own.currency
    THEN RAISE(ABORT, 'append_only') END
  FROM credit_notes JOIN invoices AS own ON own.id = credit_notes.invoice_id JOIN invoices ON invoices.id = NEW.invoice_id
  WHERE credit_notes.id = NEW.credit_note_id;
END;

-- The note has less, and less is due; the CHECKs of both refuse more than there is.
CREATE TRIGGER credit_application_is_settled AFTER INSERT ON credit_applications BEGIN
  UPDATE credit_notes SET applied_amount = applied_amount + NEW.amount, updated_at = NEW.created_at
  WHERE id = NEW.credit_note_id;
  UPDATE invoices SET
    amount_credited = amount_credited + NEW.amount,
    amount_due = amount_due - NEW.amount,
    overdue_since = iif(amount_due = NEW.amount, NULL, overdue_since),
    updated_at = NEW.created_at
  WHERE id = NEW.invoice_id;
END;

-- An application that is removed gives its amount back to the note, and to what is due of an invoice that stands.
CREATE TRIGGER removed_credit_application_is_due AFTER UPDATE OF removed_at ON credit_applications
WHEN OLD.removed_at IS NULL AND NEW.removed_at IS NOT NULL BEGIN
  UPDATE credit_notes SET applied_amount = applied_amount - NEW.amount, updated_at = NEW.removed_at
  WHERE id = NEW.credit_note_id;
  UPDATE invoices SET amount_credited = amount_credited - NEW.amount, amount_due = amount_due + NEW.amount,
    due_raises = due_raises + 1, updated_at = NEW.removed_at
  WHERE id = NEW.invoice_id AND status <> 'voided';
END;

CREATE TRIGGER credit_application_is_immutable BEFORE UPDATE ON credit_applications
WHEN OLD.removed_at IS NOT NULL OR NEW.credit_note_id <> OLD.credit_note_id OR NEW.invoice_id <> OLD.invoice_id
  OR NEW.amount <> OLD.amount BEGIN
  SELECT RAISE(ABORT, 'append_only');
END;

-- As `own_credit_is_applied`, if another invoice, to which it was applied, is voided, or if its refund failed.
CREATE TRIGGER returned_credit_is_applied AFTER UPDATE OF applied_amount, gateway_refunded_amount ON credit_notes
WHEN (NEW.applied_amount < OLD.applied_amount OR NEW.gateway_refunded_amount < OLD.gateway_refunded_amount) AND NEW.status = 'issued' BEGIN
  INSERT INTO credit_applications (credit_note_id, invoice_id, amount, created_at)
  SELECT NEW.id, id, min(amount_due, NEW.unapplied_amount), NEW.updated_at FROM invoices
  WHERE id = NEW.invoice_id AND amount_due > 0;
  -- What is left then is the paper of what its gateway gave back by itself.
  UPDATE gateway_refunds SET credit_note_id = NEW.id WHERE id IN (
    SELECT id FROM (
      SELECT id, sum(owed) OVER (ORDER BY owed, id) AS so_far FROM uncovered_refunds_of_invoices WHERE invoice_id = NEW.invoice_id
    ) WHERE so_far <= (SELECT sum(unapplied_amount) FROM credit_notes WHERE invoice_id = NEW.invoice_id)
  );
END;

-- A voided invoice gives back the credit that was applied to it.
CREATE TRIGGER voided_invoice_returns_its_credit AFTER UPDATE OF status ON invoices
WHEN NEW.status = 'voided' AND OLD.status <> 'voided' BEGIN
  UPDATE credit_applications SET removed_at = NEW.voided_at WHERE invoice_id = NEW.id AND removed_at IS NULL;
END;

-- Money that was given back by hand.
CREATE TABLE credit_payouts (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  operation TEXT NOT NULL UNIQUE,
  credit_note_id INTEGER NOT NULL REFERENCES credit_notes (id),
  amount INTEGER NOT NULL,
  payout_date TEXT NOT NULL,
  payment_mode_id INTEGER NOT NULL REFERENCES payment_modes (id),
  reference_number TEXT,
  created_at INTEGER NOT NULL,
  CONSTRAINT credit_payout_amount CHECK (amount > 0)
) STRICT;

CREATE INDEX credit_payouts_note ON credit_payouts (credit_note_id);

CREATE TRIGGER credit_payout_date_is_open BEFORE INSERT ON credit_payouts BEGIN
  SELECT RAISE(ABORT, 'payout_before_note')
  WHERE NEW.payout_date < (SELECT note_date FROM credit_notes WHERE id = NEW.credit_note_id);
  SELECT RAISE(ABORT, 'period_locked') WHERE NEW.payout_date <= (SELECT locked_through FROM books_settings);
END;

-- The note has less; its CHECK refuses more than there is.
CREATE TRIGGER credit_payout_is_taken AFTER INSERT ON credit_payouts BEGIN
  UPDATE credit_notes SET paid_out_amount = paid_out_amount + NEW.amount, updated_at = NEW.created_at
  WHERE id = NEW.credit_note_id;
END;

CREATE TRIGGER credit_payout_is_immutable BEFORE UPDATE ON credit_payouts BEGIN
  SELECT RAISE(ABORT, 'append_only');
END;

CREATE TRIGGER credit_payout_is_not_deleted BEFORE DELETE ON credit_payouts BEGIN
  SELECT RAISE(ABORT, 'append_only');
END;

-- A new note, once it is issued; a note, voided.
CREATE TRIGGER credit_note_event_update AFTER UPDATE OF status ON credit_notes WHEN NEW.status <> OLD.status BEGIN
  INSERT INTO events (type, resource, record_id, previous, related) VALUES (
    iif(NEW.status = 'issued', 'credit_note.created', 'credit_note.voided'), 'credit_note', NEW.id,
    iif(NEW.status = 'issued', NULL, json_object('status', OLD.status)),
    json_object('invoice_id', CAST(NEW.invoice_id AS TEXT))
  );
END;

-- Aborts with the code of credit notes.
CREATE TRIGGER refusal_credit_notes BEFORE INSERT ON refusal
WHEN NEW.code IN ('credit_note_voided', 'credit_exceeds_invoice') BEGIN
  SELECT CASE NEW.code
    WHEN 'credit_note_voided' THEN RAISE(ABORT, 'credit_note_voided')
    WHEN 'credit_exceeds_invoice' THEN RAISE(ABORT, 'credit_exceeds_invoice')
  END;
END;

-- The first part of the numbers of commercial notes. Notes of before this series have numbers of the others.
INSERT INTO number_prefixes (prefix, series) VALUES ('CCRN', 'commercial_credit_note');
