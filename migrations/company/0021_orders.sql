-- Orders as a list: what somebody has to look at, what was settled, and what is paid but in no journal entry yet.

-- What whoever made a change said of it.
ALTER TABLE audit_log ADD COLUMN note TEXT;

-- When somebody last looked at it, and by what money was given back outside of this service.
ALTER TABLE sales_orders ADD COLUMN reviewed_at INTEGER;
ALTER TABLE sales_orders ADD COLUMN outside_reference TEXT;

-- A package that could not be granted is looked at as all else is, under a word of its own: its order is invoiced, so
-- what is left to do is to grant the package by hand, and not to find an invoice as for `effect_refused`.
ALTER TABLE sales_orders ADD COLUMN wider_code TEXT CONSTRAINT order_review_code CHECK (wider_code IN (
  'amount_mismatch', 'tax_amount_implausible', 'customer_gone', 'effect_refused', 'oversold', 'refunded_at_gateway',
  'overcaptured', 'packages_missing'
));
UPDATE sales_orders SET wider_code = coalesce(review_code, iif(packages_missing = 1, 'packages_missing', NULL));
ALTER TABLE sales_orders DROP COLUMN review_code;
ALTER TABLE sales_orders RENAME COLUMN wider_code TO review_code;

UPDATE sales_orders SET review_code = 'customer_gone'
WHERE review_code = 'effect_refused' AND NOT EXISTS (
  SELECT 1 FROM customers WHERE id = sales_orders.customer_id AND is_customer = 1 AND deleted_at IS NULL
);

DROP TRIGGER paid_order_grants_its_packages;

-- Quantities are thousandths; a line of two packages of five is ten sessions.
CREATE TRIGGER paid_order_grants_its_packages AFTER UPDATE OF status ON sales_orders
WHEN NEW.status = 'invoiced' AND OLD.status <> 'invoiced' BEGIN
  INSERT INTO booking_packages
    (operation, customer_id, product_id, name, sessions_total, expires_at, status, order_id, line, created_at, updated_at)
  SELECT 'order:' || NEW.id || ':' || (line.key + 1), NEW.customer_id, product.lesson_product_id, line.value ->> '$.name',
    product.sessions * (line.value ->> '$.quantity') / 1000, NEW.paid_at + product.package_days * 86400000, 'active',
    NEW.id, line.key + 1, NEW.paid_at, NEW.paid_at
  FROM json_each(NEW.items) line CROSS JOIN products product ON product.id = line.value ->> '$.productId'
  WHERE product.is_package = 1 AND product.lesson_product_id IS NOT NULL
    AND product.sessions * (line.value ->> '$.quantity') >= 1000;
  UPDATE sales_orders SET packages_missing = 1, review_code = 'packages_missing' WHERE id = NEW.id AND EXISTS (
    SELECT 1 FROM json_each(NEW.items) line CROSS JOIN products product ON product.id = line.value ->> '$.productId'
    WHERE product.is_package = 1 AND NOT EXISTS (
      SELECT 1 FROM booking_packages WHERE order_id = NEW.id AND booking_packages.line = line.key + 1
    )
  );
END;

-- The exact money of an order that could not be invoiced is in no account yet: the one for advances is not there.
CREATE TRIGGER waiting_money_is_unposted AFTER UPDATE OF review_code ON sales_orders
WHEN NEW.status <> 'invoiced' AND NEW.review_code IN ('tax_amount_implausible', 'customer_gone', 'effect_refused') BEGIN
  INSERT INTO unposted (source_type, source_id, voucher_type, reason, created_at)
  VALUES ('order', NEW.id, 'advance', iif(NEW.currency = 'INR', 'account_missing', 'no_exchange_rate'), NEW.updated_at)
  ON CONFLICT DO NOTHING;
END;

CREATE TRIGGER settled_money_is_not_unposted AFTER UPDATE OF review_code ON sales_orders
WHEN NEW.status = 'invoiced' OR NEW.review_code IS NULL
  OR NEW.review_code NOT IN ('tax_amount_implausible', 'customer_gone', 'effect_refused') BEGIN
  DELETE FROM unposted WHERE source_type = 'order' AND source_id = NEW.id;
END;

INSERT INTO unposted (source_type, source_id, voucher_type, reason, created_at)
SELECT 'order', id, 'advance', iif(currency = 'INR', 'account_missing', 'no_exchange_rate'), updated_at
FROM sales_orders
WHERE status <> 'invoiced' AND review_code IN ('tax_amount_implausible', 'customer_gone', 'effect_refused')
ORDER BY id;

-- One index for each filter of the list, in the order of the list.
CREATE INDEX sales_orders_created ON sales_orders (created_at);
CREATE INDEX sales_orders_status ON sales_orders (status, created_at);
CREATE INDEX sales_orders_payment_status ON sales_orders (payment_status, created_at);
CREATE INDEX sales_orders_of_customer ON sales_orders (customer_id, created_at);
CREATE INDEX sales_orders_needs_review ON sales_orders (created_at) WHERE review_code IS NOT NULL;
CREATE INDEX sales_orders_review_code ON sales_orders (review_code, created_at) WHERE review_code IS NOT NULL;
CREATE INDEX sales_orders_needs_refund ON sales_orders (created_at) WHERE needs_refund = 1;

CREATE VIRTUAL TABLE sales_orders_search USING fts5 (
  order_number, name, email, content = '', contentless_delete = 1, tokenize = 'trigram'
);

INSERT INTO sales_orders_search (rowid, order_number, name, email)
SELECT id, order_number, customer ->> '$.name', customer ->> '$.email' FROM sales_orders;

CREATE TRIGGER sales_orders_search_insert AFTER INSERT ON sales_orders BEGIN
  INSERT INTO sales_orders_search (rowid, order_number, name, email)
  VALUES (NEW.id, NEW.order_number, NEW.customer ->> '$.name', NEW.customer ->> '$.email');
END;
