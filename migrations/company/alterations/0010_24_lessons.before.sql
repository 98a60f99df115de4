-- Money for lessons in the books: receipts where no invoice is issued, what is sold, and what of it has been earned.

-- Of a company that charges tax it is a receipt voucher (CGST Rules, 50), which ends by an invoice or by a refund voucher (51).
CREATE TABLE lesson_receipts (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  operation TEXT NOT NULL UNIQUE,
  receipt_number TEXT NOT NULL UNIQUE,
  booking_id TEXT NOT NULL REFERENCES bookings (id),
  customer_id INTEGER NOT NULL REFERENCES customers (id),
  customer TEXT NOT NULL,
  seller TEXT NOT NULL,
  receipt_date TEXT NOT NULL,
  currency TEXT NOT NULL,
  item_name TEXT NOT NULL,
  hsn_sac_code TEXT,
  is_voucher INTEGER NOT NULL,
  place_of_supply_code TEXT,
  place_of_supply_name TEXT,
  tax_rate INTEGER NOT NULL,
  taxable_amount INTEGER NOT NULL,
  cgst_amount INTEGER NOT NULL,
  sgst_amount INTEGER NOT NULL,
  igst_amount INTEGER NOT NULL,
  amount INTEGER NOT NULL,
  gateway TEXT,
  gateway_payment_id TEXT,
  payment_mode_id INTEGER REFERENCES payment_modes (id),
  -- 1 if the money waited in Customer Advances, from where its entry takes it.
  is_advance INTEGER NOT NULL DEFAULT 0,
  -- The refund voucher, and its day.
  refund_number TEXT UNIQUE,
  refund_date TEXT,
  -- The call that ended it: its money was paid back, or an invoice took its place.
  ended_by TEXT,
  created_at INTEGER NOT NULL,
  CONSTRAINT lesson_receipt_amount CHECK (
    amount > 0 AND amount = taxable_amount + cgst_amount + sgst_amount + igst_amount
    AND min(taxable_amount, cgst_amount, sgst_amount, igst_amount) >= 0
  ),
  CONSTRAINT lesson_receipt_way CHECK (
    (gateway IS NULL) = (gateway_payment_id IS NULL) AND (gateway IS NULL) = (payment_mode_id IS NOT NULL)
  ),
  CONSTRAINT lesson_receipt_refund CHECK (
    (refund_number IS NULL) = (refund_date IS NULL) AND (refund_number IS NULL OR ended_by IS NOT NULL)
  ),
  CONSTRAINT lesson_receipt_json CHECK (json_valid(customer) AND json_valid(seller)),
  CONSTRAINT lesson_receipt_flags CHECK (
    is_voucher IN (0, 1) AND (is_advance = 0 OR (is_advance = 1 AND gateway IS NOT NULL))
  )
) STRICT;

CREATE INDEX lesson_receipts_gateway ON lesson_receipts (gateway, gateway_payment_id) WHERE gateway IS NOT NULL;
CREATE UNIQUE INDEX lesson_receipts_live ON lesson_receipts (booking_id) WHERE ended_by IS NULL;
CREATE INDEX lesson_receipts_booking ON lesson_receipts (booking_id, id);
CREATE INDEX lesson_receipts_ended ON lesson_receipts (ended_by) WHERE ended_by IS NOT NULL;

-- A receipt never changes, except that it ends once.
CREATE TRIGGER lesson_receipt_is_final BEFORE UPDATE ON lesson_receipts
WHEN OLD.ended_by IS NOT NULL OR NEW.ended_by IS NULL OR (
  NEW.id, NEW.operation, NEW.receipt_number, NEW.booking_id, NEW.customer_id, NEW.customer, NEW.seller, NEW.receipt_date,
  NEW.currency, NEW.item_name, NEW.hsn_sac_code, NEW.is_voucher, NEW.place_of_supply_code, NEW.tax_rate,
  NEW.taxable_amount, NEW.cgst_amount, NEW.sgst_amount, NEW.igst_amount, NEW.amount, NEW.gateway, NEW.gateway_payment_id,
  NEW.payment_mode_id, NEW.is_advance, NEW.created_at
) IS NOT (
  OLD.id, OLD.operation, OLD.receipt_number, OLD.booking_id, OLD.customer_id, OLD.customer, OLD.seller, OLD.receipt_date,
  OLD.currency, OLD.item_name, OLD.hsn_sac_code, OLD.is_voucher, OLD.place_of_supply_code, OLD.tax_rate,
  OLD.taxable_amount, OLD.cgst_amount, OLD.sgst_amount, OLD.igst_amount, OLD.amount, OLD.gateway, OLD.gateway_payment_id,
  OLD.payment_mode_id, OLD.is_advance, OLD.created_at
) BEGIN
  SELECT RAISE(ABORT, 'append_only');
END;

-- No receipt is deleted.
CREATE TRIGGER lesson_receipt_is_not_deleted BEFORE DELETE ON lesson_receipts BEGIN
  SELECT RAISE(ABORT, 'append_only');
END;

-- A receipt of money through a gateway takes its capture, as a payment does.
CREATE TRIGGER receipt_takes_its_capture AFTER INSERT ON lesson_receipts WHEN NEW.gateway_payment_id IS NOT NULL BEGIN
  UPDATE gateway_captures SET invoiced_amount = invoiced_amount + NEW.amount
  WHERE gateway = NEW.gateway AND gateway_payment_id = NEW.gateway_payment_id;
  SELECT RAISE(ABORT, 'capture_missing') WHERE changes() = 0;
END;

-- An ended receipt leaves its money an advance again.
CREATE TRIGGER ended_receipt_is_an_advance AFTER UPDATE OF ended_by ON lesson_receipts
WHEN NEW.ended_by IS NOT NULL AND OLD.ended_by IS NULL AND NEW.gateway_payment_id IS NOT NULL BEGIN
  UPDATE gateway_captures SET invoiced_amount = invoiced_amount - NEW.amount
  WHERE gateway = NEW.gateway AND gateway_payment_id = NEW.gateway_payment_id;
  INSERT INTO capture_returns SELECT * FROM capture_returns
  WHERE gateway = NEW.gateway AND gateway_payment_id = NEW.gateway_payment_id;
END;

-- What was paid for lessons, before tax, by a line of an invoice or a receipt; Unearned Lesson Income until it is earned.
CREATE TABLE lesson_sales (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  invoice_id INTEGER REFERENCES invoices (id),
  line INTEGER,
  receipt_id INTEGER UNIQUE REFERENCES lesson_receipts (id),
  -- The booking that was paid; null for a package that was bought with an order.
  booking_id TEXT REFERENCES bookings (id),
  -- Null for one lesson, and until the package is granted.
  package_id INTEGER REFERENCES booking_packages (id),
  amount INTEGER NOT NULL,
  earned_amount INTEGER NOT NULL DEFAULT 0,
  -- What credit notes gave back before it was earned.
  credited_amount INTEGER NOT NULL DEFAULT 0,
  -- The call that ended its document.
  ended_by TEXT,
  created_at INTEGER NOT NULL,
  CONSTRAINT lesson_sale_document CHECK (
    (invoice_id IS NULL) = (receipt_id IS NOT NULL) AND (invoice_id IS NULL) = (line IS NULL)
  ),
  CONSTRAINT lesson_sale_earned CHECK (min(earned_amount, credited_amount) >= 0 AND earned_amount + credited_amount <= amount)
) STRICT;

CREATE UNIQUE INDEX lesson_sales_line ON lesson_sales (invoice_id, line) WHERE invoice_id IS NOT NULL;
CREATE UNIQUE INDEX lesson_sales_live ON lesson_sales (booking_id) WHERE booking_id IS NOT NULL AND ended_by IS NULL;
CREATE INDEX lesson_sales_booking ON lesson_sales (booking_id, id) WHERE booking_id IS NOT NULL;
CREATE INDEX lesson_sales_ended ON lesson_sales (ended_by) WHERE ended_by IS NOT NULL;
CREATE INDEX lesson_sales_package ON lesson_sales (package_id) WHERE package_id IS NOT NULL;
CREATE INDEX lesson_sales_unearned ON lesson_sales (id) WHERE ended_by IS NULL AND amount > earned_amount + credited_amount;

-- What a credit note gives back of a lesson is no longer earned.
CREATE TRIGGER credit_note_item_credits_its_lesson AFTER INSERT ON credit_note_items WHEN NEW.unearned_amount > 0 BEGIN
  UPDATE lesson_sales SET credited_amount = credited_amount + NEW.unearned_amount
  WHERE (invoice_id, line) = (SELECT invoice_id, position FROM invoice_items WHERE id = NEW.invoice_item_id);
END;

-- A voided note leaves it to be earned again.
CREATE TRIGGER voided_credit_note_leaves_its_lessons AFTER UPDATE OF status ON credit_notes
WHEN OLD.status = 'issued' AND NEW.status = 'voided' BEGIN
  UPDATE lesson_sales SET credited_amount = credited_amount - item.unearned_amount
  FROM credit_note_items AS item JOIN invoice_items ON invoice_items.id = item.invoice_item_id
  WHERE item.credit_note_id = NEW.id AND lesson_sales.invoice_id = NEW.invoice_id
    AND lesson_sales.line = invoice_items.position;
END;

-- A package that a booking bought is cancelled once its line is wholly credited.
CREATE TRIGGER credited_lesson_cancels_its_package AFTER UPDATE OF credited_taxable ON credited_lines
WHEN NEW.credited_taxable = NEW.taxable_value AND NEW.credited_taxable > OLD.credited_taxable BEGIN
  UPDATE booking_packages SET status = 'cancelled', updated_at = credited.at
  FROM (
    SELECT package_id, max(credit_notes.created_at) AS at FROM invoice_items
    JOIN lesson_sales ON lesson_sales.invoice_id = invoice_items.invoice_id AND lesson_sales.line = invoice_items.position
    JOIN credit_notes ON credit_notes.invoice_id = invoice_items.invoice_id
    WHERE invoice_items.id = NEW.invoice_item_id GROUP BY package_id
  ) AS credited
  WHERE booking_packages.id = credited.package_id AND booking_packages.status = 'active';
END;

-- A package that is granted after its order was invoiced belongs to the sale of its line.
CREATE TRIGGER granted_package_names_its_sale AFTER INSERT ON booking_packages WHEN NEW.order_id IS NOT NULL BEGIN
  UPDATE lesson_sales SET package_id = NEW.id
  WHERE invoice_id = (SELECT invoice_id FROM sales_orders WHERE id = NEW.order_id) AND line = NEW.line;
END;

-- What lessons that were given, or a package that lapsed, earned of a sale.
CREATE TABLE lesson_earnings (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  operation TEXT NOT NULL,
  sale_id INTEGER NOT NULL REFERENCES lesson_sales (id),
  -- The lesson that was given; null where the package lapsed.
  booking_id TEXT REFERENCES bookings (id),
  amount INTEGER NOT NULL,
  entry_date TEXT NOT NULL,
  -- The call that took it back.
  removed_by TEXT,
  created_at INTEGER NOT NULL,
  CONSTRAINT lesson_earning_amount CHECK (amount >= 0)
) STRICT;

CREATE UNIQUE INDEX lesson_earnings_lesson ON lesson_earnings (booking_id) WHERE booking_id IS NOT NULL AND removed_by IS NULL;
CREATE UNIQUE INDEX lesson_earnings_lapse ON lesson_earnings (sale_id) WHERE booking_id IS NULL AND removed_by IS NULL;
CREATE INDEX lesson_earnings_sale ON lesson_earnings (sale_id) WHERE removed_by IS NULL;
CREATE INDEX lesson_earnings_operation ON lesson_earnings (operation);
CREATE INDEX lesson_earnings_removed ON lesson_earnings (removed_by) WHERE removed_by IS NOT NULL;

-- A sale counts what was earned of it.
CREATE TRIGGER earning_counts_insert AFTER INSERT ON lesson_earnings BEGIN
  UPDATE lesson_sales SET earned_amount = earned_amount + NEW.amount WHERE id = NEW.sale_id;
END;

-- What is taken back no longer counts.
CREATE TRIGGER earning_counts_update AFTER UPDATE OF removed_by ON lesson_earnings
WHEN NEW.removed_by IS NOT NULL AND OLD.removed_by IS NULL BEGIN
  UPDATE lesson_sales SET earned_amount = earned_amount - NEW.amount WHERE id = NEW.sale_id;
END;

-- An earning never changes, except that it is taken back once.
CREATE TRIGGER earning_is_final BEFORE UPDATE ON lesson_earnings
WHEN OLD.removed_by IS NOT NULL OR NEW.removed_by IS NULL
  OR (NEW.id, NEW.operation, NEW.sale_id, NEW.booking_id, NEW.amount, NEW.entry_date, NEW.created_at)
    IS NOT (OLD.id, OLD.operation, OLD.sale_id, OLD.booking_id, OLD.amount, OLD.entry_date, OLD.created_at) BEGIN
  SELECT RAISE(ABORT, 'append_only');
END;

-- No earning is deleted.
CREATE TRIGGER earning_is_not_deleted BEFORE DELETE ON lesson_earnings BEGIN
  SELECT RAISE(ABORT, 'append_only');
END;

-- With its document a sale ends, and nothing of it is earned.
CREATE TRIGGER voided_invoice_ends_its_lessons AFTER UPDATE OF status ON invoices
WHEN NEW.status = 'voided' AND OLD.status <> 'voided' BEGIN
  UPDATE lesson_sales SET ended_by = NEW.voided_by WHERE invoice_id = NEW.id;
END;

-- The same of a receipt.
CREATE TRIGGER ended_receipt_ends_its_lesson AFTER UPDATE OF ended_by ON lesson_receipts
WHEN NEW.ended_by IS NOT NULL AND OLD.ended_by IS NULL BEGIN
  UPDATE lesson_sales SET ended_by = NEW.ended_by WHERE receipt_id = NEW.id;
END;

-- What was earned of a sale is taken back with it.
CREATE TRIGGER ended_sale_earns_nothing AFTER UPDATE OF ended_by ON lesson_sales
WHEN NEW.ended_by IS NOT NULL AND OLD.ended_by IS NULL BEGIN
  UPDATE lesson_earnings SET removed_by = NEW.ended_by WHERE sale_id = NEW.id AND removed_by IS NULL;
END;
