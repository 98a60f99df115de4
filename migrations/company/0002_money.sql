-- Products and stock, payments, and what the company's profile says of them.
-- Units as in 0001; product prices are money in minor units.

DROP TRIGGER refusal_aborts;

CREATE TRIGGER refusal_aborts BEFORE INSERT ON refusal BEGIN
  SELECT CASE NEW.code
    WHEN 'not_found' THEN RAISE(ABORT, 'not_found')
    WHEN 'invoice_voided' THEN RAISE(ABORT, 'invoice_voided')
    WHEN 'stock_not_tracked' THEN RAISE(ABORT, 'stock_not_tracked')
    WHEN 'in_use' THEN RAISE(ABORT, 'in_use')
    WHEN 'account_gone' THEN RAISE(ABORT, 'account_gone')
    WHEN 'unit_gone' THEN RAISE(ABORT, 'unit_gone')
    WHEN 'category_gone' THEN RAISE(ABORT, 'category_gone')
  END;
  SELECT RAISE(ABORT, 'unknown_refusal');
END;

ALTER TABLE profile ADD COLUMN phone TEXT;
ALTER TABLE profile ADD COLUMN logo_url TEXT;
ALTER TABLE profile ADD COLUMN upi_id TEXT;
ALTER TABLE profile ADD COLUMN allow_negative_stock INTEGER NOT NULL DEFAULT 0
  CONSTRAINT profile_flags CHECK (allow_negative_stock IN (0, 1));

-- What the service itself posts to may be renamed or switched off, but not removed.
ALTER TABLE accounts ADD COLUMN is_system INTEGER NOT NULL DEFAULT 0;
UPDATE accounts SET is_system = 1 WHERE party_id IS NULL;

-- Products and stock --------------------------------------------------------------------------------------------

CREATE TABLE categories (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL UNIQUE COLLATE NOCASE,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;

CREATE TABLE products (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  operation TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  sku TEXT,
  description TEXT,
  product_type TEXT NOT NULL,
  category_id INTEGER REFERENCES categories (id),
  unit_id INTEGER NOT NULL REFERENCES units (id),
  selling_price INTEGER NOT NULL,
  purchase_price INTEGER,
  mrp INTEGER,
  tax_rate INTEGER NOT NULL,
  price_includes_tax INTEGER NOT NULL,
  hsn_sac_code TEXT,
  status TEXT NOT NULL,
  is_storefront_visible INTEGER NOT NULL,
  track_stock INTEGER NOT NULL,
  is_batch_tracked INTEGER NOT NULL,
  opening_stock INTEGER NOT NULL DEFAULT 0,
  low_stock_threshold INTEGER,
  current_stock INTEGER NOT NULL DEFAULT 0,
  duration_minutes INTEGER,
  transmission TEXT,
  is_package INTEGER NOT NULL DEFAULT 0,
  sessions INTEGER,
  metadata TEXT NOT NULL DEFAULT '{}',
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  CONSTRAINT product_type CHECK (product_type IN ('goods', 'service')),
  CONSTRAINT product_status CHECK (status IN ('active', 'inactive')),
  CONSTRAINT product_transmission CHECK (transmission IS NULL OR transmission IN ('auto', 'manual')),
  CONSTRAINT product_metadata CHECK (json_valid(metadata)),
  CONSTRAINT product_flags CHECK (
    price_includes_tax IN (0, 1) AND is_storefront_visible IN (0, 1) AND track_stock IN (0, 1)
    AND is_batch_tracked IN (0, 1) AND is_package IN (0, 1)
  )
) STRICT;

CREATE UNIQUE INDEX products_sku ON products (sku) WHERE sku IS NOT NULL;
CREATE INDEX products_category ON products (category_id, id);
CREATE INDEX products_unit ON products (unit_id);

CREATE VIRTUAL TABLE products_search USING fts5 (name, sku, content = '', contentless_delete = 1, tokenize = 'trigram');

CREATE TRIGGER products_search_insert AFTER INSERT ON products BEGIN
  INSERT INTO products_search (rowid, name, sku) VALUES (NEW.id, NEW.name, NEW.sku);
END;

CREATE TRIGGER products_search_update AFTER UPDATE OF name, sku ON products BEGIN
  DELETE FROM products_search WHERE rowid = OLD.id;
  INSERT INTO products_search (rowid, name, sku) VALUES (NEW.id, NEW.name, NEW.sku);
END;

-- Whether stock is tracked is decided when a product is made; what it holds is the sum of its movements.
CREATE TRIGGER product_tracking_is_fixed BEFORE UPDATE OF track_stock, is_batch_tracked, opening_stock ON products
WHEN NEW.track_stock <> OLD.track_stock OR NEW.is_batch_tracked <> OLD.is_batch_tracked
  OR NEW.opening_stock <> OLD.opening_stock BEGIN
  SELECT RAISE(ABORT, 'tracking_is_fixed');
END;

CREATE TABLE batches (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  product_id INTEGER NOT NULL REFERENCES products (id),
  batch_number TEXT NOT NULL,
  quantity INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  UNIQUE (product_id, batch_number)
) STRICT;

CREATE TABLE stock_movements (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  operation TEXT NOT NULL,
  product_id INTEGER NOT NULL REFERENCES products (id),
  batch_id INTEGER REFERENCES batches (id),
  type TEXT NOT NULL,
  quantity INTEGER NOT NULL,
  unit_cost INTEGER,
  balance_after INTEGER,
  allow_negative INTEGER NOT NULL DEFAULT 0,
  reference_type TEXT,
  reference_id INTEGER,
  reason TEXT,
  notes TEXT,
  created_at INTEGER NOT NULL,
  CONSTRAINT movement_type CHECK (
    type IN ('opening', 'sale', 'void_restore', 'adjust_increase', 'adjust_decrease', 'order_sale')
  ),
  CONSTRAINT movement_moves CHECK (quantity <> 0)
) STRICT;

CREATE INDEX stock_movements_operation ON stock_movements (operation, product_id, id);
CREATE INDEX stock_movements_product ON stock_movements (product_id, id);
CREATE INDEX stock_movements_reference ON stock_movements (reference_type, reference_id);

CREATE TRIGGER stock_does_not_fall_below_zero BEFORE INSERT ON stock_movements
WHEN NEW.quantity < 0 AND NEW.type IN ('sale', 'adjust_decrease') AND NEW.allow_negative = 0
  AND (SELECT current_stock FROM products WHERE id = NEW.product_id) + NEW.quantity < 0 BEGIN
  SELECT RAISE(ABORT, 'insufficient_stock');
END;

CREATE TRIGGER stock_follows_its_movements AFTER INSERT ON stock_movements BEGIN
  UPDATE products SET current_stock = current_stock + NEW.quantity WHERE id = NEW.product_id;
  UPDATE batches SET quantity = quantity + NEW.quantity WHERE id = NEW.batch_id;
  UPDATE stock_movements SET balance_after = (SELECT current_stock FROM products WHERE id = NEW.product_id)
  WHERE id = NEW.id;
END;

CREATE TRIGGER stock_movements_are_append_only_update BEFORE UPDATE ON stock_movements
WHEN OLD.balance_after IS NOT NULL BEGIN
  SELECT RAISE(ABORT, 'append_only');
END;

CREATE TRIGGER stock_movements_are_append_only_delete BEFORE DELETE ON stock_movements BEGIN
  SELECT RAISE(ABORT, 'append_only');
END;

-- Payments ------------------------------------------------------------------------------------------------------

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
  source TEXT NOT NULL DEFAULT 'api',
  deleted_at INTEGER,
  removed_by TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  CONSTRAINT payment_removal CHECK ((deleted_at IS NULL) = (removed_by IS NULL)),
  CONSTRAINT payment_amounts CHECK (amount > 0 AND tds_amount >= 0)
) STRICT;

CREATE INDEX payments_live ON payments (id) WHERE deleted_at IS NULL;
CREATE INDEX payments_invoice ON payments (invoice_id, id) WHERE deleted_at IS NULL;
CREATE INDEX payments_customer ON payments (customer_id, id) WHERE deleted_at IS NULL;
CREATE INDEX payments_invoice_customer ON payments (invoice_id, customer_id, id) WHERE deleted_at IS NULL;
CREATE INDEX payments_removed_by ON payments (removed_by) WHERE removed_by IS NOT NULL;
CREATE UNIQUE INDEX payments_gateway ON payments (gateway, gateway_payment_id) WHERE gateway IS NOT NULL;

-- Only what is dead may be forgotten: a payment is removed by marking it, and its entry stays in the books, reversed.
CREATE TRIGGER payment_is_not_deleted BEFORE DELETE ON payments BEGIN
  SELECT RAISE(ABORT, 'append_only');
END;

CREATE TRIGGER refunded_payment_is_final BEFORE UPDATE ON payments WHEN OLD.deleted_at IS NOT NULL BEGIN
  SELECT RAISE(ABORT, 'append_only');
END;

-- Voiding an invoice takes its payments with it; which call did it is told by both rows.
ALTER TABLE invoices ADD COLUMN voided_by TEXT;

CREATE TRIGGER voided_invoice_removes_its_payments AFTER UPDATE OF status ON invoices
WHEN NEW.status = 'voided' AND OLD.status <> 'voided' BEGIN
  UPDATE payments SET deleted_at = NEW.voided_at, removed_by = NEW.voided_by, updated_at = NEW.voided_at
  WHERE invoice_id = NEW.id AND deleted_at IS NULL;
END;

CREATE TRIGGER voided_invoice_is_final BEFORE UPDATE ON invoices WHEN OLD.status = 'voided' BEGIN
  SELECT RAISE(ABORT, 'invoice_voided');
END;

CREATE TRIGGER payment_needs_a_live_invoice BEFORE INSERT ON payments
WHEN (SELECT status FROM invoices WHERE id = NEW.invoice_id) = 'voided' BEGIN
  SELECT RAISE(ABORT, 'invoice_voided');
END;
