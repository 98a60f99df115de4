-- Driving-school bookings: settings, instructors with their schedules, packages, and bookings that never overlap.
-- Times of day are minutes after midnight in the school's zone, instants epoch milliseconds.

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

-- A null time zone is the company's; a null step the slot's length.
CREATE TABLE booking_settings (
  id INTEGER PRIMARY KEY,
  timezone TEXT,
  slot_length_minutes INTEGER NOT NULL DEFAULT 60,
  slot_step_minutes INTEGER,
  buffer_minutes INTEGER NOT NULL DEFAULT 15,
  min_notice_minutes INTEGER NOT NULL DEFAULT 120,
  advance_days INTEGER NOT NULL DEFAULT 90,
  hold_minutes INTEGER NOT NULL DEFAULT 15,
  pending_hours INTEGER NOT NULL DEFAULT 48,
  cancel_window_hours INTEGER NOT NULL DEFAULT 24,
  default_radius_km REAL NOT NULL DEFAULT 15,
  updated_at INTEGER NOT NULL,
  CONSTRAINT one_booking_settings CHECK (id = 1),
  CONSTRAINT booking_settings_range CHECK (
    slot_length_minutes BETWEEN 15 AND 480 AND coalesce(slot_step_minutes, 5) BETWEEN 5 AND 480
    AND buffer_minutes BETWEEN 0 AND 480 AND min_notice_minutes >= 0 AND advance_days BETWEEN 0 AND 366
    AND hold_minutes BETWEEN 1 AND 1440 AND pending_hours >= 0 AND cancel_window_hours >= 0
    AND default_radius_km > 0
  )
) STRICT;

INSERT INTO booking_settings (id, updated_at) SELECT 1, max(applied_at) FROM migrations;

CREATE TABLE instructor_fields (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  operation TEXT NOT NULL UNIQUE,
  key TEXT NOT NULL UNIQUE,
  label TEXT NOT NULL,
  type TEXT NOT NULL,
  options TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  CONSTRAINT instructor_field_type CHECK (type IN ('text', 'number', 'boolean', 'select', 'multiselect', 'date')),
  CONSTRAINT instructor_field_options CHECK (coalesce(json_valid(options), 1))
) STRICT;

CREATE TABLE instructors (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  operation TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  gender TEXT,
  nationality TEXT,
  languages TEXT NOT NULL,
  transmission TEXT NOT NULL,
  car_make TEXT,
  car_model TEXT,
  bio TEXT,
  photo_url TEXT,
  service_areas TEXT NOT NULL,
  location_ids TEXT NOT NULL,
  custom_fields TEXT NOT NULL,
  schedule TEXT NOT NULL,
  is_active INTEGER NOT NULL,
  deleted_at INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  CONSTRAINT instructor_transmission CHECK (transmission IN ('auto', 'manual', 'both')),
  CONSTRAINT instructor_flags CHECK (is_active IN (0, 1)),
  CONSTRAINT instructor_lists CHECK (
    json_valid(languages) AND json_valid(service_areas) AND json_valid(location_ids) AND json_valid(custom_fields)
    AND json_valid(schedule)
  )
) STRICT;

CREATE INDEX instructors_by_name ON instructors (name, id) WHERE is_active = 1 AND deleted_at IS NULL;

-- What replaces an instructor's week on one date (available) or is taken out of it (not available; no times: all day).
CREATE TABLE instructor_overrides (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  operation TEXT NOT NULL UNIQUE,
  instructor_id INTEGER NOT NULL REFERENCES instructors (id),
  date TEXT NOT NULL,
  is_available INTEGER NOT NULL,
  start_minute INTEGER,
  end_minute INTEGER,
  note TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  CONSTRAINT instructor_override_flags CHECK (is_available IN (0, 1)),
  CONSTRAINT instructor_override_times CHECK (
    (start_minute IS NULL) = (end_minute IS NULL) AND (is_available = 0 OR start_minute IS NOT NULL)
    AND coalesce(start_minute, 0) >= 0 AND coalesce(end_minute, 1439) <= 1439
    AND coalesce(start_minute < end_minute, 1)
  )
) STRICT;

CREATE INDEX instructor_overrides_date ON instructor_overrides (instructor_id, date);

CREATE INDEX products_courses ON products (name, id)
  WHERE status = 'active' AND duration_minutes IS NOT NULL AND transmission IS NOT NULL;

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
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  CONSTRAINT booking_package_status CHECK (status IN ('active', 'cancelled')),
  CONSTRAINT package_exhausted CHECK (sessions_used BETWEEN 0 AND sessions_total)
) STRICT;

CREATE INDEX booking_packages_customer ON booking_packages (customer_id, id);
CREATE INDEX booking_packages_product ON booking_packages (product_id);

-- A booking keeps its instants, and the local times it was made by: a later change of zone does not move it.
-- `checked_at` is the clock that it compares other bookings' holds with; `client` tells visitors of a page apart.
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
  client TEXT,
  needs_review INTEGER NOT NULL DEFAULT 0,
  cancelled_at INTEGER,
  paid_at INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  CONSTRAINT booking_status CHECK (
    status IN ('pending', 'confirmed', 'completed', 'cancelled', 'no_show', 'expired')
  ),
  CONSTRAINT booking_payment_status CHECK (payment_status IN ('unpaid', 'paid', 'refund_due', 'refunded')),
  CONSTRAINT booking_length CHECK (end_at - start_at BETWEEN 1 AND 86400000),
  CONSTRAINT booking_amount CHECK (total_amount >= 0),
  CONSTRAINT booking_flags CHECK (needs_review IN (0, 1))
) STRICT;

CREATE INDEX bookings_slots ON bookings (instructor_id, start_at, end_at) WHERE status NOT IN ('cancelled', 'expired');
CREATE INDEX bookings_newest ON bookings (created_at, id);
CREATE INDEX bookings_date ON bookings (booking_date, created_at, id);
CREATE INDEX bookings_pending ON bookings (customer_id) WHERE status = 'pending';
CREATE INDEX bookings_holds ON bookings (hold_expires_at) WHERE status = 'pending' AND hold_expires_at IS NOT NULL;
CREATE INDEX bookings_clients ON bookings (client, created_at) WHERE client IS NOT NULL;
CREATE INDEX bookings_package ON bookings (booking_package_id) WHERE booking_package_id IS NOT NULL;

-- The overlap rule, on every path: half-open intervals of one instructor with one buffer between them. No booking is
-- longer than a day, which bounds the range that the index is read in; CROSS JOIN keeps the settings outside of it.
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

-- A booking that keeps its slot only has to overlap none: a buffer that was widened since asks nothing of it.
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

CREATE TRIGGER booking_needs_an_active_instructor BEFORE INSERT ON bookings
WHEN NOT EXISTS (SELECT 1 FROM instructors WHERE id = NEW.instructor_id AND is_active = 1 AND deleted_at IS NULL)
BEGIN
  SELECT RAISE(ABORT, 'invalid_instructor');
END;

CREATE TRIGGER booking_needs_an_active_course BEFORE INSERT ON bookings
WHEN NOT EXISTS (SELECT 1 FROM products WHERE id = NEW.product_id AND status = 'active' AND is_package = 0)
BEGIN
  SELECT RAISE(ABORT, 'invalid_product');
END;

-- A package's sessions are those of its bookings that stand, whatever ends them.
CREATE TRIGGER booking_uses_a_session AFTER INSERT ON bookings
WHEN NEW.booking_package_id IS NOT NULL BEGIN
  UPDATE booking_packages SET sessions_used = sessions_used + 1 WHERE id = NEW.booking_package_id;
END;

CREATE TRIGGER booking_returns_its_session AFTER UPDATE OF status ON bookings
WHEN NEW.booking_package_id IS NOT NULL
  AND (NEW.status IN ('cancelled', 'expired')) <> (OLD.status IN ('cancelled', 'expired')) BEGIN
  UPDATE booking_packages
  SET sessions_used = sessions_used + CASE WHEN NEW.status IN ('cancelled', 'expired') THEN -1 ELSE 1 END
  WHERE id = NEW.booking_package_id;
END;

CREATE TRIGGER booking_is_not_deleted BEFORE DELETE ON bookings BEGIN
  SELECT RAISE(ABORT, 'append_only');
END;
