-- Money as moves: each says what it comes from, what it goes to, and how much. The tables before this one keep the amounts
-- that are answered; triggers write the moves beside them.

CREATE TABLE money_moves (
  -- Names it by what made it, so it is written once.
  key TEXT PRIMARY KEY,
  -- Whose pool it concerns: `order:12`, `booking:01K`, `invoice:7`, or `capture:3` where nothing asked for the money. One
  -- without a pool concerns its invoice or booking; of a credit note, the invoice of the note.
  sale TEXT NOT NULL,
  -- The ends: `capture`, `hand` and `tds` bring money; `pool` and `to_allocate` are of the sale; `invoice` and `receipt` are
  -- paid; `note` is credit; `refund` is on its way; `payer`, `payout`, `settled` and `fee` have what left.
  from_kind TEXT NOT NULL,
  from_id INTEGER,
  to_kind TEXT NOT NULL,
  to_id INTEGER,
  -- The capture whose money it is, where it is of one.
  capture_id INTEGER,
  amount INTEGER NOT NULL,
  currency TEXT NOT NULL,
  -- The move that this one takes back.
  takes_back TEXT,
  -- The record that made it. Its entry of the books, where it has one, is of the same source.
  source_type TEXT NOT NULL,
  source_id INTEGER NOT NULL,
  -- The call that made it, the day on which it is in the books, and when it was made; null where its record does not say.
  operation TEXT,
  day TEXT,
  created_at INTEGER,
  CONSTRAINT money_move_amount CHECK (amount >= 0)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER money_move_is_immutable BEFORE UPDATE ON money_moves BEGIN
  SELECT RAISE(ABORT, 'append_only');
END;
CREATE TRIGGER money_move_is_not_deleted BEFORE DELETE ON money_moves BEGIN
  SELECT RAISE(ABORT, 'append_only');
END;

-- The views below say what each record moves, with the columns of `money_moves` in their order. Where it is taken back, each of
-- its moves has one the other way.
CREATE VIEW move_ways AS SELECT '' AS way, 0 AS is_back UNION ALL SELECT ':back', 1;

CREATE VIEW sales_of_captures AS
SELECT capture.id, capture.amount, capture.currency, received_at,
  coalesce(kind || ':' || ref_id, 'capture:' || capture.id) AS sale
FROM gateway_captures AS capture LEFT JOIN payment_intents AS intent ON intent.id = intent_id;

-- Of a capture whose amount rose, what no move says yet.
CREATE VIEW moves_of_captures AS
SELECT 'capture:' || id || ':' || amount AS key, sale, 'capture', id, 'pool', NULL, id AS capture_id, amount - (
  SELECT coalesce(sum(move.amount), 0) FROM money_moves AS move WHERE move.key > 'capture:' || capture.id || ':'
    AND move.key < 'capture:' || capture.id || '::' AND move.key <> 'capture:' || capture.id || ':' || capture.amount
), currency, NULL, 'gateway_capture' AS source_type, id AS source_id, NULL, NULL, received_at
FROM sales_of_captures AS capture WHERE amount > 0;

CREATE VIEW moves_of_advances AS
SELECT 'advance:' || advance.id || way AS key, sale,
  CASE WHEN is_back THEN 'to_allocate' WHEN kind = 'reopened' THEN 'settled' ELSE 'pool' END,
  iif(kind = 'reopened', advance.id, NULL),
  CASE WHEN is_back OR kind = 'reopened' THEN 'pool' WHEN kind = 'covered' THEN 'to_allocate' ELSE kind END,
  iif(kind IN ('fee', 'settled'), advance.id, NULL), advance.capture_id, advance.amount, capture.currency,
  iif(is_back, 'advance:' || advance.id, NULL), 'advance' AS source_type, advance.id AS source_id,
  iif(is_back, NULL, advance.operation), iif(is_back, NULL, advance.entry_date), iif(is_back, settled_at, advance.created_at)
FROM advances AS advance JOIN sales_of_captures AS capture ON capture.id = advance.capture_id
LEFT JOIN gateway_refunds AS refund ON refund.id = refund_id
JOIN move_ways ON is_back = 0 OR refund.status = 'failed'
WHERE kind <> 'received';

CREATE VIEW moves_of_payments AS
SELECT 'payment:' || payment.id || iif(origin = 'tds', ':tds', '') || way AS key,
  coalesce(kind || ':' || ref_id, 'capture:' || capture.id, 'invoice:' || invoice_id) AS sale,
  iif(is_back, 'invoice', origin), iif(is_back, invoice_id, NULL), iif(is_back, origin, 'invoice'), iif(is_back, NULL, invoice_id),
  capture.id AS capture_id, iif(origin = 'tds', tds_amount, payment.amount), payment.currency,
  iif(is_back, 'payment:' || payment.id || iif(origin = 'tds', ':tds', ''), NULL),
  'payment' AS source_type, payment.id AS source_id,
  iif(is_back, removed_by, payment.operation), iif(is_back, NULL, payment_date), iif(is_back, deleted_at, payment.created_at)
FROM payments AS payment
JOIN (SELECT 'hand' AS origin UNION ALL SELECT 'pool' UNION ALL SELECT 'tds')
  ON CASE origin WHEN 'hand' THEN payment.gateway IS NULL WHEN 'pool' THEN payment.gateway IS NOT NULL ELSE tds_amount > 0 END
JOIN move_ways ON is_back = 0 OR deleted_at IS NOT NULL
LEFT JOIN gateway_captures AS capture
  ON capture.gateway = payment.gateway AND capture.gateway_payment_id = payment.gateway_payment_id
LEFT JOIN payment_intents AS intent ON intent.id = intent_id;

CREATE VIEW moves_of_receipts AS
SELECT 'receipt:' || receipt.id || way AS key,
  coalesce(kind || ':' || ref_id, 'capture:' || capture.id, 'booking:' || booking_id) AS sale,
  iif(is_back, 'receipt', origin), iif(is_back, receipt.id, NULL), iif(is_back, origin, 'receipt'), iif(is_back, NULL, receipt.id),
  capture.id AS capture_id, receipt.amount, receipt.currency, iif(is_back, 'receipt:' || receipt.id, NULL),
  'lesson_receipt' AS source_type, receipt.id AS source_id,
  iif(is_back, ended_by, receipt.operation), iif(is_back, refund_date, receipt_date), iif(is_back, NULL, receipt.created_at)
FROM lesson_receipts AS receipt
JOIN (SELECT 'hand' AS origin UNION ALL SELECT 'pool') ON (origin = 'hand') = (receipt.gateway IS NULL)
JOIN move_ways ON is_back = 0 OR ended_by IS NOT NULL
LEFT JOIN gateway_captures AS capture
  ON capture.gateway = receipt.gateway AND capture.gateway_payment_id = receipt.gateway_payment_id
LEFT JOIN payment_intents AS intent ON intent.id = intent_id;

-- What a gateway gave back by itself beyond the pool comes of what is to allocate, until credit or an advance is allocated to it.
CREATE VIEW moves_of_refunds AS
SELECT 'refund:' || refund.id || ':' || part || way AS key, sale,
  iif(is_back, goes_to, comes_from), iif((goes_to = 'refund') = is_back, refund.id, NULL),
  iif(is_back, comes_from, goes_to), iif((goes_to = 'refund') = is_back, NULL, refund.id), capture_id,
  CASE part WHEN 'pool' THEN advance_amount WHEN 'sent' THEN refund.amount ELSE refund.amount - advance_amount END,
  refund.currency, iif(is_back, 'refund:' || refund.id || ':' || part, NULL), 'gateway_refund' AS source_type,
  refund.id AS source_id, iif(is_back OR part = 'sent', NULL, operation), iif(is_back OR part <> 'sent', NULL, entry_date),
  iif(is_back, settled_at, iif(part = 'sent', NULL, created_at))
FROM gateway_refunds AS refund JOIN sales_of_captures AS capture ON capture.id = capture_id
JOIN (
  SELECT 'pool' AS part, 'pool' AS comes_from, 'refund' AS goes_to UNION ALL SELECT 'rest', 'to_allocate', 'refund'
  UNION ALL SELECT 'sent', 'refund', 'payer'
) ON CASE part WHEN 'pool' THEN advance_amount > 0 WHEN 'sent' THEN entry_date IS NOT NULL
  ELSE source <> 'api' AND refund.amount > advance_amount END
JOIN move_ways ON is_back = 0 OR status = 'failed';

-- What the note that a refund names bears of it, and what other notes do.
CREATE VIEW moves_of_credited_refunds AS
SELECT 'refund:' || refund.id || ':note:' || note.id || way AS key, sale,
  iif(is_back, goes_to, 'note'), CASE is_back WHEN 0 THEN note.id ELSE iif(goes_to = 'refund', refund.id, NULL) END,
  iif(is_back, 'note', goes_to), CASE is_back WHEN 1 THEN note.id ELSE iif(goes_to = 'refund', refund.id, NULL) END,
  capture_id, coalesce(
    (SELECT part.amount FROM credited_refunds AS part WHERE refund_id = refund.id AND part.credit_note_id = note.id),
    refund.amount - advance_amount - covered_amount
      - (SELECT coalesce(sum(part.amount), 0) FROM credited_refunds AS part WHERE refund_id = refund.id)
  ) AS amount, refund.currency, iif(is_back, 'refund:' || refund.id || ':note:' || note.id, NULL),
  'gateway_refund' AS source_type, refund.id AS source_id, NULL, NULL, iif(is_back, settled_at, NULL)
FROM gateway_refunds AS refund JOIN credit_notes AS note
  ON note.id = refund.credit_note_id OR note.id IN (SELECT credit_note_id FROM credited_refunds WHERE refund_id = refund.id)
JOIN sales_of_captures AS capture ON capture.id = capture_id
JOIN (SELECT 'refund' AS goes_to UNION ALL SELECT 'to_allocate') ON (goes_to = 'refund') = (source = 'api')
JOIN move_ways ON is_back = 0 OR refund.status = 'failed';

CREATE VIEW moves_of_credit_applications AS
SELECT 'credit_application:' || application.id || way AS key, 'invoice:' || note.invoice_id AS sale,
  iif(is_back, 'invoice', 'note'), iif(is_back, invoice.id, note.id), iif(is_back, 'note', 'invoice'),
  iif(is_back, note.id, invoice.id), NULL AS capture_id, application.amount, invoice.currency,
  iif(is_back, 'credit_application:' || application.id, NULL), 'credit_application' AS source_type,
  application.id AS source_id, NULL, NULL, iif(is_back, removed_at, application.created_at)
FROM credit_applications AS application JOIN credit_notes AS note ON note.id = credit_note_id
JOIN invoices AS invoice ON invoice.id = application.invoice_id
JOIN move_ways ON is_back = 0 OR removed_at IS NOT NULL;

CREATE VIEW moves_of_credit_payouts AS
SELECT 'credit_payout:' || payout.id AS key, 'invoice:' || note.invoice_id AS sale, 'note', note.id, 'payout', payout.id,
  NULL AS capture_id, payout.amount, invoice.currency, NULL, 'credit_payout' AS source_type, payout.id AS source_id,
  payout.operation, payout_date, payout.created_at
FROM credit_payouts AS payout JOIN credit_notes AS note ON note.id = credit_note_id
JOIN invoices AS invoice ON invoice.id = note.invoice_id;

CREATE VIEW moves_of_records (
  key, sale, from_kind, from_id, to_kind, to_id, capture_id, amount, currency, takes_back, source_type, source_id, operation, day,
  created_at
) AS SELECT * FROM moves_of_captures
UNION ALL SELECT * FROM moves_of_advances
UNION ALL SELECT * FROM moves_of_payments
UNION ALL SELECT * FROM moves_of_receipts
UNION ALL SELECT * FROM moves_of_refunds
UNION ALL SELECT * FROM moves_of_credited_refunds WHERE amount > 0
UNION ALL SELECT * FROM moves_of_credit_applications
UNION ALL SELECT * FROM moves_of_credit_payouts;

CREATE TRIGGER capture_moves AFTER INSERT ON gateway_captures BEGIN
  INSERT INTO money_moves SELECT * FROM moves_of_captures WHERE source_id = NEW.id ON CONFLICT (key) DO NOTHING;
END;
CREATE TRIGGER more_of_a_capture_moves AFTER UPDATE OF amount ON gateway_captures WHEN NEW.amount > OLD.amount BEGIN
  INSERT INTO money_moves SELECT * FROM moves_of_captures WHERE source_id = NEW.id ON CONFLICT (key) DO NOTHING;
END;

-- What is left of money that nothing asked for goes by way of its capture to the pool of what asked for it after all.
CREATE TRIGGER found_capture_moves AFTER UPDATE OF intent_id ON gateway_captures
WHEN OLD.intent_id IS NULL AND NEW.intent_id IS NOT NULL AND OLD.advance_amount > 0 BEGIN
  INSERT INTO money_moves
  SELECT 'capture:' || NEW.id || iif(is_back, ':left', ':found'), iif(is_back, 'capture:' || NEW.id, sale),
    iif(is_back, 'pool', 'capture'), iif(is_back, NULL, NEW.id), iif(is_back, 'capture', 'pool'), iif(is_back, NEW.id, NULL),
    NEW.id, OLD.advance_amount, NEW.currency, NULL, 'gateway_capture', NEW.id, NULL, NULL, NULL
  FROM sales_of_captures JOIN move_ways WHERE id = NEW.id AND EXISTS (
    SELECT 1 FROM money_moves WHERE key = 'capture:' || NEW.id || ':' || OLD.amount AND sale = 'capture:' || NEW.id
  );
END;

CREATE TRIGGER advance_moves AFTER INSERT ON advances WHEN NEW.kind <> 'received' BEGIN
  INSERT INTO money_moves SELECT * FROM moves_of_advances WHERE source_id = NEW.id ON CONFLICT (key) DO NOTHING;
END;

CREATE TRIGGER payment_moves AFTER INSERT ON payments BEGIN
  INSERT INTO money_moves SELECT * FROM moves_of_payments WHERE source_id = NEW.id ON CONFLICT (key) DO NOTHING;
END;
CREATE TRIGGER removed_payment_moves AFTER UPDATE OF deleted_at ON payments BEGIN
  INSERT INTO money_moves SELECT * FROM moves_of_payments WHERE source_id = NEW.id ON CONFLICT (key) DO NOTHING;
END;

CREATE TRIGGER receipt_moves AFTER INSERT ON lesson_receipts BEGIN
  INSERT INTO money_moves SELECT * FROM moves_of_receipts WHERE source_id = NEW.id ON CONFLICT (key) DO NOTHING;
END;
CREATE TRIGGER ended_receipt_moves AFTER UPDATE OF ended_by ON lesson_receipts BEGIN
  INSERT INTO money_moves SELECT * FROM moves_of_receipts WHERE source_id = NEW.id ON CONFLICT (key) DO NOTHING;
END;

CREATE TRIGGER refund_moves AFTER INSERT ON gateway_refunds BEGIN
  INSERT INTO money_moves SELECT * FROM moves_of_refunds WHERE source_id = NEW.id ON CONFLICT (key) DO NOTHING;
END;
CREATE TRIGGER ended_refund_moves AFTER UPDATE OF status ON gateway_refunds WHEN NEW.status <> OLD.status BEGIN
  INSERT INTO money_moves SELECT * FROM (
    SELECT * FROM moves_of_refunds WHERE source_id = NEW.id
    UNION ALL SELECT * FROM moves_of_credited_refunds WHERE source_id = NEW.id AND amount > 0
    UNION ALL SELECT * FROM moves_of_advances WHERE source_id IN (SELECT id FROM advances WHERE refund_id = NEW.id)
  ) WHERE TRUE ON CONFLICT (key) DO NOTHING;
END;

-- Triggers of one table fire in no order that is promised: a note has less once all notes that bear a refund are known.
CREATE TRIGGER credited_refund_moves AFTER UPDATE OF gateway_refunded_amount ON credit_notes
WHEN NEW.gateway_refunded_amount > OLD.gateway_refunded_amount BEGIN
  INSERT INTO money_moves SELECT * FROM moves_of_credited_refunds WHERE source_id IN (
    SELECT id FROM gateway_refunds WHERE credit_note_id = NEW.id
    UNION ALL SELECT refund_id FROM credited_refunds WHERE credit_note_id = NEW.id
  ) AND key = 'refund:' || source_id || ':note:' || NEW.id AND amount > 0 ON CONFLICT (key) DO NOTHING;
END;

CREATE TRIGGER credit_application_moves AFTER INSERT ON credit_applications BEGIN
  INSERT INTO money_moves SELECT * FROM moves_of_credit_applications WHERE source_id = NEW.id ON CONFLICT (key) DO NOTHING;
END;
CREATE TRIGGER removed_credit_application_moves AFTER UPDATE OF removed_at ON credit_applications BEGIN
  INSERT INTO money_moves SELECT * FROM moves_of_credit_applications WHERE source_id = NEW.id ON CONFLICT (key) DO NOTHING;
END;

CREATE TRIGGER credit_payout_moves AFTER INSERT ON credit_payouts BEGIN
  INSERT INTO money_moves SELECT * FROM moves_of_credit_payouts WHERE source_id = NEW.id ON CONFLICT (key) DO NOTHING;
END;

-- The records that were there before these triggers, and through which of them they have become moves.
CREATE TABLE converted_moves (
  source_type TEXT PRIMARY KEY,
  through INTEGER NOT NULL,
  until INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

INSERT INTO converted_moves (source_type, through, until)
SELECT 'gateway_capture', 0, coalesce(max(id), 0) FROM gateway_captures
UNION ALL SELECT 'advance', 0, coalesce(max(id), 0) FROM advances
UNION ALL SELECT 'payment', 0, coalesce(max(id), 0) FROM payments
UNION ALL SELECT 'lesson_receipt', 0, coalesce(max(id), 0) FROM lesson_receipts
UNION ALL SELECT 'gateway_refund', 0, coalesce(max(id), 0) FROM gateway_refunds
UNION ALL SELECT 'credit_application', 0, coalesce(max(id), 0) FROM credit_applications
UNION ALL SELECT 'credit_payout', 0, coalesce(max(id), 0) FROM credit_payouts;
