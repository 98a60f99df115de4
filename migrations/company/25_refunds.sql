-- Money that goes back through gateways: what the service sends, and what the gateways report.

CREATE TABLE gateway_refunds (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  -- Of the call or event that made it; the refunds of one call are siblings.
  operation TEXT NOT NULL,
  -- Names it at the gateway, in every attempt.
  key TEXT NOT NULL UNIQUE,
  gateway TEXT NOT NULL,
  capture_id INTEGER NOT NULL REFERENCES gateway_captures (id),
  credit_note_id INTEGER REFERENCES credit_notes (id),
  -- Whose account it debits, but for what Customer Advances held.
  customer_id INTEGER REFERENCES customers (id),
  source TEXT NOT NULL,
  amount INTEGER NOT NULL,
  -- What of it Customer Advances held.
  advance_amount INTEGER NOT NULL,
  -- What of the rest Customer Advances bears since: the receipt has ended, or other money of its purpose waits.
  covered_amount INTEGER NOT NULL DEFAULT 0,
  currency TEXT NOT NULL,
  reason TEXT,
  reason_text TEXT,
  -- As it was asked for: the gateway may make an instant one a normal one.
  speed TEXT NOT NULL DEFAULT 'normal',
  status TEXT NOT NULL,
  gateway_refund_id TEXT,
  failure_code TEXT,
  retry_of INTEGER UNIQUE REFERENCES gateway_refunds (id),
  attempts INTEGER NOT NULL,
  next_look_at INTEGER,
  -- When it was first sent, by the real clock: gateways keep a key for a time of their own.
  sent_at INTEGER,
  created_at INTEGER NOT NULL,
  -- The day on which it is in the books.
  entry_date TEXT,
  settled_at INTEGER,
  -- When staff ended the review of what no credit note can cover any more.
  reviewed_at INTEGER,
  CONSTRAINT refund_source CHECK (source IN ('api', 'gateway', 'chargeback')),
  CONSTRAINT refund_speed CHECK (speed = 'normal' OR (speed = 'instant' AND gateway = 'razorpay' AND source = 'api')),
  CONSTRAINT refund_status CHECK (status IN ('created', 'pending', 'succeeded', 'failed')),
  CONSTRAINT refund_amounts CHECK (
    amount > 0 AND min(advance_amount, covered_amount) >= 0 AND advance_amount + covered_amount <= amount
  ),
  CONSTRAINT refund_end CHECK (
    (status IN ('succeeded', 'failed')) = (settled_at IS NOT NULL) AND (status = 'failed') = (failure_code IS NOT NULL)
    AND (status IN ('created', 'pending')) = (next_look_at IS NOT NULL)
  )
) STRICT;

CREATE INDEX gateway_refunds_capture ON gateway_refunds (capture_id);
CREATE INDEX gateway_refunds_note ON gateway_refunds (credit_note_id) WHERE credit_note_id IS NOT NULL;
CREATE INDEX gateway_refunds_customer ON gateway_refunds (customer_id) WHERE customer_id IS NOT NULL;
CREATE INDEX gateway_refunds_operation ON gateway_refunds (operation);
CREATE INDEX gateway_refunds_open ON gateway_refunds (next_look_at) WHERE status IN ('created', 'pending');
-- What gateways gave back of money that has a document, without a credit note.
CREATE INDEX gateway_refunds_review ON gateway_refunds (id)
  WHERE source <> 'api' AND status IN ('pending', 'succeeded') AND credit_note_id IS NULL AND amount > advance_amount + covered_amount;
-- A capture goes back by itself once.
CREATE UNIQUE INDEX gateway_refunds_automatic ON gateway_refunds (capture_id) WHERE operation GLOB 'auto:*';
CREATE UNIQUE INDEX gateway_refunds_gateway ON gateway_refunds (gateway, gateway_refund_id) WHERE gateway_refund_id IS NOT NULL;

-- What other credit notes of the invoice bear of what a gateway gave back by itself, where the note that the refund names has too
-- little.
CREATE TABLE credited_refunds (
  refund_id INTEGER NOT NULL REFERENCES gateway_refunds (id),
  credit_note_id INTEGER NOT NULL REFERENCES credit_notes (id),
  amount INTEGER NOT NULL,
  PRIMARY KEY (refund_id, credit_note_id),
  CONSTRAINT credited_refund_amount CHECK (amount > 0)
) STRICT, WITHOUT ROWID;

CREATE INDEX credited_refunds_note ON credited_refunds (credit_note_id);

-- A note that bears a part has less.
CREATE TRIGGER credited_refund_is_taken AFTER INSERT ON credited_refunds BEGIN
  UPDATE credit_notes SET gateway_refunded_amount = gateway_refunded_amount + NEW.amount WHERE id = NEW.credit_note_id;
END;

-- A part keeps its note.
CREATE TRIGGER credited_refund_is_immutable BEFORE UPDATE ON credited_refunds BEGIN
  SELECT RAISE(ABORT, 'append_only');
END;
CREATE TRIGGER credited_refund_is_not_deleted BEFORE DELETE ON credited_refunds BEGIN
  SELECT RAISE(ABORT, 'append_only');
END;

-- What a credit note, and with it the other notes of its invoice, are to bear of a refund that a gateway made.
CREATE VIEW credit_draws AS SELECT id AS refund_id, credit_note_id, amount FROM gateway_refunds;

-- The note bears what it has, and the other notes the rest, the oldest first.
CREATE TRIGGER credit_draw_is_shared INSTEAD OF INSERT ON credit_draws BEGIN
  INSERT INTO credited_refunds (refund_id, credit_note_id, amount)
  SELECT NEW.refund_id, other_id, part FROM (
    SELECT other.id AS other_id, min(
      other.unapplied_amount,
      NEW.amount - own.unapplied_amount + other.unapplied_amount - sum(other.unapplied_amount) OVER (ORDER BY other.id)
    ) AS part
    FROM credit_notes AS own JOIN credit_notes AS other
      ON other.invoice_id = own.invoice_id AND other.id <> own.id AND other.unapplied_amount > 0
    WHERE own.id = NEW.credit_note_id
  ) WHERE part > 0;
  UPDATE credit_notes SET gateway_refunded_amount = gateway_refunded_amount + NEW.amount - (
    SELECT coalesce(sum(amount), 0) FROM credited_refunds WHERE refund_id = NEW.refund_id
  ) WHERE id = NEW.credit_note_id;
END;

-- What gateways gave back by themselves of money that has a document, without a credit note or an advance that covers it.
CREATE VIEW uncovered_refunds AS
SELECT id, capture_id, customer_id, reviewed_at, amount - advance_amount - covered_amount AS owed FROM gateway_refunds
WHERE source <> 'api' AND status IN ('pending', 'succeeded') AND credit_note_id IS NULL AND amount > advance_amount + covered_amount;

-- The captures whose money live payments of invoices take: their own, and siblings that lend to these.
CREATE VIEW captures_of_payments AS
SELECT payments.id AS payment_id, invoice_id, payments.customer_id, capture.id AS capture_id
FROM payments JOIN gateway_captures AS capture USING (gateway, gateway_payment_id) WHERE deleted_at IS NULL
UNION ALL
SELECT payments.id, invoice_id, payments.customer_id, lender.id
FROM payments JOIN gateway_captures AS capture USING (gateway, gateway_payment_id)
JOIN asked_siblings AS lender ON of_capture_id = capture.id AND lender.currency = capture.currency
WHERE deleted_at IS NULL AND capture.lent_amount < 0 AND lender.lent_amount > 0;

-- The uncovered refunds with each invoice whose money they gave back. CROSS JOIN lets SQLite begin with the refunds, which are few.
CREATE VIEW uncovered_refunds_of_invoices AS
SELECT invoice_id, refund.id, owed FROM payments
JOIN gateway_captures AS capture USING (gateway, gateway_payment_id) JOIN uncovered_refunds AS refund ON capture_id = capture.id
WHERE deleted_at IS NULL
UNION
SELECT invoice_id, refund.id, owed FROM uncovered_refunds AS refund JOIN gateway_captures AS lender ON lender.id = capture_id
CROSS JOIN asked_siblings AS borrower ON of_capture_id = lender.id AND borrower.currency = lender.currency
CROSS JOIN payments ON payments.gateway = borrower.gateway AND payments.gateway_payment_id = borrower.gateway_payment_id
WHERE deleted_at IS NULL AND borrower.lent_amount < 0 AND lender.lent_amount > 0;

-- The service sends back no more than was captured, and no more of a note than was paid for its invoice. What a gateway
-- reports is never refused.
CREATE TRIGGER refund_is_bounded BEFORE INSERT ON gateway_refunds WHEN NEW.source = 'api' BEGIN
  SELECT RAISE(ABORT, 'refund_exceeds_payment') FROM gateway_captures AS capture WHERE capture.id = NEW.capture_id AND (
    NEW.amount + (SELECT coalesce(sum(amount), 0) FROM gateway_refunds WHERE capture_id = capture.id AND status <> 'failed')
      > capture.amount
    OR NEW.advance_amount > capture.advance_amount
  );
  SELECT RAISE(ABORT, 'refund_exceeds_payment') FROM gateway_captures AS capture, credit_notes AS note
  WHERE capture.id = NEW.capture_id AND note.id = NEW.credit_note_id
    AND NEW.amount + (
      SELECT coalesce(sum(amount - advance_amount - covered_amount), 0) FROM gateway_refunds
      WHERE capture_id = capture.id AND status <> 'failed'
        AND credit_note_id IN (SELECT id FROM credit_notes WHERE invoice_id = note.invoice_id)
    ) > capture.lent_amount + (
      SELECT coalesce(sum(amount), 0) FROM payments WHERE gateway = capture.gateway
        AND gateway_payment_id = capture.gateway_payment_id AND invoice_id = note.invoice_id AND deleted_at IS NULL
    );
  -- Credit that a gateway gave back by itself, and no note covers, is not sent once more.
  SELECT RAISE(ABORT, 'refund_exceeds_payment') FROM credit_notes AS note WHERE note.id = NEW.credit_note_id
    AND NEW.amount + (SELECT coalesce(sum(owed), 0) FROM uncovered_refunds_of_invoices WHERE invoice_id = note.invoice_id)
      > (SELECT sum(unapplied_amount) FROM credit_notes WHERE invoice_id = note.invoice_id);
  SELECT RAISE(ABORT, 'invalid_status') FROM gateway_refunds WHERE id = NEW.retry_of AND status <> 'failed';
END;

-- Nor is it paid out, and it pays no other invoice.
CREATE TRIGGER credit_given_back_is_not_paid_out BEFORE INSERT ON credit_payouts BEGIN
  SELECT RAISE(ABORT, 'credit_exhausted') FROM credit_notes AS note WHERE note.id = NEW.credit_note_id
    AND NEW.amount + (SELECT coalesce(sum(owed), 0) FROM uncovered_refunds_of_invoices WHERE invoice_id = note.invoice_id)
      > (SELECT sum(unapplied_amount) FROM credit_notes WHERE invoice_id = note.invoice_id);
END;
CREATE TRIGGER credit_given_back_is_not_applied BEFORE INSERT ON credit_applications BEGIN
  SELECT RAISE(ABORT, 'credit_exhausted') FROM credit_notes AS note
  WHERE note.id = NEW.credit_note_id AND note.invoice_id <> NEW.invoice_id
    AND NEW.amount + (SELECT coalesce(sum(owed), 0) FROM uncovered_refunds_of_invoices WHERE invoice_id = note.invoice_id)
      > (SELECT sum(unapplied_amount) FROM credit_notes WHERE invoice_id = note.invoice_id);
END;

-- What a gateway gave back by itself takes what waits of its capture first, then what waits of its siblings.
CREATE TRIGGER reported_refund_draws BEFORE INSERT ON gateway_refunds
WHEN NEW.source <> 'api' AND NEW.status <> 'failed' AND NEW.advance_amount > 0 BEGIN
  INSERT INTO capture_draws (capture_id, amount) VALUES (NEW.capture_id, NEW.advance_amount);
END;

-- Its target has less from now on; their CHECKs refuse more than there is.
CREATE TRIGGER refund_is_taken AFTER INSERT ON gateway_refunds WHEN NEW.status <> 'failed' BEGIN
  UPDATE credit_notes SET updated_at = NEW.created_at,
    gateway_refunded_amount = gateway_refunded_amount + iif(NEW.source = 'api', NEW.amount - NEW.advance_amount, 0)
  WHERE id = NEW.credit_note_id;
  INSERT INTO credit_draws (refund_id, credit_note_id, amount)
  SELECT NEW.id, NEW.credit_note_id, NEW.amount - NEW.advance_amount WHERE NEW.source <> 'api' AND NEW.credit_note_id IS NOT NULL;
  UPDATE gateway_captures SET withdrawn_amount = withdrawn_amount + NEW.advance_amount,
    refunded_amount = refunded_amount + iif(NEW.status = 'succeeded', NEW.amount, 0)
  WHERE id = NEW.capture_id;
END;

-- A credit note that was issued for what its gateway gave back has less.
CREATE TRIGGER reported_refund_is_credited AFTER UPDATE OF credit_note_id ON gateway_refunds
WHEN NEW.credit_note_id IS NOT NULL AND OLD.credit_note_id IS NULL BEGIN
  INSERT INTO credit_draws (refund_id, credit_note_id, amount)
  VALUES (NEW.id, NEW.credit_note_id, NEW.amount - NEW.advance_amount - NEW.covered_amount);
  -- Its order or booking is owed less now.
  UPDATE gateway_captures SET refunded_amount = refunded_amount WHERE id = NEW.capture_id;
END;

-- Money that waits bears what a gateway gave back by itself before that: its order or booking is owed less now.
CREATE TRIGGER advance_covers_a_refund AFTER INSERT ON advances WHEN NEW.kind = 'covered' BEGIN
  INSERT INTO capture_draws (capture_id, amount) VALUES (NEW.capture_id, NEW.amount);
  UPDATE gateway_refunds SET covered_amount = covered_amount + NEW.amount WHERE id = NEW.refund_id;
  UPDATE gateway_captures SET withdrawn_amount = withdrawn_amount + NEW.amount, refunded_amount = refunded_amount
  WHERE id = NEW.capture_id;
END;

-- Only a bank that sends the money back, or a chargeback that is reversed, moves a refund that has ended.
CREATE TRIGGER refund_is_final BEFORE UPDATE OF operation, key, gateway, capture_id, credit_note_id, customer_id, source, amount,
  advance_amount, covered_amount, currency, reason, speed, status, gateway_refund_id, failure_code, retry_of, attempts,
  next_look_at, sent_at, created_at, entry_date, settled_at
ON gateway_refunds WHEN
  (NEW.key, NEW.operation, NEW.gateway, NEW.capture_id, NEW.customer_id, NEW.source, NEW.amount, NEW.advance_amount, NEW.currency,
    NEW.reason, NEW.speed, NEW.retry_of, NEW.created_at)
  IS NOT (OLD.key, OLD.operation, OLD.gateway, OLD.capture_id, OLD.customer_id, OLD.source, OLD.amount, OLD.advance_amount, OLD.currency,
    OLD.reason, OLD.speed, OLD.retry_of, OLD.created_at)
  OR NEW.credit_note_id IS NOT coalesce(OLD.credit_note_id, NEW.credit_note_id)
  OR OLD.status = 'failed' OR (OLD.status = 'succeeded' AND NEW.status NOT IN ('succeeded', 'failed'))
  OR (OLD.status = 'pending' AND NEW.status = 'created') BEGIN
  SELECT RAISE(ABORT, 'refund_is_final');
END;

-- What staff wrote of a refund is erased, and not changed.
CREATE TRIGGER refund_reason_is_final BEFORE UPDATE OF reason_text ON gateway_refunds WHEN NEW.reason_text IS NOT NULL BEGIN
  SELECT RAISE(ABORT, 'refund_is_final');
END;

CREATE TRIGGER refund_is_not_deleted BEFORE DELETE ON gateway_refunds BEGIN
  SELECT RAISE(ABORT, 'append_only');
END;

-- What went back is counted.
CREATE TRIGGER refund_went_back AFTER UPDATE OF status ON gateway_refunds
WHEN NEW.status = 'succeeded' AND OLD.status <> 'succeeded' BEGIN
  UPDATE gateway_captures SET refunded_amount = refunded_amount + NEW.amount WHERE id = NEW.capture_id;
END;

-- The money of a failed refund is there again, and its target has it.
CREATE TRIGGER failed_refund_is_returned AFTER UPDATE OF status ON gateway_refunds
WHEN NEW.status = 'failed' AND OLD.status <> 'failed' BEGIN
  UPDATE gateway_captures SET withdrawn_amount = withdrawn_amount - NEW.advance_amount - NEW.covered_amount,
    refunded_amount = refunded_amount - iif(OLD.status = 'succeeded', NEW.amount, 0)
  WHERE id = NEW.capture_id;
  UPDATE credit_notes SET gateway_refunded_amount = gateway_refunded_amount - part.amount, updated_at = NEW.settled_at
  FROM (
    SELECT credit_note_id, amount FROM credited_refunds WHERE refund_id = NEW.id
    UNION ALL SELECT NEW.credit_note_id, NEW.amount - NEW.advance_amount - NEW.covered_amount
      - (SELECT coalesce(sum(amount), 0) FROM credited_refunds WHERE refund_id = NEW.id)
  ) AS part WHERE credit_notes.id = part.credit_note_id;
END;

-- A new refund, and one that is known to have ended.
CREATE TRIGGER refund_event_insert AFTER INSERT ON gateway_refunds BEGIN
  INSERT INTO events (type, resource, record_id, related)
  SELECT type, 'refund', NEW.id, json_object('capture_id', CAST(NEW.capture_id AS TEXT))
  FROM (
    SELECT 'refund.created' AS type
    UNION ALL SELECT 'refund.succeeded' WHERE NEW.status = 'succeeded'
    UNION ALL SELECT 'refund.failed' WHERE NEW.status = 'failed'
  );
END;

-- A refund, succeeded or failed.
CREATE TRIGGER refund_event_update AFTER UPDATE OF status ON gateway_refunds
WHEN NEW.status <> OLD.status AND NEW.status IN ('succeeded', 'failed') BEGIN
  INSERT INTO events (type, resource, record_id, previous, related) VALUES (
    iif(NEW.status = 'failed', 'refund.failed', 'refund.succeeded'), 'refund', NEW.id, json_object('status', OLD.status),
    json_object('capture_id', CAST(NEW.capture_id AS TEXT))
  );
END;

-- Money of a capture pays no invoice until a credit note or an advance says what the gateway gave back of it by itself. Only a call
-- that invoices a receipt of it takes such money, and counts the refunds anew.
CREATE TRIGGER payment_is_not_given_back BEFORE INSERT ON payments WHEN NEW.gateway_payment_id IS NOT NULL BEGIN
  SELECT RAISE(ABORT, 'has_gateway_refunds') FROM gateway_captures AS capture JOIN uncovered_refunds ON capture_id = capture.id
  WHERE gateway = NEW.gateway AND gateway_payment_id = NEW.gateway_payment_id AND NOT EXISTS (
    SELECT 1 FROM lesson_receipts WHERE gateway = NEW.gateway AND gateway_payment_id = NEW.gateway_payment_id
      AND ended_by = NEW.operation
  );
END;

-- A payment whose money the gateway gave back by itself stays until a credit note says so: the money would count as taken still.
CREATE TRIGGER payment_given_back_stays BEFORE UPDATE OF deleted_at ON payments
WHEN NEW.deleted_at IS NOT NULL AND OLD.deleted_at IS NULL AND NEW.gateway_payment_id IS NOT NULL BEGIN
  SELECT RAISE(ABORT, 'has_gateway_refunds') FROM captures_of_payments JOIN uncovered_refunds USING (capture_id)
  WHERE payment_id = NEW.id;
END;

-- Nor is one taken back whose money went to the customer by credit notes: as an advance it would go back once more. What is due of
-- the invoice after it is within what no note has credited, and the capture has paid what of it went back with notes of the invoice.
CREATE TRIGGER credited_payment_stays BEFORE UPDATE OF deleted_at ON payments
WHEN NEW.deleted_at IS NOT NULL AND OLD.deleted_at IS NULL AND NEW.gateway_payment_id IS NOT NULL
  AND EXISTS (SELECT 1 FROM credit_notes WHERE invoice_id = NEW.invoice_id AND status = 'issued') BEGIN
  SELECT RAISE(ABORT, 'has_credit_notes') FROM invoices WHERE id = NEW.invoice_id
    AND amount_due + NEW.amount + NEW.tds_amount + (
      SELECT sum(total_amount - unapplied_amount) FROM credit_notes WHERE invoice_id = NEW.invoice_id AND status = 'issued'
    ) > total_amount;
  SELECT RAISE(ABORT, 'has_credit_notes') FROM gateway_captures AS capture
  WHERE gateway = NEW.gateway AND gateway_payment_id = NEW.gateway_payment_id AND (
    SELECT sum(amount - advance_amount - covered_amount) FROM gateway_refunds WHERE capture_id = capture.id AND status <> 'failed'
      AND credit_note_id IN (SELECT id FROM credit_notes WHERE invoice_id = NEW.invoice_id)
  ) > max(0, lent_amount) + (
    SELECT coalesce(sum(amount), 0) FROM payments WHERE gateway = NEW.gateway AND gateway_payment_id = NEW.gateway_payment_id
      AND invoice_id = NEW.invoice_id AND id <> NEW.id AND deleted_at IS NULL
  );
END;

-- What gateways report of refunds, each report once. One of a payment that the service does not know has no refund until it does.
CREATE TABLE gateway_refund_events (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  gateway TEXT NOT NULL,
  event_id TEXT NOT NULL,
  type TEXT NOT NULL,
  payload_sha256 TEXT NOT NULL,
  refund_id INTEGER REFERENCES gateway_refunds (id),
  gateway_refund_id TEXT NOT NULL,
  gateway_payment_id TEXT,
  amount INTEGER NOT NULL,
  currency TEXT NOT NULL,
  state TEXT NOT NULL,
  received_at INTEGER NOT NULL,
  -- The account that reported it, and what else it said.
  gateway_account_id INTEGER NOT NULL REFERENCES gateway_accounts (id),
  kind TEXT NOT NULL,
  key TEXT,
  failure_code TEXT,
  -- When staff ended the review of one that has no refund.
  dismissed_at INTEGER,
  UNIQUE (gateway, event_id),
  CONSTRAINT refund_event_state CHECK (state IN ('pending', 'succeeded', 'failed')),
  CONSTRAINT refund_event_kind CHECK (kind IN ('refund', 'chargeback', 'chargeback_reversed')),
  CONSTRAINT refund_event_dismissed CHECK (dismissed_at IS NULL OR refund_id IS NULL)
) STRICT;

CREATE INDEX gateway_refund_events_refund ON gateway_refund_events (refund_id) WHERE refund_id IS NOT NULL;
CREATE INDEX gateway_refund_events_stray ON gateway_refund_events (id) WHERE refund_id IS NULL AND dismissed_at IS NULL;
CREATE INDEX gateway_refund_events_of_payment ON gateway_refund_events (gateway, gateway_payment_id)
WHERE refund_id IS NULL AND dismissed_at IS NULL;

-- What a gateway reported stays as it came; one without a refund gets its refund once.
CREATE TRIGGER refund_event_is_final BEFORE UPDATE ON gateway_refund_events
WHEN OLD.dismissed_at IS NOT NULL
  OR (NEW.id, NEW.gateway, NEW.event_id, NEW.type, NEW.payload_sha256, NEW.gateway_refund_id, NEW.gateway_payment_id,
    NEW.amount, NEW.currency, NEW.state, NEW.received_at, NEW.gateway_account_id, NEW.kind, NEW.key, NEW.failure_code)
  IS NOT (OLD.id, OLD.gateway, OLD.event_id, OLD.type, OLD.payload_sha256, OLD.gateway_refund_id, OLD.gateway_payment_id,
    OLD.amount, OLD.currency, OLD.state, OLD.received_at, OLD.gateway_account_id, OLD.kind, OLD.key, OLD.failure_code)
  OR NEW.refund_id IS NOT coalesce(OLD.refund_id, NEW.refund_id) BEGIN
  SELECT RAISE(ABORT, 'append_only');
END;

-- A refund that becomes known has the reports of it that came before, but for one that says more than is known.
CREATE VIEW reports_of_known_refunds AS
SELECT report.id AS report_id, refund.id AS refund_id
FROM gateway_refunds AS refund JOIN gateway_captures AS capture ON capture.id = refund.capture_id
JOIN gateway_refund_events AS report ON report.gateway = refund.gateway AND report.gateway_payment_id = capture.gateway_payment_id
  AND report.gateway_refund_id = refund.gateway_refund_id AND report.gateway_account_id = capture.gateway_account_id
WHERE report.refund_id IS NULL AND report.dismissed_at IS NULL
  AND report.amount = refund.amount AND report.currency = refund.currency
  AND (refund.status = 'failed' OR (report.kind <> 'chargeback_reversed' AND report.state IN ('pending', refund.status)));
CREATE TRIGGER new_refund_has_its_reports AFTER INSERT ON gateway_refunds WHEN NEW.gateway_refund_id IS NOT NULL BEGIN
  UPDATE gateway_refund_events SET refund_id = NEW.id
  WHERE id IN (SELECT report_id FROM reports_of_known_refunds WHERE refund_id = NEW.id);
END;
CREATE TRIGGER known_refund_has_its_reports AFTER UPDATE OF status, gateway_refund_id ON gateway_refunds
WHEN NEW.gateway_refund_id IS NOT NULL BEGIN
  UPDATE gateway_refund_events SET refund_id = NEW.id
  WHERE id IN (SELECT report_id FROM reports_of_known_refunds WHERE refund_id = NEW.id);
END;

-- Aborts with the codes of refunds.
CREATE TRIGGER refusal_refunds BEFORE INSERT ON refusal BEGIN
  SELECT CASE NEW.code
    WHEN 'refund_moved' THEN RAISE(ABORT, 'refund_moved')
    WHEN 'refund_too_small' THEN RAISE(ABORT, 'refund_too_small')
    WHEN 'refund_exceeds_payment' THEN RAISE(ABORT, 'refund_exceeds_payment')
  END;
END;

-- What goes back by itself: one row.
CREATE TABLE refund_settings (
  id INTEGER PRIMARY KEY,
  auto_refund TEXT NOT NULL DEFAULT 'off',
  -- What came before stays with the staff.
  auto_since INTEGER,
  CONSTRAINT one_row_of_refund_settings CHECK (id = 1),
  CONSTRAINT auto_refund CHECK (auto_refund IN ('off', 'duplicates_and_late') AND (auto_refund = 'off') = (auto_since IS NULL))
) STRICT;

INSERT INTO refund_settings (id) VALUES (1);
