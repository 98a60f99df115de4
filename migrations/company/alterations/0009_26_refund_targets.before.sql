-- What refunds through gateways do to the orders and bookings whose money they give back.

-- What gateways gave back by themselves of each capture, and no credit note says: of its own money, and of its siblings' as far
-- as they lend to it. A sibling pays its own documents first, and the oldest capture that borrows comes first.
CREATE VIEW captures_given_back AS
SELECT capture.*, (
  SELECT coalesce(sum(amount - advance_amount - covered_amount), 0) FROM gateway_refunds
  WHERE capture_id = capture.id AND source <> 'api' AND status = 'succeeded' AND credit_note_id IS NULL
) + iif(lent_amount >= 0, 0, max(0, min(-lent_amount, (
  SELECT sum(CASE WHEN sibling.lent_amount > 0 THEN max(0, (
    SELECT coalesce(sum(amount - advance_amount - covered_amount), 0) FROM gateway_refunds
    WHERE capture_id = sibling.id AND source <> 'api' AND status = 'succeeded' AND credit_note_id IS NULL
  ) - sibling.invoiced_amount) WHEN sibling.id < capture.id THEN sibling.lent_amount ELSE 0 END)
  FROM asked_siblings AS sibling WHERE of_capture_id = capture.id AND sibling.currency = capture.currency
)))) AS back
FROM gateway_captures AS capture;

-- An invoice has what its gateways gave back by themselves of its payments, and no credit note says. A capture that paid several
-- invoices goes back of its newest payment first.
CREATE TRIGGER refund_moves_its_invoice AFTER UPDATE OF refunded_amount ON gateway_captures
WHEN max(NEW.refunded_amount, OLD.refunded_amount) > 0 BEGIN
  UPDATE invoices SET refunded_without_credit_note = (
    SELECT sum(max(0, min(paid.amount, back - (
      SELECT coalesce(sum(amount), 0) FROM payments
      WHERE gateway = capture.gateway AND gateway_payment_id = capture.gateway_payment_id AND deleted_at IS NULL AND id > paid.id
    ))))
    FROM payments AS paid JOIN captures_given_back AS capture USING (gateway, gateway_payment_id)
    WHERE invoice_id = invoices.id AND deleted_at IS NULL
  )
  WHERE id IN (
    SELECT invoice_id FROM capture_siblings JOIN payments USING (gateway, gateway_payment_id)
    WHERE of_capture_id = NEW.id AND deleted_at IS NULL
  );
END;

-- What went back of each of the captures of one order, booking or invoice, how many of its refunds run, when they last changed,
-- and when anything last bore one.
CREATE VIEW moved_siblings AS
SELECT capture.*,
  (SELECT coalesce(sum(amount), 0) FROM gateway_refunds WHERE capture_id = capture.id AND status = 'succeeded') AS back,
  (SELECT count(*) FROM gateway_refunds WHERE capture_id = capture.id AND status IN ('created', 'pending')) AS running,
  (SELECT max(coalesce(settled_at, created_at)) FROM gateway_refunds WHERE capture_id = capture.id) AS refunded_at,
  max(
    coalesce((SELECT max(max(coalesce(settled_at, refund.created_at), coalesce(note.created_at, 0))) FROM gateway_refunds AS refund
      LEFT JOIN credit_notes AS note ON note.id = credit_note_id WHERE capture_id = capture.id), 0),
    coalesce((SELECT max(created_at) FROM advances WHERE capture_id = capture.id), 0)
  ) AS borne_at
FROM capture_siblings AS capture;

-- An order has what went back of the money that came for it, and is owed no more once all that was due is back or on its way. What
-- a failed refund leaves is owed again, and so is credit that the last refund's note has freed.
CREATE TRIGGER refund_moves_its_order AFTER UPDATE OF refunded_amount ON gateway_captures WHEN NEW.intent_id IS NOT NULL BEGIN
  UPDATE sales_orders SET
    refunded_amount = money.back,
    refund_status = CASE WHEN running > 0 THEN 'pending' WHEN back = 0 THEN 'none' WHEN back < came THEN 'partial' ELSE 'refunded' END,
    needs_refund = CASE WHEN payment_status = 'review' AND (waiting > 0 OR running > 0) THEN needs_refund
      WHEN NEW.withdrawn_amount < OLD.withdrawn_amount THEN iif(waiting > uncovered, 1, needs_refund)
      WHEN waiting > 0 THEN needs_refund
      WHEN (SELECT sum(unapplied_amount) FROM credit_notes WHERE invoice_id = sales_orders.invoice_id)
        > (SELECT coalesce(sum(owed), 0) FROM uncovered_refunds_of_invoices WHERE invoice_id = sales_orders.invoice_id)
        THEN iif(running = 0 AND NEW.refunded_amount > OLD.refunded_amount, 1, needs_refund)
      ELSE 0 END,
    updated_at = max(updated_at, at)
  FROM (
    SELECT ref_id, sum(amount - settled_amount) AS came, sum(advance_amount) AS waiting, sum(back) AS back, sum(running) AS running,
      max(refunded_at) AS at,
      (SELECT coalesce(sum(owed), 0) FROM capture_siblings AS sibling JOIN uncovered_refunds ON capture_id = sibling.id
        WHERE sibling.of_capture_id = NEW.id) AS uncovered
    FROM moved_siblings WHERE of_capture_id = NEW.id AND kind = 'order' GROUP BY ref_id
  ) AS money
  WHERE sales_orders.id = CAST(money.ref_id AS INTEGER);
END;

-- An order in review ends once all of its money is back, as if staff had dismissed it: its payments are given up.
CREATE TRIGGER refunded_order_in_review_ends AFTER UPDATE OF refund_status ON sales_orders
WHEN NEW.refund_status = 'refunded' AND NEW.payment_status = 'review' BEGIN
  UPDATE sales_orders SET status = 'cancelled', payment_status = 'unpaid', review_code = NULL, needs_refund = 0,
    overcaptured_amount = 0, reviewed_at = NEW.updated_at
  WHERE id = NEW.id;
  UPDATE payment_intents SET status = 'failed'
  WHERE kind = 'order' AND ref_id = CAST(NEW.id AS TEXT) AND status IN ('created', 'mismatch');
END;

-- Credit whose refund failed, or whose other invoice was voided, is owed back, but for what a gateway gave back by itself.
CREATE TRIGGER returned_credit_is_owed AFTER UPDATE OF gateway_refunded_amount, applied_amount ON credit_notes
WHEN (NEW.gateway_refunded_amount < OLD.gateway_refunded_amount OR NEW.applied_amount < OLD.applied_amount)
  AND NEW.status = 'issued' BEGIN
  UPDATE sales_orders SET needs_refund = 1, updated_at = NEW.updated_at
  WHERE needs_refund = 0 AND invoice_id = NEW.invoice_id
    AND (SELECT sum(unapplied_amount) FROM credit_notes WHERE invoice_id = NEW.invoice_id)
      > (SELECT coalesce(sum(owed), 0) FROM uncovered_refunds_of_invoices WHERE invoice_id = NEW.invoice_id);
END;

-- So is unused credit that a gateway had given back by itself, without a note, where that failed.
CREATE TRIGGER failed_report_is_owed AFTER UPDATE OF status ON gateway_refunds
WHEN NEW.status = 'failed' AND OLD.status <> 'failed' AND NEW.source <> 'api' AND NEW.credit_note_id IS NULL BEGIN
  UPDATE sales_orders SET needs_refund = 1, updated_at = NEW.settled_at
  WHERE needs_refund = 0 AND invoice_id IN (SELECT invoice_id FROM captures_of_payments WHERE capture_id = NEW.capture_id)
    AND (SELECT sum(unapplied_amount) FROM credit_notes WHERE invoice_id = sales_orders.invoice_id)
      > (SELECT coalesce(sum(owed), 0) FROM uncovered_refunds_of_invoices WHERE invoice_id = sales_orders.invoice_id);
END;

-- Credit is owed no more once it was paid out, applied or voided, and no other money is.
CREATE TRIGGER used_credit_is_not_owed AFTER UPDATE OF paid_out_amount, applied_amount, status ON credit_notes
WHEN NEW.unapplied_amount = 0 AND OLD.unapplied_amount > 0 BEGIN
  UPDATE sales_orders SET needs_refund = 0, updated_at = NEW.updated_at
  WHERE invoice_id = NEW.invoice_id AND needs_refund = 1 AND NOT EXISTS (
    SELECT 1 FROM credit_notes WHERE invoice_id = NEW.invoice_id AND unapplied_amount > 0
  ) AND NOT EXISTS (
    SELECT 1 FROM gateway_captures WHERE advance_amount > 0 AND intent_id IN (
      SELECT id FROM payment_intents WHERE kind = 'order' AND ref_id = CAST(sales_orders.id AS TEXT)
    )
  );
END;

-- Staff end what an order is owed only where its invoice has no unused credit but what a gateway gave back by itself: a payout
-- gives credit back, with its entry.
CREATE TRIGGER credit_is_owed_until_it_is_used BEFORE UPDATE OF needs_refund ON sales_orders
WHEN NEW.needs_refund = 0 AND OLD.needs_refund = 1 BEGIN
  SELECT RAISE(ABORT, 'has_credit_notes') WHERE (SELECT sum(unapplied_amount) FROM credit_notes WHERE invoice_id = NEW.invoice_id)
    > (SELECT coalesce(sum(owed), 0) FROM uncovered_refunds_of_invoices WHERE invoice_id = NEW.invoice_id);
END;

-- What a gateway gave back of an order by itself, and no credit note says yet, is reviewed.
CREATE TRIGGER reported_refund_is_reviewed AFTER INSERT ON gateway_refunds
WHEN NEW.source <> 'api' AND NEW.status <> 'failed' AND NEW.amount > NEW.advance_amount AND NEW.credit_note_id IS NULL BEGIN
  UPDATE sales_orders SET review_code = 'refunded_at_gateway', updated_at = NEW.created_at
  WHERE review_code IS NULL AND status = 'invoiced' AND id = (
    SELECT CAST(ref_id AS INTEGER) FROM gateway_captures JOIN payment_intents ON payment_intents.id = intent_id
    WHERE gateway_captures.id = NEW.capture_id AND kind = 'order'
  );
  UPDATE bookings SET money_review = needs_review = 0, needs_review = 1, updated_at = NEW.created_at
  WHERE money_review = 0 AND id = (
    SELECT ref_id FROM gateway_captures JOIN payment_intents ON payment_intents.id = intent_id
    WHERE gateway_captures.id = NEW.capture_id AND kind = 'booking'
  );
END;

-- The review ends with its cause: no refund is left that neither a credit note nor an advance bears, and of a booking no money
-- waits or is on its way.
CREATE TRIGGER money_review_ends AFTER UPDATE OF refunded_amount, settled_amount ON gateway_captures
WHEN NEW.intent_id IS NOT NULL AND NOT EXISTS (
  SELECT 1 FROM capture_siblings AS capture JOIN uncovered_refunds ON capture_id = capture.id
  WHERE of_capture_id = NEW.id AND reviewed_at IS NULL
) BEGIN
  UPDATE sales_orders SET review_code = NULL, updated_at = max(updated_at, at)
  FROM (
    SELECT ref_id, max(borne_at) AS at FROM moved_siblings WHERE of_capture_id = NEW.id AND kind = 'order' GROUP BY ref_id
  ) AS money
  WHERE sales_orders.id = CAST(ref_id AS INTEGER) AND review_code = 'refunded_at_gateway';
  UPDATE bookings SET needs_review = 0, money_review = 0, updated_at = max(updated_at, at)
  FROM (
    SELECT ref_id, max(borne_at) AS at FROM moved_siblings WHERE of_capture_id = NEW.id AND kind = 'booking' GROUP BY ref_id
  ) AS money
  WHERE bookings.id = ref_id AND money_review = 1
    AND NOT EXISTS (SELECT 1 FROM moved_siblings WHERE of_capture_id = NEW.id AND (advance_amount > 0 OR running > 0));
END;

-- Staff ended the review of one: is another left?
CREATE TRIGGER dismissed_review_moves_its_target AFTER UPDATE OF reviewed_at ON gateway_refunds BEGIN
  UPDATE gateway_captures SET refunded_amount = refunded_amount WHERE id = NEW.capture_id;
END;

-- Its credit notes stay: without one of them, the invoice could be credited again, and no review would ask for it.
CREATE TRIGGER credit_note_of_ended_review_is_not_voided BEFORE UPDATE OF status ON credit_notes
WHEN OLD.status = 'issued' AND NEW.status = 'voided' BEGIN
  SELECT RAISE(ABORT, 'credit_in_use') FROM uncovered_refunds_of_invoices JOIN gateway_refunds USING (id)
  WHERE invoice_id = NEW.invoice_id AND reviewed_at IS NOT NULL;
END;

-- It begins again once money that came besides a sale is sent back late by a bank.
CREATE TRIGGER returned_money_is_reviewed AFTER UPDATE OF status ON gateway_refunds
WHEN NEW.status = 'failed' AND OLD.status = 'succeeded' AND NEW.advance_amount + NEW.covered_amount > 0 BEGIN
  UPDATE bookings SET money_review = needs_review = 0, needs_review = 1, updated_at = NEW.settled_at
  WHERE money_review = 0 AND payment_status IN ('unpaid', 'paid') AND id = (
    SELECT ref_id FROM gateway_captures JOIN payment_intents ON payment_intents.id = intent_id
    WHERE gateway_captures.id = NEW.capture_id AND kind = 'booking'
  );
END;

-- All money of an order that sold more than there was is back: nothing is left to decide.
CREATE TRIGGER refunded_order_is_not_oversold AFTER UPDATE OF refund_status ON sales_orders
WHEN NEW.refund_status = 'refunded' AND NEW.review_code = 'oversold' BEGIN
  UPDATE sales_orders SET review_code = NULL WHERE id = NEW.id;
END;

-- What of the credit of a booking's invoice was paid out, or paid other invoices: its customer has that.
CREATE VIEW used_credit_of_bookings AS
SELECT booking_id, paid_out_amount + applied AS used, applied FROM (
  SELECT booking_id, paid_out_amount, (
    SELECT coalesce(sum(amount), 0) FROM credit_applications
    WHERE credit_note_id = credit_notes.id AND credit_applications.invoice_id <> credit_notes.invoice_id AND removed_at IS NULL
  ) AS applied
  FROM lesson_sales JOIN credit_notes USING (invoice_id)
  WHERE booking_id IS NOT NULL AND ended_by IS NULL AND credit_notes.status = 'issued'
);

-- A booking has what went back of the money that came for it. Once all is back that was due, or its customer has it otherwise, it
-- is refunded; its money is due again if a bank sends it back.
CREATE TRIGGER refund_moves_its_booking AFTER UPDATE OF refunded_amount ON gateway_captures WHEN NEW.intent_id IS NOT NULL BEGIN
  UPDATE bookings SET
    refunded_amount = back,
    refund_status = CASE WHEN running > 0 THEN 'pending' WHEN back = 0 THEN 'none' WHEN back < came THEN 'partial' ELSE 'refunded' END,
    payment_status = CASE
      WHEN payment_status IN ('paid', 'refund_due') AND running = 0 AND back + used > 0 AND back >= came AND NOT EXISTS (
        SELECT 1 FROM lesson_sales LEFT JOIN invoices ON invoices.id = lesson_sales.invoice_id
        WHERE booking_id = bookings.id AND ended_by IS NULL
          AND (invoices.id IS NULL OR taxable_credited <> taxable_total)
      ) THEN 'refunded'
      WHEN payment_status = 'refunded' AND NEW.refunded_amount < OLD.refunded_amount AND back < came THEN 'refund_due'
      ELSE payment_status END,
    updated_at = max(updated_at, coalesce(at, 0))
  FROM (
    SELECT ref_id, sum(amount - settled_amount) - used AS came, used, sum(back) AS back, sum(running) AS running,
      max(refunded_at) AS at
    FROM (
      SELECT *, (SELECT coalesce(sum(used), 0) FROM used_credit_of_bookings WHERE booking_id = ref_id) AS used
      FROM moved_siblings WHERE of_capture_id = NEW.id AND kind = 'booking'
    ) GROUP BY ref_id
  ) AS money
  WHERE bookings.id = money.ref_id;
END;

-- Credit of a booking's invoice that is paid out, or pays another invoice, is owed no more; once it is unused again, it is.
CREATE TRIGGER used_credit_moves_its_booking AFTER UPDATE OF paid_out_amount, applied_amount ON credit_notes BEGIN
  UPDATE bookings SET updated_at = NEW.updated_at,
    payment_status = iif(payment_status = 'refunded' AND NEW.applied_amount < OLD.applied_amount, 'refund_due', payment_status)
  WHERE payment_status IN ('paid', 'refund_due', 'refunded') AND NEW.status = 'issued' AND id = (
    SELECT booking_id FROM lesson_sales WHERE invoice_id = NEW.invoice_id AND ended_by IS NULL
  );
  UPDATE gateway_captures SET refunded_amount = refunded_amount WHERE id IN (
    SELECT capture_id FROM captures_of_payments WHERE invoice_id = NEW.invoice_id
  ) AND EXISTS (SELECT 1 FROM lesson_sales WHERE invoice_id = NEW.invoice_id AND booking_id IS NOT NULL AND ended_by IS NULL);
END;

-- All of an order went back.
CREATE TRIGGER order_event_refunded AFTER UPDATE OF refund_status ON sales_orders
WHEN NEW.refund_status = 'refunded' AND OLD.refund_status <> 'refunded' BEGIN
  INSERT INTO events (type, resource, record_id, previous)
  VALUES ('order.refunded', 'order', NEW.id, json_object('refund_status', OLD.refund_status));
END;

-- A part of a booking went back.
CREATE TRIGGER booking_event_partly_refunded AFTER UPDATE OF refunded_amount ON bookings
WHEN NEW.refunded_amount > OLD.refunded_amount AND NEW.refunded_amount < NEW.total_amount AND NEW.payment_status <> 'refunded' BEGIN
  INSERT INTO events (type, resource, record_id, previous)
  VALUES ('booking.partly_refunded', 'booking', NEW.id, json_object('refunded_amount', OLD.refunded_amount / 100.0));
END;

-- Aborts with the codes of the targets of refunds.
CREATE TRIGGER refusal_refund_targets BEFORE INSERT ON refusal BEGIN
  SELECT CASE NEW.code
    WHEN 'refund_in_progress' THEN RAISE(ABORT, 'refund_in_progress')
    WHEN 'mode_not_accepted' THEN RAISE(ABORT, 'mode_not_accepted')
    WHEN 'credit_note_required' THEN RAISE(ABORT, 'credit_note_required')
    WHEN 'refund_with_cancel' THEN RAISE(ABORT, 'refund_with_cancel')
  END;
END;
