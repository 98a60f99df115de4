-- What an order grants, and what it owes once its payment is taken back.

DROP TRIGGER paid_order_grants_its_packages;

-- Quantities are thousandths; a line of two packages of five is ten sessions. A lesson that is not given any more is
-- nothing to grant sessions of: somebody has to look.
CREATE TRIGGER paid_order_grants_its_packages AFTER UPDATE OF status ON sales_orders
WHEN NEW.status = 'invoiced' AND OLD.status <> 'invoiced' BEGIN
  INSERT INTO booking_packages
    (operation, customer_id, product_id, name, sessions_total, expires_at, status, order_id, line, created_at, updated_at)
  SELECT 'order:' || NEW.id || ':' || (line.key + 1), NEW.customer_id, lesson.id, line.value ->> '$.name',
    product.sessions * (line.value ->> '$.quantity') / 1000, NEW.paid_at + product.package_days * 86400000, 'active',
    NEW.id, line.key + 1, NEW.paid_at, NEW.paid_at
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

-- A refund or a void takes the record of a payment back and moves no money: what came through a gateway is still there.
CREATE TRIGGER removed_gateway_payment_is_owed AFTER UPDATE OF deleted_at ON payments
WHEN NEW.deleted_at IS NOT NULL AND OLD.deleted_at IS NULL AND NEW.gateway_payment_id IS NOT NULL BEGIN
  UPDATE sales_orders SET needs_refund = 1, updated_at = NEW.deleted_at
  WHERE id = (SELECT sales_order_id FROM invoices WHERE id = NEW.invoice_id);
END;
