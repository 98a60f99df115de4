-- Payment gateways, the payments to make through them, and their reports.

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

-- The amount that one payer owes for one order or booking. Once paid it stays paid, whatever arrives later.
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
CREATE INDEX payment_intents_failed ON payment_intents (created_at) WHERE status = 'failed';

-- A paid intent stays paid.
CREATE TRIGGER paid_intent_is_final BEFORE UPDATE ON payment_intents WHEN OLD.status = 'paid' BEGIN
  SELECT RAISE(ABORT, 'intent_moved');
END;

-- Each verified event is stored once: the batch of its effect writes the row.
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
    outcome IN ('paid', 'already_paid', 'duplicate_payment', 'mismatch', 'failed', 'ignored', 'unknown_intent', 'quarantined')
  )
) STRICT, WITHOUT ROWID;

CREATE INDEX gateway_events_received ON gateway_events (received_at);

-- The outcome of each payment.
CREATE INDEX gateway_events_intent ON gateway_events (intent_id, gateway_payment_id) WHERE intent_id IS NOT NULL;
CREATE INDEX gateway_events_stray ON gateway_events (received_at) WHERE intent_id IS NULL;

-- Aborts with the codes of payments and orders.
CREATE TRIGGER refusal_storefront BEFORE INSERT ON refusal BEGIN
  SELECT CASE NEW.code
    WHEN 'catalogue_changed' THEN RAISE(ABORT, 'catalogue_changed')
    WHEN 'intent_moved' THEN RAISE(ABORT, 'intent_moved')
    WHEN 'product_gone' THEN RAISE(ABORT, 'product_gone')
  END;
END;
