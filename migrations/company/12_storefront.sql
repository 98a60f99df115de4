-- Orders of headless shops, what they grant, and what they owe.

CREATE TABLE sales_orders (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  operation TEXT NOT NULL UNIQUE,
  order_number TEXT NOT NULL UNIQUE,
  status TEXT NOT NULL DEFAULT 'draft',
  payment_status TEXT NOT NULL DEFAULT 'unpaid',
  -- 1 if money came that is owed back: a second payment of the same order.
  needs_refund INTEGER NOT NULL DEFAULT 0,
  currency TEXT NOT NULL,
  customer_id INTEGER NOT NULL REFERENCES customers (id),
  -- The shopper as the shop sent it, as JSON.
  customer TEXT NOT NULL,
  -- The lines as priced at checkout, as JSON.
  items TEXT NOT NULL,
  tax_amount INTEGER NOT NULL,
  shipping_amount INTEGER NOT NULL,
  total_amount INTEGER NOT NULL,
  source_website TEXT NOT NULL,
  return_url TEXT NOT NULL,
  cancel_url TEXT NOT NULL,
  notes TEXT,
  metadata TEXT NOT NULL DEFAULT '{}',
  invoice_id INTEGER UNIQUE REFERENCES invoices (id),
  -- 1 if its sale took stock below zero.
  oversold INTEGER NOT NULL DEFAULT 0
    CONSTRAINT order_oversold CHECK (oversold IN (0, 1)),
  -- What came above the price.
  overcaptured_amount INTEGER NOT NULL DEFAULT 0
    CONSTRAINT order_overcaptured CHECK (overcaptured_amount >= 0),
  -- 1 if a package of the paid order could not be granted, because its product no longer names a lesson.
  packages_missing INTEGER NOT NULL DEFAULT 0
    CONSTRAINT order_packages_missing CHECK (packages_missing IN (0, 1)),
  -- When a person last reviewed it, and the reference of a refund outside of this service.
  reviewed_at INTEGER,
  outside_reference TEXT,
  -- With `packages_missing` the order is invoiced, and the staff must grant the package by hand.
  review_code TEXT CONSTRAINT order_review_code CHECK (review_code IN (
    'amount_mismatch', 'tax_amount_implausible', 'customer_gone', 'effect_refused', 'oversold', 'refunded_at_gateway',
    'overcaptured', 'packages_missing', 'package_credited'
  )),
  -- What of the money that came for it went back through gateways.
  refund_status TEXT NOT NULL DEFAULT 'none'
    CONSTRAINT order_refund_status CHECK (refund_status IN ('none', 'pending', 'partial', 'refunded')),
  refunded_amount INTEGER NOT NULL DEFAULT 0 CONSTRAINT order_refunded CHECK (refunded_amount >= 0),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  paid_at INTEGER,
  CONSTRAINT order_status CHECK (status IN ('draft', 'invoiced', 'cancelled')),
  CONSTRAINT order_payment_status CHECK (payment_status IN ('unpaid', 'paid', 'review')),
  CONSTRAINT order_flags CHECK (needs_refund IN (0, 1)),
  CONSTRAINT order_total CHECK (total_amount > 0 AND tax_amount >= 0 AND shipping_amount >= 0),
  CONSTRAINT order_invoice CHECK ((status = 'invoiced') = (invoice_id IS NOT NULL)),
  CONSTRAINT order_paid CHECK ((status = 'invoiced') = (payment_status = 'paid')),
  CONSTRAINT order_json CHECK (json_valid(customer) AND json_valid(items) AND json_valid(metadata))
) STRICT;

CREATE INDEX sales_orders_customer ON sales_orders (customer_id) WHERE status = 'draft';

-- One index for each filter of the list, in the order of the list.
CREATE INDEX sales_orders_created ON sales_orders (created_at);
CREATE INDEX sales_orders_status ON sales_orders (status, created_at);
CREATE INDEX sales_orders_payment_status ON sales_orders (payment_status, created_at);
CREATE INDEX sales_orders_of_customer ON sales_orders (customer_id, created_at);
CREATE INDEX sales_orders_needs_review ON sales_orders (created_at) WHERE review_code IS NOT NULL;
CREATE INDEX sales_orders_review_code ON sales_orders (review_code, created_at) WHERE review_code IS NOT NULL;
CREATE INDEX sales_orders_refund_status ON sales_orders (refund_status, created_at) WHERE refund_status <> 'none';
CREATE INDEX sales_orders_needs_refund ON sales_orders (created_at) WHERE needs_refund = 1;

-- For finding a person.
CREATE INDEX sales_orders_phone ON sales_orders (
  substr(replace(replace(replace(replace(replace(replace(customer ->> '$.phone', ' ', ''), '-', ''), '.', ''), '(', ''), ')', ''), '/', ''), -9)
) WHERE customer ->> '$.phone' IS NOT NULL;

-- An order's invoice comes with its paid intent, of the same amount, or not at all.
CREATE TRIGGER order_is_invoiced_once_paid BEFORE UPDATE OF status ON sales_orders
WHEN NEW.status = 'invoiced' AND (
  OLD.status = 'invoiced'
  OR NOT EXISTS (
    SELECT 1 FROM payment_intents
    WHERE kind = 'order' AND ref_id = CAST(NEW.id AS TEXT) AND status = 'paid'
      AND amount = NEW.total_amount AND currency = NEW.currency
  )
  OR (SELECT total_amount FROM invoices WHERE id = NEW.invoice_id) IS NOT NEW.total_amount
) BEGIN
  SELECT RAISE(ABORT, 'intent_moved');
END;

-- An invoiced order keeps its invoice and its total.
CREATE TRIGGER invoiced_order_is_final BEFORE UPDATE ON sales_orders
WHEN OLD.status = 'invoiced' AND (
  NEW.status <> OLD.status OR NEW.invoice_id IS NOT OLD.invoice_id OR NEW.total_amount <> OLD.total_amount
) BEGIN
  SELECT RAISE(ABORT, 'intent_moved');
END;

-- What came for an order is of the order's customer.
CREATE TRIGGER matched_order_names_its_captures AFTER UPDATE OF customer_id ON sales_orders
WHEN NEW.customer_id <> OLD.customer_id BEGIN
  UPDATE gateway_captures SET customer_id = NEW.customer_id
  WHERE intent_id IN (SELECT id FROM payment_intents WHERE kind = 'order' AND ref_id = CAST(NEW.id AS TEXT));
END;

-- The search finds a new order.
CREATE TRIGGER sales_orders_search_insert AFTER INSERT ON sales_orders BEGIN
  INSERT INTO sales_orders_search (rowid, order_number, name, email)
  VALUES (NEW.id, NEW.order_number, NEW.customer ->> '$.name', NEW.customer ->> '$.email');
END;

-- Grants the paid packages, in sessions (quantities are thousandths); an order whose lesson is gone needs review.
CREATE TRIGGER paid_order_grants_its_packages AFTER UPDATE OF status ON sales_orders
WHEN NEW.status = 'invoiced' AND OLD.status <> 'invoiced' BEGIN
  INSERT INTO booking_packages
    (operation, customer_id, product_id, name, sessions_total, expires_at, status, order_id, line, contact_email_lower,
    contact_last9, customer_confirmed, created_at, updated_at)
  SELECT 'order:' || NEW.id || ':' || (line.key + 1), NEW.customer_id, lesson.id, line.value ->> '$.name',
    product.sessions * (line.value ->> '$.quantity') / 1000, NEW.paid_at + product.package_days * 86400000, 'active',
    NEW.id, line.key + 1, lower(NEW.customer ->> '$.email'),
    substr(replace(replace(replace(replace(replace(replace(NEW.customer ->> '$.phone', ' ', ''), '-', ''), '.', ''), '(', ''), ')', ''), '/', ''), -9),
    (SELECT operation = NEW.operation FROM customers WHERE id = NEW.customer_id), NEW.paid_at, NEW.paid_at
  FROM json_each(NEW.items) line CROSS JOIN products product ON product.id = line.value ->> '$.productId'
    CROSS JOIN products lesson ON lesson.id = product.lesson_product_id AND lesson.status = 'active'
  WHERE product.is_package = 1 AND product.sessions * (line.value ->> '$.quantity') >= 1000;
  UPDATE sales_orders SET packages_missing = 1, review_code = 'packages_missing' WHERE id = NEW.id AND EXISTS (
    SELECT 1 FROM json_each(NEW.items) line CROSS JOIN products product ON product.id = line.value ->> '$.productId'
    WHERE product.is_package = 1 AND NOT EXISTS (
      SELECT 1 FROM booking_packages WHERE order_id = NEW.id AND booking_packages.line = line.key + 1
    )
  );
END;

-- A number is never given again: erased orders are counted by year, to explain the gaps.
CREATE TRIGGER erased_order_is_counted AFTER DELETE ON sales_orders BEGIN
  INSERT INTO number_series (series, period, last)
  VALUES ('order_erased', substr(rtrim(OLD.order_number, '0123456789'), -6, 5), 1)
  ON CONFLICT (series, period) DO UPDATE SET last = last + 1;
END;

-- The search no longer finds an erased order.
CREATE TRIGGER sales_orders_search_delete AFTER DELETE ON sales_orders BEGIN
  DELETE FROM sales_orders_search WHERE rowid = OLD.id;
END;

-- The search finds an order by its present buyer, so it no longer finds an erased one.
CREATE TRIGGER sales_orders_search_update AFTER UPDATE OF customer ON sales_orders BEGIN
  DELETE FROM sales_orders_search WHERE rowid = OLD.id;
  INSERT INTO sales_orders_search (rowid, order_number, name, email)
  VALUES (NEW.id, NEW.order_number, NEW.customer ->> '$.name', NEW.customer ->> '$.email');
END;

CREATE VIRTUAL TABLE sales_orders_search USING fts5 (
  order_number, name, email, content = '', contentless_delete = 1, tokenize = 'trigram'
);
