-- Bookings that never overlap, and packages of prepaid lessons.

CREATE TABLE booking_packages (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  operation TEXT NOT NULL UNIQUE,
  customer_id INTEGER NOT NULL REFERENCES customers (id),
  product_id INTEGER NOT NULL REFERENCES products (id),
  name TEXT NOT NULL,
  sessions_total INTEGER NOT NULL,
  sessions_used INTEGER NOT NULL DEFAULT 0,
  expires_at INTEGER,
  status TEXT NOT NULL,
  -- Bought with a line of an order, or with the booking of its first lesson; neither if the school gave it.
  order_id INTEGER REFERENCES sales_orders (id),
  line INTEGER,
  booking_id TEXT REFERENCES bookings (id),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  -- A bought package belongs to its buyer, by the contact that was typed; one that staff gave belongs to the customer.
  contact_email_lower TEXT,
  contact_last9 TEXT,
  -- 1 if its buyer is known to be that customer; else it is the buyer's, by what they typed.
  customer_confirmed INTEGER NOT NULL DEFAULT 1
    CONSTRAINT package_customer_confirmed CHECK (customer_confirmed IN (0, 1)),
  CONSTRAINT booking_package_status CHECK (status IN ('active', 'cancelled')),
  CONSTRAINT package_exhausted CHECK (sessions_used BETWEEN 0 AND sessions_total)
) STRICT;

CREATE INDEX booking_packages_customer ON booking_packages (customer_id, id);
CREATE INDEX booking_packages_product ON booking_packages (product_id);
CREATE UNIQUE INDEX booking_packages_order ON booking_packages (order_id, line) WHERE order_id IS NOT NULL;
CREATE UNIQUE INDEX booking_packages_booking ON booking_packages (booking_id) WHERE booking_id IS NOT NULL;
CREATE INDEX booking_packages_email ON booking_packages (contact_email_lower) WHERE contact_email_lower IS NOT NULL;
CREATE INDEX booking_packages_phone ON booking_packages (contact_last9) WHERE contact_last9 IS NOT NULL;

-- Future lessons of a cancelled package need review.
CREATE TRIGGER cancelled_package_marks_lessons_ahead AFTER UPDATE OF status ON booking_packages
WHEN NEW.status = 'cancelled' AND OLD.status <> 'cancelled' BEGIN
  UPDATE bookings SET needs_review = 1
  WHERE booking_package_id = NEW.id AND status IN ('pending', 'confirmed') AND start_at > NEW.updated_at;
END;

-- A booking keeps its instants and its local times: a later change of zone does not move it.
-- `checked_at` is the clock for comparing other bookings' holds; `client` distinguishes the visitors of a page.
CREATE TABLE bookings (
  id TEXT PRIMARY KEY,
  operation TEXT NOT NULL UNIQUE,
  booking_number TEXT NOT NULL UNIQUE,
  customer_id INTEGER NOT NULL REFERENCES customers (id),
  instructor_id INTEGER NOT NULL REFERENCES instructors (id),
  product_id INTEGER NOT NULL REFERENCES products (id),
  service_location_id INTEGER REFERENCES locations (id),
  booking_package_id INTEGER REFERENCES booking_packages (id),
  start_at INTEGER NOT NULL,
  end_at INTEGER NOT NULL,
  booking_date TEXT NOT NULL,
  start_time TEXT NOT NULL,
  end_time TEXT NOT NULL,
  timezone TEXT NOT NULL,
  status TEXT NOT NULL,
  payment_status TEXT NOT NULL,
  total_amount INTEGER NOT NULL,
  currency TEXT NOT NULL,
  hold_expires_at INTEGER,
  checked_at INTEGER NOT NULL,
  pickup_address TEXT,
  student_notes TEXT,
  cancel_reason TEXT,
  -- A hash of the company and the address group of the browser that booked; null where a server did.
  client TEXT,
  needs_review INTEGER NOT NULL DEFAULT 0,
  -- 1 if its only cause is money: too much came, or its gateway gave money back by itself.
  money_review INTEGER NOT NULL DEFAULT 0,
  cancelled_at INTEGER,
  paid_at INTEGER,
  -- When staff marked its money as paid back.
  given_back_at INTEGER,
  -- Who takes the money of an unpaid booking; null if there is none to take.
  settled_by TEXT
    CONSTRAINT booking_settled_by CHECK (settled_by IS NULL OR settled_by IN ('online', 'staff')),
  -- How often /pay held its slot again.
  renewals INTEGER NOT NULL DEFAULT 0
    CONSTRAINT booking_renewals CHECK (renewals >= 0),
  -- Opens the booking's own page.
  public_token TEXT NOT NULL
    CONSTRAINT booking_public_token CHECK (length(public_token) = 43),
  -- Calendars know a newer version by it.
  revision INTEGER NOT NULL DEFAULT 0,
  confirmed_at INTEGER,
  -- The random id in the token that a booking page had from /start.
  visitor TEXT,
  -- When staff last changed it without a notification; if equal to `updated_at`, it has not changed since.
  unnotified_at INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  -- Null if staff named the customer: then the customer's own record is the contact. An erasure sets the name 'erased'.
  contact_name TEXT,
  contact_email TEXT,
  contact_email_lower TEXT,
  contact_phone TEXT,
  contact_last9 TEXT,
  contact_language TEXT,
  -- 1 if staff say that the contact is that customer.
  customer_confirmed INTEGER NOT NULL DEFAULT 0
    CONSTRAINT booking_customer_confirmed CHECK (customer_confirmed IN (0, 1)),
  -- Limits of holds: the /56 and the /48 of a visitor's IPv6 address beside the address group, and whether the puzzle was
  -- solved; and free lessons that wait for their e-mail address to be confirmed.
  client_site TEXT,
  client_network TEXT,
  solved INTEGER NOT NULL DEFAULT 0 CONSTRAINT booking_solved CHECK (solved IN (0, 1)),
  -- Of a free lesson whose e-mail address is to be confirmed: what the link of that mail shows.
  email_proof TEXT CONSTRAINT booking_email_proof CHECK (length(email_proof) = 43),
  -- What went back through gateways.
  refunded_amount INTEGER NOT NULL DEFAULT 0 CONSTRAINT booking_refunded CHECK (refunded_amount >= 0),
  refund_status TEXT NOT NULL DEFAULT 'none'
    CONSTRAINT booking_refund_status CHECK (refund_status IN ('none', 'pending', 'partial', 'refunded')),
  CONSTRAINT booking_status CHECK (
    status IN ('pending', 'confirmed', 'completed', 'cancelled', 'no_show', 'expired')
  ),
  CONSTRAINT booking_payment_status CHECK (payment_status IN ('unpaid', 'paid', 'refund_due', 'refunded')),
  CONSTRAINT booking_length CHECK (end_at - start_at BETWEEN 1 AND 86400000),
  CONSTRAINT booking_amount CHECK (total_amount >= 0),
  CONSTRAINT booking_flags CHECK (needs_review IN (0, 1) AND money_review IN (0, 1))
) STRICT;

CREATE INDEX bookings_slots ON bookings (instructor_id, start_at, end_at) WHERE status NOT IN ('cancelled', 'expired');
CREATE INDEX bookings_newest ON bookings (created_at, id);
CREATE INDEX bookings_date ON bookings (booking_date, created_at, id);
CREATE INDEX bookings_pending ON bookings (customer_id) WHERE status = 'pending';
CREATE INDEX bookings_holds ON bookings (hold_expires_at) WHERE status = 'pending' AND hold_expires_at IS NOT NULL;
CREATE INDEX bookings_clients ON bookings (client, start_at) WHERE client IS NOT NULL;
CREATE INDEX bookings_package ON bookings (booking_package_id) WHERE booking_package_id IS NOT NULL;
CREATE INDEX bookings_unpaid_clients ON bookings (client, hold_expires_at)
  WHERE client IS NOT NULL AND payment_status = 'unpaid' AND settled_by = 'online';

-- A learner's lessons; those that no longer take time are in bookings_over.
CREATE INDEX bookings_learner ON bookings (customer_id, start_at) WHERE status NOT IN ('cancelled', 'expired');

-- For a school's lists of unpaid bookings and of money owed.
CREATE INDEX bookings_owed ON bookings (payment_status, created_at, id) WHERE payment_status IN ('unpaid', 'refund_due');
CREATE INDEX bookings_status ON bookings (status, created_at, id);

CREATE UNIQUE INDEX bookings_public_token ON bookings (public_token);

-- For a feed: the lessons of a span of time.
CREATE INDEX bookings_start ON bookings (start_at, id);
CREATE INDEX bookings_instructor_start ON bookings (instructor_id, start_at, id);
CREATE INDEX bookings_owed_start ON bookings (payment_status, start_at, id)
  WHERE payment_status IN ('unpaid', 'refund_due');
CREATE INDEX bookings_customer ON bookings (customer_id, created_at, id);
CREATE INDEX bookings_refund_status ON bookings (refund_status, created_at, id) WHERE refund_status <> 'none';
CREATE INDEX bookings_review ON bookings (created_at, id) WHERE needs_review = 1;

-- For finding reminders.
CREATE INDEX bookings_confirmed_start ON bookings (start_at) WHERE status = 'confirmed';
CREATE INDEX bookings_contact_email ON bookings (contact_email_lower) WHERE contact_email_lower IS NOT NULL;
CREATE INDEX bookings_contact_phone ON bookings (contact_last9) WHERE contact_last9 IS NOT NULL;
CREATE INDEX bookings_client_sites ON bookings (client_site, start_at) WHERE client_site IS NOT NULL;
CREATE INDEX bookings_client_networks ON bookings (client_network, start_at) WHERE client_network IS NOT NULL;
CREATE INDEX bookings_visitors ON bookings (visitor) WHERE visitor IS NOT NULL;

-- The overlap rule: no two bookings of an instructor within a buffer. No booking is longer than a day.
CREATE TRIGGER booking_takes_a_free_slot BEFORE INSERT ON bookings
WHEN NEW.status NOT IN ('cancelled', 'expired') AND EXISTS (
  SELECT 1 FROM (SELECT buffer_minutes * 60000 AS buffer FROM booking_settings) CROSS JOIN bookings other
  WHERE other.instructor_id = NEW.instructor_id
    AND other.start_at < NEW.end_at + buffer AND other.start_at > NEW.start_at - buffer - 86400000
    AND other.end_at + buffer > NEW.start_at
    AND other.status NOT IN ('cancelled', 'expired')
    AND (other.status <> 'pending' OR other.hold_expires_at IS NULL OR other.hold_expires_at > NEW.checked_at)
) BEGIN
  SELECT RAISE(ABORT, 'slot_unavailable');
END;

-- A booking that keeps its slot must only overlap none: a buffer that was widened since does not count.
CREATE TRIGGER booking_moves_to_a_free_slot BEFORE UPDATE OF instructor_id, start_at, end_at, status, hold_expires_at
ON bookings
WHEN NEW.status NOT IN ('cancelled', 'expired')
  AND (NEW.status <> 'pending' OR NEW.hold_expires_at IS NULL OR NEW.hold_expires_at > NEW.checked_at)
  AND EXISTS (
    SELECT 1 FROM (
      SELECT CASE
        WHEN NEW.instructor_id = OLD.instructor_id AND NEW.start_at = OLD.start_at AND NEW.end_at = OLD.end_at
          AND OLD.status NOT IN ('cancelled', 'expired')
          AND (OLD.status <> 'pending' OR OLD.hold_expires_at IS NULL OR OLD.hold_expires_at > NEW.checked_at)
        THEN 0 ELSE buffer_minutes * 60000 END AS buffer
      FROM booking_settings
    ) CROSS JOIN bookings other
    WHERE other.instructor_id = NEW.instructor_id AND other.id <> NEW.id
      AND other.start_at < NEW.end_at + buffer AND other.start_at > NEW.start_at - buffer - 86400000
      AND other.end_at + buffer > NEW.start_at
      AND other.status NOT IN ('cancelled', 'expired')
      AND (other.status <> 'pending' OR other.hold_expires_at IS NULL OR other.hold_expires_at > NEW.checked_at)
  ) BEGIN
  SELECT RAISE(ABORT, 'slot_unavailable');
END;

-- A booking needs an active instructor.
CREATE TRIGGER booking_needs_an_active_instructor BEFORE INSERT ON bookings
WHEN NOT EXISTS (SELECT 1 FROM instructors WHERE id = NEW.instructor_id AND is_active = 1 AND deleted_at IS NULL)
BEGIN
  SELECT RAISE(ABORT, 'invalid_instructor');
END;

-- A package counts the sessions of its bookings that stand, whatever ends the others.
CREATE TRIGGER booking_uses_a_session AFTER INSERT ON bookings
WHEN NEW.booking_package_id IS NOT NULL BEGIN
  UPDATE booking_packages SET sessions_used = sessions_used + 1 WHERE id = NEW.booking_package_id;
END;

-- A booking that is cancelled or expires gives its session back.
CREATE TRIGGER booking_returns_its_session AFTER UPDATE OF status ON bookings
WHEN NEW.booking_package_id IS NOT NULL
  AND (NEW.status IN ('cancelled', 'expired')) <> (OLD.status IN ('cancelled', 'expired')) BEGIN
  UPDATE booking_packages
  SET sessions_used = sessions_used + CASE WHEN NEW.status IN ('cancelled', 'expired') THEN -1 ELSE 1 END
  WHERE id = NEW.booking_package_id;
END;

-- No booking is deleted.
CREATE TRIGGER booking_is_not_deleted BEFORE DELETE ON bookings BEGIN
  SELECT RAISE(ABORT, 'append_only');
END;

-- A booking of a package product buys the package once it is paid: its lesson is the first session. There was one, for
-- booking_needs_an_active_course refuses a product without a lesson or sessions; the product may name none any longer.
CREATE TRIGGER paid_booking_grants_its_package AFTER UPDATE OF payment_status ON bookings
WHEN NEW.payment_status = 'paid' AND OLD.payment_status <> 'paid' AND NEW.booking_package_id IS NULL
  AND (SELECT is_package FROM products WHERE id = NEW.product_id) = 1 BEGIN
  INSERT INTO booking_packages (operation, customer_id, product_id, name, sessions_total, sessions_used, expires_at, status,
    booking_id, contact_email_lower, contact_last9, customer_confirmed, created_at, updated_at)
  SELECT 'booking:' || NEW.id, NEW.customer_id, lesson_product_id, name, sessions, 1,
    NEW.updated_at + package_days * 86400000, 'active', NEW.id, NEW.contact_email_lower, NEW.contact_last9,
    NEW.customer_confirmed, NEW.updated_at, NEW.updated_at
  FROM products WHERE id = NEW.product_id AND lesson_product_id IS NOT NULL AND sessions >= 1;
  UPDATE bookings SET booking_package_id = (SELECT id FROM booking_packages WHERE booking_id = NEW.id),
    needs_review = max(needs_review, NOT EXISTS (SELECT 1 FROM booking_packages WHERE booking_id = NEW.id))
  WHERE id = NEW.id;
END;

-- A refund takes the sessions back; bookings that used them meanwhile need review.
CREATE TRIGGER refunded_booking_cancels_its_package AFTER UPDATE OF payment_status ON bookings
WHEN NEW.payment_status IN ('refund_due', 'refunded') AND OLD.payment_status NOT IN ('refund_due', 'refunded') BEGIN
  UPDATE bookings SET needs_review = 1 WHERE id = NEW.id AND EXISTS (
    SELECT 1 FROM bookings other JOIN booking_packages package ON package.id = other.booking_package_id
    WHERE package.booking_id = NEW.id AND other.id <> NEW.id AND other.status NOT IN ('cancelled', 'expired')
  );
  UPDATE booking_packages SET status = 'cancelled', updated_at = NEW.updated_at
  WHERE booking_id = NEW.id AND status = 'active';
END;

-- A later cause of review stays when its money's has ended; what staff have reviewed has no cause.
CREATE TRIGGER booking_review_has_another_cause AFTER UPDATE OF needs_review ON bookings
WHEN OLD.money_review = 1 AND NEW.money_review = 1 BEGIN
  UPDATE bookings SET money_review = 0 WHERE id = NEW.id;
END;

-- A booking is of a lesson, or of a package that names its first lesson, which an update pays: so no other booking is
-- prepared with what grants a package.
CREATE TRIGGER booking_needs_an_active_course BEFORE INSERT ON bookings
WHEN NOT EXISTS (
  SELECT 1 FROM products WHERE id = NEW.product_id AND status = 'active'
    AND (is_package = 0 OR (lesson_product_id IS NOT NULL AND sessions >= 1 AND NEW.booking_package_id IS NULL
      AND NEW.payment_status = 'unpaid'))
) BEGIN
  SELECT RAISE(ABORT, 'invalid_product');
END;

-- A learner's lessons do not overlap; the overlap rule covers those of one instructor.
CREATE TRIGGER learner_is_free_insert BEFORE INSERT ON bookings
WHEN NEW.status NOT IN ('cancelled', 'expired') AND EXISTS (
  SELECT 1 FROM bookings other
  WHERE other.customer_id = NEW.customer_id AND other.instructor_id <> NEW.instructor_id
    AND other.start_at < NEW.end_at AND other.start_at > NEW.start_at - 86400000 AND other.end_at > NEW.start_at
    AND other.status NOT IN ('cancelled', 'expired')
    AND (other.status <> 'pending' OR other.hold_expires_at IS NULL OR other.hold_expires_at > NEW.checked_at)
    AND ((NEW.customer_confirmed = 1 AND other.customer_confirmed = 1) OR other.visitor = NEW.visitor)
) BEGIN
  SELECT RAISE(ABORT, 'slot_overlaps_own');
END;

-- A booking that keeps its time is not checked again.
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
      AND ((NEW.customer_confirmed = 1 AND other.customer_confirmed = 1) OR other.visitor = NEW.visitor)
  ) BEGIN
  SELECT RAISE(ABORT, 'slot_overlaps_own');
END;

-- A change of status, time or instructor makes a new revision.
CREATE TRIGGER booking_is_revised AFTER UPDATE OF status, start_at, end_at, instructor_id ON bookings
WHEN (NEW.status, NEW.start_at, NEW.end_at, NEW.instructor_id)
  IS NOT (OLD.status, OLD.start_at, OLD.end_at, OLD.instructor_id) BEGIN
  UPDATE bookings SET revision = OLD.revision + 1,
    confirmed_at = iif(NEW.status = 'confirmed' AND OLD.status <> 'confirmed', NEW.updated_at, confirmed_at)
  WHERE id = NEW.id;
END;

CREATE TRIGGER bookings_search_insert AFTER INSERT ON bookings WHEN NEW.contact_name IS NOT NULL BEGIN
  INSERT INTO bookings_search (rowid, name, email, phone, phone_digits)
  VALUES (CAST(substr(NEW.booking_number, 4) AS INTEGER), NEW.contact_name, NEW.contact_email, NEW.contact_phone, NEW.contact_last9);
END;

CREATE TRIGGER bookings_search_update AFTER UPDATE OF contact_name ON bookings BEGIN
  DELETE FROM bookings_search WHERE rowid = CAST(substr(OLD.booking_number, 4) AS INTEGER);
  INSERT INTO bookings_search (rowid, name, email, phone, phone_digits)
  SELECT CAST(substr(NEW.booking_number, 4) AS INTEGER), NEW.contact_name, NEW.contact_email, NEW.contact_phone, NEW.contact_last9
  WHERE NEW.contact_name <> 'erased';
END;

-- What came for a booking is of the booking's customer.
CREATE TRIGGER booking_names_its_captures AFTER UPDATE OF customer_id ON bookings
WHEN NEW.customer_id <> OLD.customer_id BEGIN
  UPDATE gateway_captures SET customer_id = NEW.customer_id
  WHERE intent_id IN (SELECT id FROM payment_intents WHERE kind = 'booking' AND ref_id = NEW.id);
END;

-- A change of the booking's customer also changes the package that was bought with it.
CREATE TRIGGER package_follows_its_booking AFTER UPDATE OF customer_id, customer_confirmed ON bookings
WHEN (NEW.customer_id, NEW.customer_confirmed) IS NOT (OLD.customer_id, OLD.customer_confirmed) BEGIN
  UPDATE booking_packages SET customer_id = NEW.customer_id, customer_confirmed = NEW.customer_confirmed,
    updated_at = NEW.updated_at
  WHERE booking_id = NEW.id;
END;

-- The mail goes out whatever rules are on: without it the lesson cannot be confirmed.
CREATE TRIGGER unproven_booking_is_written_to AFTER INSERT ON bookings
WHEN NEW.status = 'pending' AND NEW.email_proof IS NOT NULL BEGIN
  INSERT INTO notifications (rule, channel, recipient, resource, record_id, occasion, due_at)
  VALUES ('booking_unproven', 'email', 'customer', 'booking', NEW.id, '', NEW.created_at);
END;

-- Aborts with the codes of bookings.
CREATE TRIGGER refusal_bookings BEFORE INSERT ON refusal BEGIN
  SELECT CASE NEW.code
    WHEN 'already_paid' THEN RAISE(ABORT, 'already_paid')
    WHEN 'cancel_window_passed' THEN RAISE(ABORT, 'cancel_window_passed')
    WHEN 'customer_gone' THEN RAISE(ABORT, 'customer_gone')
    WHEN 'invalid_status' THEN RAISE(ABORT, 'invalid_status')
    WHEN 'location_gone' THEN RAISE(ABORT, 'location_gone')
    WHEN 'package_not_found' THEN RAISE(ABORT, 'package_not_found')
    WHEN 'product_gone' THEN RAISE(ABORT, 'product_gone')
    WHEN 'too_many_holds' THEN RAISE(ABORT, 'too_many_holds')
  END;
END;

-- Aborts if a visitor has to solve the puzzle first.
CREATE TRIGGER refusal_calls BEFORE INSERT ON refusal WHEN NEW.code = 'captcha_required' BEGIN
  SELECT RAISE(ABORT, 'captcha_required');
END;

-- Aborts if a visitor has moved what is not paid often enough, or a message of strangers finds its receiver's hour full.
CREATE TRIGGER refusal_strangers BEFORE INSERT ON refusal WHEN NEW.code IN ('too_many_moves', 'limit_reached') BEGIN
  SELECT CASE NEW.code
    WHEN 'too_many_moves' THEN RAISE(ABORT, 'too_many_moves')
    WHEN 'limit_reached' THEN RAISE(ABORT, 'limit_reached')
  END;
END;

-- For the staff's search. A booking's number is its row here, because it stays the same in every copy.
CREATE VIRTUAL TABLE bookings_search USING fts5 (
  name, email, phone, phone_digits, content = '', contentless_delete = 1, tokenize = 'trigram'
);
