-- Packages that are sold online, what they grant and what takes it back; a learner's time; and how often a hold was renewed.

-- What a package product grants: sessions of which lesson, and for how many days (null: for good).
ALTER TABLE products ADD COLUMN lesson_product_id INTEGER REFERENCES products (id);
ALTER TABLE products ADD COLUMN package_days INTEGER
  CONSTRAINT product_package_days CHECK (package_days IS NULL OR package_days > 0);

CREATE INDEX products_lesson ON products (lesson_product_id) WHERE lesson_product_id IS NOT NULL;

CREATE TRIGGER package_on_sale_names_its_lesson_insert BEFORE INSERT ON products
WHEN NEW.is_package = 1 AND NEW.is_storefront_visible = 1
  AND (NEW.lesson_product_id IS NULL OR coalesce(NEW.sessions, 0) < 1) BEGIN
  SELECT RAISE(ABORT, 'package_without_lesson');
END;

-- A package that was on sale before this rule may be renamed or repriced; its orders say what they could not grant.
CREATE TRIGGER package_on_sale_names_its_lesson_update
BEFORE UPDATE OF is_package, is_storefront_visible, lesson_product_id, sessions ON products
WHEN NEW.is_package = 1 AND NEW.is_storefront_visible = 1
  AND (NEW.lesson_product_id IS NULL OR coalesce(NEW.sessions, 0) < 1) BEGIN
  SELECT RAISE(ABORT, 'package_without_lesson');
END;

-- What a package was bought with: a line of an order, or the booking of its first lesson; neither where a school gave it.
ALTER TABLE booking_packages ADD COLUMN order_id INTEGER REFERENCES sales_orders (id);
ALTER TABLE booking_packages ADD COLUMN line INTEGER;
ALTER TABLE booking_packages ADD COLUMN booking_id TEXT REFERENCES bookings (id);

CREATE UNIQUE INDEX booking_packages_order ON booking_packages (order_id, line) WHERE order_id IS NOT NULL;
CREATE UNIQUE INDEX booking_packages_booking ON booking_packages (booking_id) WHERE booking_id IS NOT NULL;

-- 1 where a package of a paid order could not be granted: its product names no lesson any more. Somebody has to look.
ALTER TABLE sales_orders ADD COLUMN packages_missing INTEGER NOT NULL DEFAULT 0
  CONSTRAINT order_packages_missing CHECK (packages_missing IN (0, 1));

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
  UPDATE sales_orders SET packages_missing = 1 WHERE id = NEW.id AND EXISTS (
    SELECT 1 FROM json_each(NEW.items) line CROSS JOIN products product ON product.id = line.value ->> '$.productId'
    WHERE product.is_package = 1 AND NOT EXISTS (
      SELECT 1 FROM booking_packages WHERE order_id = NEW.id AND booking_packages.line = line.key + 1
    )
  );
END;

-- A refund or a void takes back what was bought with the money: unused sessions are gone, lessons to come are looked at.
CREATE TRIGGER removed_payment_cancels_its_packages AFTER UPDATE OF deleted_at ON payments
WHEN NEW.deleted_at IS NOT NULL AND OLD.deleted_at IS NULL BEGIN
  UPDATE booking_packages SET status = 'cancelled', updated_at = NEW.deleted_at
  WHERE status = 'active' AND order_id = (SELECT sales_order_id FROM invoices WHERE id = NEW.invoice_id);
END;

CREATE TRIGGER cancelled_package_marks_lessons_ahead AFTER UPDATE OF status ON booking_packages
WHEN NEW.status = 'cancelled' AND OLD.status <> 'cancelled' BEGIN
  UPDATE bookings SET needs_review = 1
  WHERE booking_package_id = NEW.id AND status IN ('pending', 'confirmed') AND start_at > NEW.updated_at;
END;

-- A booking of a package product buys the package once it is paid, on every path: its lesson is the first session.
CREATE TRIGGER paid_booking_grants_its_package_insert AFTER INSERT ON bookings
WHEN NEW.payment_status = 'paid' AND NEW.booking_package_id IS NULL
  AND (SELECT is_package FROM products WHERE id = NEW.product_id) = 1 BEGIN
  INSERT INTO booking_packages (operation, customer_id, product_id, name, sessions_total, sessions_used, expires_at, status,
    booking_id, created_at, updated_at)
  SELECT 'booking:' || NEW.id, NEW.customer_id, lesson_product_id, name, sessions, 1,
    NEW.updated_at + package_days * 86400000, 'active', NEW.id, NEW.updated_at, NEW.updated_at
  FROM products WHERE id = NEW.product_id AND lesson_product_id IS NOT NULL AND sessions >= 1;
  UPDATE bookings SET booking_package_id = (SELECT id FROM booking_packages WHERE booking_id = NEW.id),
    needs_review = max(needs_review, NOT EXISTS (SELECT 1 FROM booking_packages WHERE booking_id = NEW.id))
  WHERE id = NEW.id;
END;

CREATE TRIGGER paid_booking_grants_its_package_update AFTER UPDATE OF payment_status ON bookings
WHEN NEW.payment_status = 'paid' AND OLD.payment_status <> 'paid' AND NEW.booking_package_id IS NULL
  AND (SELECT is_package FROM products WHERE id = NEW.product_id) = 1 BEGIN
  INSERT INTO booking_packages (operation, customer_id, product_id, name, sessions_total, sessions_used, expires_at, status,
    booking_id, created_at, updated_at)
  SELECT 'booking:' || NEW.id, NEW.customer_id, lesson_product_id, name, sessions, 1,
    NEW.updated_at + package_days * 86400000, 'active', NEW.id, NEW.updated_at, NEW.updated_at
  FROM products WHERE id = NEW.product_id AND lesson_product_id IS NOT NULL AND sessions >= 1;
  UPDATE bookings SET booking_package_id = (SELECT id FROM booking_packages WHERE booking_id = NEW.id),
    needs_review = max(needs_review, NOT EXISTS (SELECT 1 FROM booking_packages WHERE booking_id = NEW.id))
  WHERE id = NEW.id;
END;

-- Its money is due back or given back: so are the sessions. What was used of them meanwhile, somebody has to look at.
CREATE TRIGGER refunded_booking_cancels_its_package AFTER UPDATE OF payment_status ON bookings
WHEN NEW.payment_status IN ('refund_due', 'refunded') AND OLD.payment_status NOT IN ('refund_due', 'refunded') BEGIN
  UPDATE bookings SET needs_review = 1 WHERE id = NEW.id AND EXISTS (
    SELECT 1 FROM bookings other JOIN booking_packages package ON package.id = other.booking_package_id
    WHERE package.booking_id = NEW.id AND other.id <> NEW.id AND other.status NOT IN ('cancelled', 'expired')
  );
  UPDATE booking_packages SET status = 'cancelled', updated_at = NEW.updated_at
  WHERE booking_id = NEW.id AND status = 'active';
END;

-- A course that is booked is a lesson, or a package that names the lesson that it begins with.
DROP TRIGGER booking_needs_an_active_course;

CREATE TRIGGER booking_needs_an_active_course BEFORE INSERT ON bookings
WHEN NOT EXISTS (
  SELECT 1 FROM products WHERE id = NEW.product_id AND status = 'active'
    AND (is_package = 0 OR (lesson_product_id IS NOT NULL AND sessions >= 1 AND NEW.booking_package_id IS NULL))
) BEGIN
  SELECT RAISE(ABORT, 'invalid_product');
END;

-- Who takes the money of a booking that is not paid yet (null: nobody has to), and how often /pay held its slot anew.
ALTER TABLE bookings ADD COLUMN settled_by TEXT
  CONSTRAINT booking_settled_by CHECK (settled_by IS NULL OR settled_by IN ('online', 'staff'));
ALTER TABLE bookings ADD COLUMN renewals INTEGER NOT NULL DEFAULT 0
  CONSTRAINT booking_renewals CHECK (renewals >= 0);

CREATE INDEX bookings_unpaid_clients ON bookings (client, hold_expires_at)
  WHERE client IS NOT NULL AND payment_status = 'unpaid' AND settled_by = 'online';

-- One learner sits in one car at a time: the lessons of a customer do not overlap, whoever gives them. Those of one
-- instructor are the overlap rule's.
CREATE INDEX bookings_learner ON bookings (customer_id, start_at) WHERE status NOT IN ('cancelled', 'expired');

CREATE TRIGGER learner_is_free_insert BEFORE INSERT ON bookings
WHEN NEW.status NOT IN ('cancelled', 'expired') AND EXISTS (
  SELECT 1 FROM bookings other
  WHERE other.customer_id = NEW.customer_id AND other.instructor_id <> NEW.instructor_id
    AND other.start_at < NEW.end_at AND other.start_at > NEW.start_at - 86400000 AND other.end_at > NEW.start_at
    AND other.status NOT IN ('cancelled', 'expired')
    AND (other.status <> 'pending' OR other.hold_expires_at IS NULL OR other.hold_expires_at > NEW.checked_at)
) BEGIN
  SELECT RAISE(ABORT, 'slot_overlaps_own');
END;

-- A booking that keeps its time and has it already is asked nothing: two that overlap since before this rule may stand.
CREATE TRIGGER learner_is_free_update BEFORE UPDATE OF instructor_id, start_at, end_at, status, hold_expires_at ON bookings
WHEN NEW.status NOT IN ('cancelled', 'expired')
  AND (NEW.status <> 'pending' OR NEW.hold_expires_at IS NULL OR NEW.hold_expires_at > NEW.checked_at)
  AND NOT (
    NEW.start_at = OLD.start_at AND NEW.end_at = OLD.end_at AND OLD.status NOT IN ('cancelled', 'expired')
    AND (OLD.status <> 'pending' OR OLD.hold_expires_at IS NULL OR OLD.hold_expires_at > NEW.checked_at)
  )
  AND EXISTS (
    SELECT 1 FROM bookings other
    WHERE other.customer_id = NEW.customer_id AND other.instructor_id <> NEW.instructor_id AND other.id <> NEW.id
      AND other.start_at < NEW.end_at AND other.start_at > NEW.start_at - 86400000 AND other.end_at > NEW.start_at
      AND other.status NOT IN ('cancelled', 'expired')
      AND (other.status <> 'pending' OR other.hold_expires_at IS NULL OR other.hold_expires_at > NEW.checked_at)
  ) BEGIN
  SELECT RAISE(ABORT, 'slot_overlaps_own');
END;

-- What a school asks of its bookings: who has not paid, to whom money is owed, and what came of each payment.
CREATE INDEX bookings_owed ON bookings (payment_status, created_at, id) WHERE payment_status IN ('unpaid', 'refund_due');
CREATE INDEX bookings_status ON bookings (status, created_at, id);
CREATE INDEX gateway_events_intent ON gateway_events (intent_id, gateway_payment_id) WHERE intent_id IS NOT NULL;
