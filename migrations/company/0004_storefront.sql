-- Payment gateways, what is paid through them, and the orders of headless shops.
-- Units as in 0001; prices of orders are money in minor units, quantities in thousandths.

CREATE TRIGGER refusal_storefront BEFORE INSERT ON refusal BEGIN
  SELECT CASE NEW.code
    WHEN 'intent_moved' THEN RAISE(ABORT, 'intent_moved')
    WHEN 'product_gone' THEN RAISE(ABORT, 'product_gone')
  END;
END;

CREATE TABLE gateway_accounts (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  operation TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL,
  mode TEXT NOT NULL,
  currencies TEXT NOT NULL,
  priority INTEGER NOT NULL,
  is_active INTEGER NOT NULL,
  credentials TEXT NOT NULL,
  webhook_secret TEXT,
  previous_webhook_secret TEXT,
  previous_valid_until INTEGER,
  last_four TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  CONSTRAINT gateway_kind CHECK (kind IN ('razorpay', 'stripe', 'paypal')),
  CONSTRAINT gateway_mode CHECK (mode IN ('test', 'live')),
  CONSTRAINT gateway_flags CHECK (is_active IN (0, 1)),
  CONSTRAINT gateway_json CHECK (json_valid(currencies) AND json_valid(last_four))
) STRICT;

CREATE INDEX gateway_accounts_active ON gateway_accounts (priority, id) WHERE is_active = 1;

-- What one payer owes for one order or booking. Once paid it stays so, whatever arrives later.
CREATE TABLE payment_intents (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  operation TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL,
  ref_id TEXT NOT NULL,
  gateway TEXT NOT NULL,
  gateway_account_id INTEGER NOT NULL REFERENCES gateway_accounts (id),
  gateway_order_id TEXT,
  amount INTEGER NOT NULL,
  currency TEXT NOT NULL,
  status TEXT NOT NULL DEFAULT 'created',
  gateway_payment_id TEXT,
  next_look_at INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  paid_at INTEGER,
  CONSTRAINT intent_kind CHECK (kind IN ('order', 'booking')),
  CONSTRAINT intent_status CHECK (status IN ('created', 'paid', 'failed', 'mismatch')),
  CONSTRAINT intent_amount CHECK (amount > 0),
  CONSTRAINT intent_paid CHECK ((status = 'paid') = (paid_at IS NOT NULL))
) STRICT;

CREATE UNIQUE INDEX payment_intents_order ON payment_intents (gateway, gateway_order_id)
  WHERE gateway_order_id IS NOT NULL;
CREATE UNIQUE INDEX payment_intents_payment ON payment_intents (gateway, gateway_payment_id)
  WHERE gateway_payment_id IS NOT NULL;
CREATE INDEX payment_intents_ref ON payment_intents (kind, ref_id, id);
CREATE INDEX payment_intents_account ON payment_intents (gateway_account_id);
CREATE INDEX payment_intents_open ON payment_intents (next_look_at) WHERE status = 'created';

CREATE TRIGGER paid_intent_is_final BEFORE UPDATE ON payment_intents WHEN OLD.status = 'paid' BEGIN
  SELECT RAISE(ABORT, 'intent_moved');
END;

-- Every verified event once: the row is written in the batch of its effect.
CREATE TABLE gateway_events (
  gateway TEXT NOT NULL,
  event_id TEXT NOT NULL,
  type TEXT NOT NULL,
  payload_sha256 TEXT NOT NULL,
  intent_id INTEGER REFERENCES payment_intents (id),
  gateway_payment_id TEXT,
  outcome TEXT NOT NULL,
  received_at INTEGER NOT NULL,
  PRIMARY KEY (gateway, event_id),
  CONSTRAINT event_outcome CHECK (
    outcome IN ('paid', 'already_paid', 'duplicate_payment', 'mismatch', 'failed', 'ignored', 'unknown_intent', 'parked')
  )
) STRICT, WITHOUT ROWID;

CREATE INDEX gateway_events_received ON gateway_events (received_at);

CREATE TABLE sales_orders (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  operation TEXT NOT NULL UNIQUE,
  order_number TEXT NOT NULL UNIQUE,
  status TEXT NOT NULL DEFAULT 'draft',
  payment_status TEXT NOT NULL DEFAULT 'unpaid',
  needs_refund INTEGER NOT NULL DEFAULT 0,
  currency TEXT NOT NULL,
  customer_id INTEGER NOT NULL REFERENCES customers (id),
  customer TEXT NOT NULL,
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

-- No invoice without the exact money: an order's invoice comes with its paid intent, of the same amount, or not at all.
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

CREATE TRIGGER invoiced_order_is_final BEFORE UPDATE ON sales_orders
WHEN OLD.status = 'invoiced' AND (
  NEW.status <> OLD.status OR NEW.invoice_id IS NOT OLD.invoice_id OR NEW.total_amount <> OLD.total_amount
) BEGIN
  SELECT RAISE(ABORT, 'intent_moved');
END;

-- A customer whose payment is awaited stays: the invoice will be made out to it.
CREATE TRIGGER customer_with_open_orders_stays BEFORE UPDATE OF is_customer, deleted_at ON customers
WHEN (NEW.deleted_at IS NOT NULL OR NEW.is_customer = 0)
  AND EXISTS (SELECT 1 FROM sales_orders WHERE customer_id = OLD.id AND status = 'draft') BEGIN
  SELECT RAISE(ABORT, 'customer_has_dependents');
END;

CREATE INDEX products_catalogue ON products (id) WHERE status = 'active' AND is_storefront_visible = 1;
CREATE INDEX products_catalogue_category ON products (category_id, id) WHERE status = 'active' AND is_storefront_visible = 1;
