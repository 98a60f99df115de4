-- What was recorded by mistake is taken back: its row stays, with when that was, and its entry is reversed.

ALTER TABLE settlements ADD COLUMN reversed_at INTEGER;
-- The captures that a payout which was taken back had named, as JSON.
ALTER TABLE settlements ADD COLUMN freed_captures TEXT;
ALTER TABLE credit_payouts ADD COLUMN reversed_at INTEGER;
ALTER TABLE lesson_receipts ADD COLUMN reversed_at INTEGER;

-- The reference of a payout that was taken back is free.
DROP INDEX settlements_payout;
CREATE UNIQUE INDEX settlements_payout ON settlements (gateway, payout_reference) WHERE reversed_at IS NULL;

DROP TRIGGER settlement_is_immutable;
DROP TRIGGER credit_payout_is_immutable;
/* For each of settlements settlement, credit_payouts credit_payout */
-- It never changes, except that it is taken back once.
CREATE TRIGGER each_kind_is_immutable BEFORE UPDATE ON each_table WHEN OLD.reversed_at IS NOT NULL OR NEW.reversed_at IS NULL BEGIN
  SELECT RAISE(ABORT, 'append_only');
END;
/* End of each */
CREATE TRIGGER settlement_is_as_made BEFORE UPDATE OF id, operation, gateway, payout_reference, settled_on, net_amount, fee_amount,
  fee_tax_amount, created_at ON settlements BEGIN
  SELECT RAISE(ABORT, 'append_only');
END;
CREATE TRIGGER credit_payout_is_as_made BEFORE UPDATE OF id, operation, credit_note_id, amount, payout_date, payment_mode_id,
  reference_number, created_at ON credit_payouts BEGIN
  SELECT RAISE(ABORT, 'append_only');
END;

-- A capture keeps its payment, and its payout unless that was taken back; its amount only rises.
DROP TRIGGER capture_is_final;
CREATE TRIGGER capture_is_final BEFORE UPDATE OF gateway, gateway_payment_id, currency, amount, settlement_id ON gateway_captures
WHEN NEW.gateway <> OLD.gateway OR NEW.gateway_payment_id <> OLD.gateway_payment_id OR NEW.currency <> OLD.currency
  OR NEW.amount < OLD.amount OR (NEW.settlement_id IS NOT OLD.settlement_id AND OLD.settlement_id IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM settlements WHERE id = OLD.settlement_id AND reversed_at IS NOT NULL
  )) BEGIN
  SELECT RAISE(ABORT, 'append_only');
END;
DROP TRIGGER settled_refund_is_not_deleted;
CREATE TRIGGER settled_refund_is_not_deleted BEFORE DELETE ON settled_refunds
WHEN NOT EXISTS (SELECT 1 FROM settlements WHERE id = OLD.settlement_id AND reversed_at IS NOT NULL) BEGIN
  SELECT RAISE(ABORT, 'append_only');
END;

-- The note has again what a payout had taken.
CREATE TRIGGER reversed_payout_is_returned AFTER UPDATE OF reversed_at ON credit_payouts BEGIN
  UPDATE credit_notes SET paid_out_amount = paid_out_amount - NEW.amount, updated_at = NEW.reversed_at
  WHERE id = NEW.credit_note_id;
END;

DROP VIEW moves_of_credit_payouts;
CREATE VIEW moves_of_credit_payouts AS
SELECT 'credit_payout:' || payout.id || way AS key, 'invoice:' || note.invoice_id AS sale,
  iif(is_back, 'payout', 'note'), iif(is_back, payout.id, note.id), iif(is_back, 'note', 'payout'), iif(is_back, note.id, payout.id),
  NULL AS capture_id, payout.amount, invoice.currency, iif(is_back, 'credit_payout:' || payout.id, NULL),
  'credit_payout' AS source_type, payout.id AS source_id, iif(is_back, NULL, payout.operation),
  iif(is_back, NULL, payout_date), iif(is_back, reversed_at, payout.created_at)
FROM credit_payouts AS payout JOIN credit_notes AS note ON note.id = credit_note_id
JOIN invoices AS invoice ON invoice.id = note.invoice_id JOIN move_ways ON is_back = 0 OR reversed_at IS NOT NULL;
CREATE TRIGGER reversed_payout_moves AFTER UPDATE OF reversed_at ON credit_payouts BEGIN
  INSERT INTO money_moves SELECT * FROM moves_of_credit_payouts WHERE source_id = NEW.id ON CONFLICT (key) DO NOTHING;
END;

-- As before of credit that was applied or refunded, now of credit that was paid out too.
DROP TRIGGER returned_credit_is_applied;
CREATE TRIGGER returned_credit_is_applied AFTER UPDATE OF applied_amount, paid_out_amount, gateway_refunded_amount ON credit_notes
WHEN NEW.unapplied_amount > OLD.unapplied_amount AND OLD.status = 'issued' BEGIN
  INSERT INTO credit_applications (credit_note_id, invoice_id, amount, created_at)
  SELECT NEW.id, id, min(amount_due, NEW.unapplied_amount), NEW.updated_at FROM invoices
  WHERE id = NEW.invoice_id AND amount_due > 0;
  -- What is left then is the paper of what its gateway gave back by itself.
  UPDATE gateway_refunds SET credit_note_id = NEW.id WHERE id IN (
    SELECT id FROM (
      SELECT id, sum(owed) OVER (ORDER BY owed, id) AS so_far FROM uncovered_refunds_of_invoices WHERE invoice_id = NEW.invoice_id
    ) WHERE so_far <= (SELECT sum(unapplied_amount) FROM credit_notes WHERE invoice_id = NEW.invoice_id)
  );
END;

-- It is owed to the buyer of an order that a gateway paid.
DROP TRIGGER returned_credit_is_owed;
CREATE TRIGGER returned_credit_is_owed AFTER UPDATE OF gateway_refunded_amount, paid_out_amount, applied_amount ON credit_notes
WHEN NEW.unapplied_amount > OLD.unapplied_amount AND OLD.status = 'issued' BEGIN
  UPDATE sales_orders SET needs_refund = 1, updated_at = NEW.updated_at
  WHERE needs_refund = 0 AND invoice_id = NEW.invoice_id
    AND (SELECT sum(unapplied_amount) FROM credit_notes WHERE invoice_id = NEW.invoice_id)
      > (SELECT coalesce(sum(owed), 0) FROM uncovered_refunds_of_invoices WHERE invoice_id = NEW.invoice_id)
    AND EXISTS (SELECT 1 FROM payments WHERE invoice_id = NEW.invoice_id AND gateway IS NOT NULL AND deleted_at IS NULL);
END;

-- A booking that a payout had ended is as before: cancelled, its money is due back; else it is paid.
DROP TRIGGER used_credit_moves_its_booking;
CREATE TRIGGER used_credit_moves_its_booking AFTER UPDATE OF paid_out_amount, applied_amount ON credit_notes BEGIN
  UPDATE bookings SET updated_at = NEW.updated_at, payment_status = CASE
    WHEN payment_status <> 'refunded' OR NEW.paid_out_amount + NEW.applied_amount >= OLD.paid_out_amount + OLD.applied_amount
      THEN payment_status
    WHEN status = 'cancelled' OR NEW.applied_amount < OLD.applied_amount THEN 'refund_due' ELSE 'paid' END
  WHERE payment_status IN ('paid', 'refund_due', 'refunded') AND NEW.status = 'issued' AND id = (
    SELECT booking_id FROM lesson_sales WHERE invoice_id = NEW.invoice_id AND ended_by IS NULL
  );
  UPDATE gateway_captures SET refunded_amount = refunded_amount WHERE id IN (
    SELECT capture_id FROM captures_of_payments WHERE invoice_id = NEW.invoice_id
  ) AND EXISTS (SELECT 1 FROM lesson_sales WHERE invoice_id = NEW.invoice_id AND booking_id IS NOT NULL AND ended_by IS NULL);
END;

-- Money of a booking that staff had recorded by mistake is taken back.
CREATE TRIGGER booking_event_unpaid AFTER UPDATE OF payment_status ON bookings
WHEN NEW.payment_status = 'unpaid' AND OLD.payment_status <> 'unpaid' BEGIN
  INSERT INTO events (type, resource, record_id, previous)
  VALUES ('booking.unpaid', 'booking', NEW.id, json_object('payment_status', OLD.payment_status));
END;

-- So is it where the invoice of that money is voided.
CREATE TRIGGER voided_invoice_leaves_its_booking_unpaid AFTER UPDATE OF status ON invoices
WHEN NEW.status = 'voided' AND OLD.status <> 'voided' BEGIN
  UPDATE bookings SET payment_status = 'unpaid', paid_at = NULL, updated_at = NEW.updated_at
  WHERE payment_status = 'paid' AND id IN (SELECT booking_id FROM lesson_sales WHERE invoice_id = NEW.id)
    AND NOT EXISTS (SELECT 1 FROM payments WHERE invoice_id = NEW.id AND gateway IS NOT NULL);
END;

-- What the lists of these records are narrowed and sorted by. Movements of stock have none: of millions it would take too long.
CREATE INDEX credit_payouts_date ON credit_payouts (payout_date, created_at);
CREATE INDEX credit_applications_of_note ON credit_applications (credit_note_id);
CREATE INDEX credit_applications_of_invoice ON credit_applications (invoice_id);
CREATE INDEX credit_applications_created ON credit_applications (created_at);
CREATE INDEX lesson_receipts_date ON lesson_receipts (receipt_date, created_at);
CREATE INDEX lesson_receipts_refund_date ON lesson_receipts (refund_date, created_at) WHERE refund_date IS NOT NULL;
CREATE INDEX settlements_date ON settlements (settled_on, created_at);
CREATE INDEX invoices_customer_date ON invoices (customer_id, invoice_date, created_at) WHERE status <> 'voided';

-- Aborts with the codes of reversals and of entries by hand.
CREATE TRIGGER refusal_reversals BEFORE INSERT ON refusal BEGIN
  SELECT CASE NEW.code
    WHEN 'reversal_too_early' THEN RAISE(ABORT, 'reversal_too_early')
    WHEN 'period_locked' THEN RAISE(ABORT, 'period_locked')
    WHEN 'return_filed' THEN RAISE(ABORT, 'return_filed')
    WHEN 'entry_reversed' THEN RAISE(ABORT, 'entry_reversed')
    WHEN 'clearing_exceeded' THEN RAISE(ABORT, 'clearing_exceeded')
    WHEN 'entry_has_document' THEN RAISE(ABORT, 'entry_has_document')
    WHEN 'opening_too_late' THEN RAISE(ABORT, 'opening_too_late')
    WHEN 'gst_not_registered' THEN RAISE(ABORT, 'gst_not_registered')
  END;
END;
