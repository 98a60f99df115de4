-- Payment gateways, the payments to make through them, and their reports.

CREATE TABLE gateway_accounts (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  operation TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL,
  mode TEXT NOT NULL,
  currencies TEXT NOT NULL,
  priority INTEGER NOT NULL,
  is_active INTEGER NOT NULL,
  -- Encrypted, as are the secrets below.
  credentials TEXT NOT NULL,
  webhook_secret TEXT,
  previous_webhook_secret TEXT,
  previous_valid_until INTEGER,
  -- The last four characters of each secret, by its name, as JSON.
  last_four TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  CONSTRAINT gateway_kind CHECK (kind IN ('razorpay', 'stripe', 'paypal')),
  CONSTRAINT gateway_mode CHECK (mode IN ('test', 'live')),
  CONSTRAINT gateway_flags CHECK (is_active IN (0, 1)),
  CONSTRAINT gateway_json CHECK (json_valid(currencies) AND json_valid(last_four))
) STRICT;

CREATE INDEX gateway_accounts_active ON gateway_accounts (priority, id) WHERE is_active = 1;

-- The amount that one payer owes for one order, booking or invoice. Once paid it stays paid, whatever arrives later.
CREATE TABLE payment_intents (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  operation TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL,
  ref_id TEXT NOT NULL,
  gateway TEXT NOT NULL,
  gateway_account_id INTEGER NOT NULL REFERENCES gateway_accounts (id),
  gateway_order_id TEXT,
  -- Of an invoice's payment: the gateway's page, to which each further payer is sent too.
  payment_url TEXT,
  amount INTEGER NOT NULL,
  currency TEXT NOT NULL,
  status TEXT NOT NULL DEFAULT 'created',
  gateway_payment_id TEXT,
  next_look_at INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  paid_at INTEGER,
  CONSTRAINT intent_kind CHECK (kind IN ('order', 'booking', 'invoice')),
  CONSTRAINT intent_status CHECK (status IN ('created', 'paid', 'failed', 'mismatch')),
  CONSTRAINT intent_amount CHECK (amount > 0),
  CONSTRAINT intent_paid CHECK ((status = 'paid') = (paid_at IS NOT NULL))
) STRICT;

CREATE UNIQUE INDEX payment_intents_order ON payment_intents (gateway, gateway_order_id)
  WHERE gateway_order_id IS NOT NULL;
CREATE UNIQUE INDEX payment_intents_payment ON payment_intents (gateway, gateway_payment_id)
  WHERE gateway_payment_id IS NOT NULL;
CREATE INDEX payment_intents_ref ON payment_intents (kind, ref_id, id);
-- An invoice is asked for by one payment at a time.
CREATE UNIQUE INDEX payment_intents_invoice ON payment_intents (ref_id) WHERE kind = 'invoice' AND status = 'created';
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
  -- Of money that no record of the company knows: it is listed, and not booked.
  amount INTEGER,
  currency TEXT,
  PRIMARY KEY (gateway, event_id),
  CONSTRAINT event_outcome CHECK (
    outcome IN ('paid', 'already_paid', 'duplicate_payment', 'mismatch', 'failed', 'ignored', 'unknown_intent', 'quarantined')
  )
) STRICT, WITHOUT ROWID;

CREATE INDEX gateway_events_received ON gateway_events (received_at);

-- The outcome of each payment.
CREATE INDEX gateway_events_intent ON gateway_events (intent_id, gateway_payment_id) WHERE intent_id IS NOT NULL;
CREATE INDEX gateway_events_stray ON gateway_events (received_at) WHERE intent_id IS NULL;
CREATE INDEX gateway_events_ignored ON gateway_events (gateway, gateway_payment_id, received_at)
  WHERE intent_id IS NULL AND amount IS NOT NULL;

-- What gateways took, as they report it, whatever it is for. What is neither invoiced nor settled is an advance.
CREATE TABLE gateway_captures (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  gateway TEXT NOT NULL,
  gateway_payment_id TEXT NOT NULL,
  -- Null if the service knows of no such payment.
  intent_id INTEGER REFERENCES payment_intents (id),
  -- The account that reported it.
  gateway_account_id INTEGER NOT NULL REFERENCES gateway_accounts (id),
  customer_id INTEGER REFERENCES customers (id),
  outcome TEXT NOT NULL,
  amount INTEGER NOT NULL,
  currency TEXT NOT NULL,
  fee INTEGER,
  method TEXT,
  invoiced_amount INTEGER NOT NULL DEFAULT 0,
  settled_amount INTEGER NOT NULL DEFAULT 0,
  -- What refunds take out of Customer Advances, from the moment that they are asked for.
  withdrawn_amount INTEGER NOT NULL DEFAULT 0,
  -- All that went back to the payer.
  refunded_amount INTEGER NOT NULL DEFAULT 0,
  -- What of it stands for invoiced money of its siblings that a gateway gave back by itself. Below 0: what of theirs stands for
  -- this. The sum over siblings is 0.
  lent_amount INTEGER NOT NULL DEFAULT 0,
  advance_amount INTEGER GENERATED ALWAYS AS (
    amount - invoiced_amount - settled_amount - withdrawn_amount - lent_amount
  ) VIRTUAL NOT NULL,
  state TEXT GENERATED ALWAYS AS (
    CASE WHEN amount > invoiced_amount + settled_amount + withdrawn_amount + lent_amount THEN 'advance'
      WHEN invoiced_amount + lent_amount > 0 THEN 'invoiced' WHEN withdrawn_amount > 0 THEN 'refunded' ELSE 'settled' END
  ) VIRTUAL NOT NULL,
  -- The payout of the gateway that brought it to the bank.
  settlement_id INTEGER REFERENCES settlements (id),
  received_at INTEGER NOT NULL,
  UNIQUE (gateway, gateway_payment_id),
  CONSTRAINT capture_outcome CHECK (
    outcome IN ('paid', 'duplicate_payment', 'mismatch', 'unknown_intent', 'quarantined')
  ),
  CONSTRAINT capture_amounts CHECK (
    amount >= 0 AND invoiced_amount >= 0 AND settled_amount >= 0 AND withdrawn_amount >= 0 AND refunded_amount >= 0 AND fee >= 0
  ),
  CONSTRAINT capture_exceeded CHECK (invoiced_amount + settled_amount + withdrawn_amount + lent_amount <= amount)
) STRICT;

CREATE INDEX gateway_captures_intent ON gateway_captures (intent_id) WHERE intent_id IS NOT NULL;
CREATE INDEX gateway_captures_stray ON gateway_captures (gateway_account_id) WHERE intent_id IS NULL;
CREATE INDEX gateway_captures_customer ON gateway_captures (customer_id, id) WHERE customer_id IS NOT NULL;
-- The column comes first: SQLite turns a comparison round where only its right side is a column, and then finds no such index.
CREATE INDEX gateway_captures_advance ON gateway_captures (id)
  WHERE amount > invoiced_amount + settled_amount + withdrawn_amount + lent_amount;

CREATE INDEX gateway_captures_settlement ON gateway_captures (settlement_id) WHERE settlement_id IS NOT NULL;

-- The captures of the same order, booking or invoice as one capture, itself among them.
CREATE VIEW asked_siblings AS
SELECT own.id AS of_capture_id, intent.kind, intent.ref_id, sibling.*
FROM gateway_captures AS own JOIN payment_intents AS asked ON asked.id = own.intent_id
JOIN payment_intents AS intent ON intent.kind = asked.kind AND intent.ref_id = asked.ref_id
JOIN gateway_captures AS sibling ON sibling.intent_id = intent.id;

-- The same of every capture. One that nothing asked for is alone.
CREATE VIEW capture_siblings AS
SELECT * FROM asked_siblings
UNION ALL SELECT id, NULL, NULL, * FROM gateway_captures WHERE intent_id IS NULL;

-- A refund of a capture that is to take an amount of what waits.
CREATE VIEW capture_draws AS SELECT id AS capture_id, 0 AS amount FROM gateway_captures;

-- What does not wait of the capture itself, its siblings lend to it, the oldest first.
CREATE TRIGGER draw_is_lent INSTEAD OF INSERT ON capture_draws
WHEN NEW.amount > (SELECT advance_amount FROM gateway_captures WHERE id = NEW.capture_id) BEGIN
  UPDATE gateway_captures SET lent_amount = lent_amount + lent FROM (
    SELECT sibling.id AS lender_id, min(
      sibling.advance_amount,
      NEW.amount - own.advance_amount + sibling.advance_amount - sum(sibling.advance_amount) OVER (ORDER BY sibling.id)
    ) AS lent
    FROM gateway_captures AS own JOIN capture_siblings AS sibling
      ON of_capture_id = own.id AND sibling.id <> own.id AND sibling.currency = own.currency
    WHERE own.id = NEW.capture_id
  ) WHERE id = lender_id AND lent > 0;
  UPDATE gateway_captures SET lent_amount = lent_amount - (
    SELECT sum(lent_amount) FROM capture_siblings WHERE of_capture_id = NEW.capture_id
  ) WHERE id = NEW.capture_id;
END;

-- A capture borrows no more than is invoiced of it: the rest goes back to its siblings once its document has ended. Not a trigger of
-- invoiced_amount: then each payment would be prepared with it.
CREATE VIEW capture_returns AS SELECT id AS capture_id, gateway, gateway_payment_id FROM gateway_captures
WHERE invoiced_amount + lent_amount < 0;

CREATE TRIGGER loan_is_returned INSTEAD OF INSERT ON capture_returns BEGIN
  UPDATE gateway_captures SET lent_amount = lent_amount - returned FROM (
    SELECT sibling.id AS lender_id, min(
      sibling.lent_amount,
      sibling.lent_amount - own.invoiced_amount - own.lent_amount - sum(sibling.lent_amount) OVER (ORDER BY sibling.id)
    ) AS returned
    FROM gateway_captures AS own JOIN capture_siblings AS sibling ON of_capture_id = own.id AND sibling.lent_amount > 0
    WHERE own.id = NEW.capture_id
  ) WHERE id = lender_id AND returned > 0;
  UPDATE gateway_captures SET lent_amount = lent_amount - (
    SELECT sum(lent_amount) FROM capture_siblings WHERE of_capture_id = NEW.capture_id
  ) WHERE id = NEW.capture_id;
END;

-- Payouts of gateways: from their clearing accounts to a bank account.
CREATE TABLE settlements (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  operation TEXT NOT NULL UNIQUE,
  gateway TEXT NOT NULL,
  payout_reference TEXT NOT NULL,
  settled_on TEXT NOT NULL,
  net_amount INTEGER NOT NULL,
  fee_amount INTEGER NOT NULL,
  fee_tax_amount INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  CONSTRAINT settlement_amounts CHECK (net_amount > 0 AND fee_amount >= 0 AND fee_tax_amount >= 0)
) STRICT;

CREATE UNIQUE INDEX settlements_payout ON settlements (gateway, payout_reference);

-- A settlement never changes, and stays.
CREATE TRIGGER settlement_is_immutable BEFORE UPDATE ON settlements BEGIN
  SELECT RAISE(ABORT, 'append_only');
END;
CREATE TRIGGER settlement_is_not_deleted BEFORE DELETE ON settlements BEGIN
  SELECT RAISE(ABORT, 'append_only');
END;

-- The refunds that a payout was lessened by, each in one payout.
CREATE TABLE settled_refunds (
  refund_id INTEGER PRIMARY KEY REFERENCES gateway_refunds (id),
  settlement_id INTEGER NOT NULL REFERENCES settlements (id)
) STRICT;

CREATE INDEX settled_refunds_settlement ON settled_refunds (settlement_id);

-- A refund keeps its payout.
CREATE TRIGGER settled_refund_is_immutable BEFORE UPDATE ON settled_refunds BEGIN
  SELECT RAISE(ABORT, 'append_only');
END;
CREATE TRIGGER settled_refund_is_not_deleted BEFORE DELETE ON settled_refunds BEGIN
  SELECT RAISE(ABORT, 'append_only');
END;

-- A capture keeps its payment and its payout, its amount only rises, and it stays.
CREATE TRIGGER capture_is_final BEFORE UPDATE OF gateway, gateway_payment_id, currency, amount, settlement_id ON gateway_captures
WHEN NEW.gateway <> OLD.gateway OR NEW.gateway_payment_id <> OLD.gateway_payment_id OR NEW.currency <> OLD.currency
  OR NEW.amount < OLD.amount OR NEW.settlement_id IS NOT coalesce(OLD.settlement_id, NEW.settlement_id) BEGIN
  SELECT RAISE(ABORT, 'append_only');
END;
CREATE TRIGGER capture_is_not_deleted BEFORE DELETE ON gateway_captures BEGIN
  SELECT RAISE(ABORT, 'append_only');
END;

-- A payment through a gateway invoices its capture.
CREATE TRIGGER gateway_payment_invoices_its_capture AFTER INSERT ON payments WHEN NEW.gateway_payment_id IS NOT NULL BEGIN
  UPDATE gateway_captures SET invoiced_amount = invoiced_amount + NEW.amount
  WHERE gateway = NEW.gateway AND gateway_payment_id = NEW.gateway_payment_id;
  SELECT RAISE(ABORT, 'capture_missing') WHERE changes() = 0;
END;

-- A removed payment leaves its money an advance again.
CREATE TRIGGER removed_gateway_payment_is_an_advance AFTER UPDATE OF deleted_at ON payments
WHEN NEW.deleted_at IS NOT NULL AND OLD.deleted_at IS NULL AND NEW.gateway_payment_id IS NOT NULL BEGIN
  UPDATE gateway_captures SET invoiced_amount = invoiced_amount - NEW.amount
  WHERE gateway = NEW.gateway AND gateway_payment_id = NEW.gateway_payment_id;
  INSERT INTO capture_returns SELECT * FROM capture_returns
  WHERE gateway = NEW.gateway AND gateway_payment_id = NEW.gateway_payment_id;
END;

-- Each entry that takes money of a capture into Customer Advances, or out of it by hand, or takes a gateway's fee as income.
CREATE TABLE advances (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  operation TEXT NOT NULL,
  capture_id INTEGER NOT NULL REFERENCES gateway_captures (id),
  kind TEXT NOT NULL,
  amount INTEGER NOT NULL,
  entry_date TEXT NOT NULL,
  debit_account_id INTEGER NOT NULL REFERENCES accounts (id),
  credit_account_id INTEGER NOT NULL REFERENCES accounts (id),
  -- What staff say of it, such as the reference of a refund outside of this service.
  reference TEXT,
  -- What a gateway gave back by itself, of a receipt that has ended since.
  refund_id INTEGER REFERENCES gateway_refunds (id),
  created_at INTEGER NOT NULL,
  CONSTRAINT advance_kind CHECK (kind IN ('received', 'fee', 'settled', 'reopened', 'covered')),
  CONSTRAINT advance_refund CHECK ((kind = 'covered') = (refund_id IS NOT NULL)),
  CONSTRAINT advance_amount CHECK (amount > 0)
) STRICT;

CREATE INDEX advances_capture ON advances (capture_id);
CREATE INDEX advances_operation ON advances (operation);
CREATE INDEX advances_refund ON advances (refund_id) WHERE refund_id IS NOT NULL;

-- What is settled, and the fee that a payer bore, is no advance any more.
CREATE TRIGGER advance_settles_its_capture AFTER INSERT ON advances WHEN NEW.kind IN ('fee', 'settled') BEGIN
  UPDATE gateway_captures SET settled_amount = settled_amount + NEW.amount WHERE id = NEW.capture_id;
END;

-- What staff had settled, and its gateway gave back itself after that, waits again.
CREATE TRIGGER advance_reopens_its_capture AFTER INSERT ON advances WHEN NEW.kind = 'reopened' BEGIN
  UPDATE gateway_captures SET settled_amount = settled_amount - NEW.amount WHERE id = NEW.capture_id;
END;

-- An advance never changes, and stays.
CREATE TRIGGER advance_is_immutable BEFORE UPDATE ON advances BEGIN
  SELECT RAISE(ABORT, 'append_only');
END;
CREATE TRIGGER advance_is_not_deleted BEFORE DELETE ON advances BEGIN
  SELECT RAISE(ABORT, 'append_only');
END;

-- Aborts with the codes of payments and orders.
CREATE TRIGGER refusal_storefront BEFORE INSERT ON refusal BEGIN
  SELECT CASE NEW.code
    WHEN 'catalogue_changed' THEN RAISE(ABORT, 'catalogue_changed')
    WHEN 'intent_moved' THEN RAISE(ABORT, 'intent_moved')
    WHEN 'product_gone' THEN RAISE(ABORT, 'product_gone')
    WHEN 'settlement_mismatch' THEN RAISE(ABORT, 'settlement_mismatch')
    WHEN 'account_inactive' THEN RAISE(ABORT, 'account_inactive')
    WHEN 'no_financial_year' THEN RAISE(ABORT, 'no_financial_year')
  END;
END;
