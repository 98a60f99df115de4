-- Payments of invoices. They are removed by marking them.

CREATE TABLE payment_modes (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL UNIQUE COLLATE NOCASE,
  mode_type TEXT NOT NULL,
  account_id INTEGER REFERENCES accounts (id),
  is_active INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  CONSTRAINT payment_mode_type CHECK (mode_type IN ('cash', 'bank', 'upi', 'card', 'cheque', 'online')),
  CONSTRAINT payment_mode_flags CHECK (is_active IN (0, 1))
) STRICT;

INSERT INTO payment_modes (name, mode_type, created_at, updated_at)
SELECT column1, column2, applied_at, applied_at
FROM (VALUES
  ('Cash', 'cash'), ('Bank Transfer', 'bank'), ('UPI', 'upi'), ('Cheque', 'cheque'), ('Card', 'card'), ('Online', 'online')
), (SELECT max(applied_at) AS applied_at FROM migrations);

CREATE TABLE payments (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  operation TEXT NOT NULL UNIQUE,
  payment_number TEXT NOT NULL UNIQUE,
  invoice_id INTEGER NOT NULL REFERENCES invoices (id),
  customer_id INTEGER NOT NULL REFERENCES customers (id),
  amount INTEGER NOT NULL,
  tds_amount INTEGER NOT NULL DEFAULT 0,
  tds_section TEXT,
  currency TEXT NOT NULL,
  payment_date TEXT NOT NULL,
  payment_mode_id INTEGER NOT NULL REFERENCES payment_modes (id),
  reference_number TEXT,
  notes TEXT,
  gateway TEXT,
  gateway_payment_id TEXT,
  -- 1 if the money waited in Customer Advances, from where its entry takes it.
  is_advance INTEGER NOT NULL DEFAULT 0,
  source TEXT NOT NULL DEFAULT 'api',
  deleted_at INTEGER,
  removed_by TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  CONSTRAINT payment_removal CHECK ((deleted_at IS NULL) = (removed_by IS NULL)),
  CONSTRAINT payment_amounts CHECK (amount > 0 AND tds_amount >= 0),
  CONSTRAINT payment_gateway CHECK ((gateway IS NULL) = (gateway_payment_id IS NULL)),
  CONSTRAINT payment_flags CHECK (is_advance = 0 OR (is_advance = 1 AND gateway IS NOT NULL))
) STRICT;

CREATE INDEX payments_live ON payments (id) WHERE deleted_at IS NULL;
CREATE INDEX payments_invoice ON payments (invoice_id, id) WHERE deleted_at IS NULL;
CREATE INDEX payments_customer ON payments (customer_id, id) WHERE deleted_at IS NULL;
CREATE INDEX payments_invoice_customer ON payments (invoice_id, customer_id, id) WHERE deleted_at IS NULL;
CREATE INDEX payments_removed_by ON payments (removed_by) WHERE removed_by IS NOT NULL;
-- Several may be of one gateway payment: its capture bounds what they are together.
CREATE INDEX payments_gateway ON payments (gateway, gateway_payment_id) WHERE gateway IS NOT NULL;

-- For a customer's payments of one day.
CREATE INDEX payments_customer_day ON payments (customer_id, payment_date) WHERE deleted_at IS NULL;

-- A payment is removed by marking it, and its entry stays in the books, reversed.
CREATE TRIGGER payment_is_not_deleted BEFORE DELETE ON payments BEGIN
  SELECT RAISE(ABORT, 'append_only');
END;

-- A removed payment never changes.
CREATE TRIGGER refunded_payment_is_final BEFORE UPDATE ON payments WHEN OLD.deleted_at IS NOT NULL BEGIN
  SELECT RAISE(ABORT, 'append_only');
END;

-- No payment is recorded in a locked period. One of such a day may be refunded: its reversal is of today.
CREATE TRIGGER payment_date_is_open BEFORE INSERT ON payments
WHEN NEW.payment_date <= (SELECT locked_through FROM books_settings) BEGIN
  SELECT RAISE(ABORT, 'period_locked');
END;

-- A voided invoice takes no payment.
CREATE TRIGGER payment_needs_a_live_invoice BEFORE INSERT ON payments
WHEN (SELECT status FROM invoices WHERE id = NEW.invoice_id) = 'voided' BEGIN
  SELECT RAISE(ABORT, 'invoice_voided');
END;

-- A refund or a void takes back the packages that were bought with the money.
CREATE TRIGGER removed_payment_cancels_its_packages AFTER UPDATE OF deleted_at ON payments
WHEN NEW.deleted_at IS NOT NULL AND OLD.deleted_at IS NULL BEGIN
  UPDATE booking_packages SET status = 'cancelled', updated_at = NEW.deleted_at
  WHERE status = 'active' AND order_id = (SELECT sales_order_id FROM invoices WHERE id = NEW.invoice_id);
END;

-- A refund or a void moves no money: money that came through a gateway is still there, and owed.
CREATE TRIGGER removed_gateway_payment_is_owed AFTER UPDATE OF deleted_at ON payments
WHEN NEW.deleted_at IS NOT NULL AND OLD.deleted_at IS NULL AND NEW.gateway_payment_id IS NOT NULL BEGIN
  UPDATE sales_orders SET needs_refund = 1, updated_at = NEW.deleted_at
  WHERE id = (SELECT sales_order_id FROM invoices WHERE id = NEW.invoice_id);
END;
