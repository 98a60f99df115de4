-- Before: 1dcacef230012924f96a0ae8de0a858159817bbb204e6434f92f2af6209850b1
DROP TRIGGER refund_moves_its_order;

CREATE TRIGGER refund_moves_its_order AFTER UPDATE OF refunded_amount ON gateway_captures WHEN NEW.intent_id IS NOT NULL BEGIN
  UPDATE sales_orders SET
    refunded_amount = money.back,
    refund_status = CASE WHEN running > 0 THEN 'pending' WHEN back = 0 THEN 'none' WHEN back < came THEN 'partial' ELSE 'refunded' END,
    needs_refund = CASE WHEN payment_status = 'review' AND (waiting > 0 OR running > 0) THEN needs_refund
      WHEN NEW.withdrawn_amount < OLD.withdrawn_amount THEN iif(waiting > uncovered, 1, needs_refund)
      WHEN waiting > 0 THEN needs_refund
      WHEN (SELECT sum(unapplied_amount) FROM credit_notes WHERE invoice_id = sales_orders.invoice_id)
        > (SELECT coalesce(sum(owed), 0) FROM uncovered_refunds_of_invoices WHERE invoice_id = sales_orders.invoice_id)
        THEN iif(running = 0 AND (NEW.refunded_amount, NEW.withdrawn_amount) > (OLD.refunded_amount, OLD.withdrawn_amount), 1, needs_refund)
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
