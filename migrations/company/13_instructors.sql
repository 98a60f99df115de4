-- A driving school: its booking rules, places and instructors with their schedules, and calendars of their lessons.
-- Times of day are minutes after midnight in the school's zone.

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
  -- The puzzle before a slot is held. The secret is encrypted; the hint is its end.
  turnstile_site_key TEXT,
  -- Encrypted; beside it, its last four characters.
  turnstile_secret TEXT,
  turnstile_hint TEXT,
  -- `risky`: the puzzle is asked if an address already holds several unpaid slots.
  turnstile_mode TEXT NOT NULL DEFAULT 'off'
    CONSTRAINT turnstile_mode CHECK (turnstile_mode IN ('off', 'risky', 'always'))
    CONSTRAINT turnstile_without_keys CHECK (
      turnstile_mode = 'off' OR (turnstile_site_key IS NOT NULL AND turnstile_secret IS NOT NULL)
    ),
  updated_at INTEGER NOT NULL,
  -- A free lesson may wait until its e-mail address is confirmed; only the link of that mail confirms it.
  confirm_free INTEGER NOT NULL DEFAULT 0
    CONSTRAINT booking_settings_confirm_free CHECK (confirm_free IN (0, 1)),
  -- Whether a payment issues an invoice; null: if the company is registered for tax.
  issue_invoices INTEGER CONSTRAINT booking_settings_issue_invoices CHECK (issue_invoices IN (0, 1)),
  -- Whether a visitor who cancels in time gets back what was paid through a gateway, without a person's doing.
  refund_on_cancel TEXT NOT NULL DEFAULT 'off'
    CONSTRAINT booking_settings_refund_on_cancel CHECK (refund_on_cancel IN ('off', 'full')),
  CONSTRAINT one_booking_settings CHECK (id = 1),
  CONSTRAINT booking_settings_range CHECK (
    slot_length_minutes BETWEEN 15 AND 480 AND coalesce(slot_step_minutes, 5) BETWEEN 5 AND 480
    AND buffer_minutes BETWEEN 0 AND 480 AND min_notice_minutes >= 0 AND advance_days BETWEEN 0 AND 366
    AND hold_minutes BETWEEN 1 AND 1440 AND pending_hours >= 0 AND cancel_window_hours >= 0
    AND default_radius_km > 0
  )
) STRICT;

INSERT INTO booking_settings (id, updated_at) SELECT 1, max(applied_at) FROM migrations;

CREATE TABLE locations (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  operation TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  type TEXT NOT NULL,
  city TEXT,
  state TEXT,
  postcode TEXT,
  latitude REAL,
  longitude REAL,
  operating_hours TEXT,
  is_active INTEGER NOT NULL DEFAULT 1,
  deleted_at INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  CONSTRAINT location_flags CHECK (is_active IN (0, 1))
) STRICT;

CREATE INDEX locations_by_name ON locations (name, id) WHERE is_active = 1 AND deleted_at IS NULL;

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
  -- Private to the school: no visitor reads them.
  email TEXT,
  phone TEXT,
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

-- An instructor whose address changed gets a notice at the old one, at most once an hour.
CREATE TRIGGER changed_instructor_receiver_is_notified AFTER UPDATE OF email, phone ON instructors
WHEN lower(OLD.email) IS NOT lower(NEW.email) OR OLD.phone IS NOT NEW.phone BEGIN
  INSERT INTO notifications (rule, channel, recipient, resource, record_id, occasion, address, due_at)
  SELECT 'receiver_changed', former.channel, 'former', 'receiver', 'instructor:' || NEW.id,
    (SELECT coalesce(max(id), 0) FROM notifications), former.address, NEW.updated_at
  FROM (SELECT 'email' AS channel, OLD.email AS address UNION ALL SELECT 'sms', OLD.phone
    WHERE OLD.phone IS NOT NEW.phone AND EXISTS (SELECT 1 FROM notification_rules WHERE sms = 1)) AS former
  WHERE former.address IS NOT NULL AND NOT EXISTS (SELECT 1 FROM notifications AS sent
    WHERE lower(sent.address) = lower(former.address) AND sent.due_at > NEW.updated_at - 3600000);
END;

-- Replaces an instructor's week on one date (available) or takes time out of it (not available; no times: all day).
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
    AND coalesce(start_minute, 0) >= 0 AND coalesce(end_minute, 1440) <= 1440
    AND coalesce(start_minute < end_minute, 1)
  )
) STRICT;

CREATE INDEX instructor_overrides_date ON instructor_overrides (instructor_id, date);

-- Calendars that others subscribe to. `issue` names the call that issued it; only the hash of the token is kept.
CREATE TABLE calendar_feeds (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  operation TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  -- Null for the whole school.
  instructor_id INTEGER REFERENCES instructors (id),
  detail TEXT NOT NULL,
  issue TEXT NOT NULL,
  token_hash TEXT NOT NULL UNIQUE,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  CONSTRAINT calendar_feed_detail CHECK (detail IN ('full', 'busy'))
) STRICT;

-- A company has at most 20 calendars.
CREATE TRIGGER calendar_feeds_are_few BEFORE INSERT ON calendar_feeds
WHEN (SELECT count(*) FROM calendar_feeds) >= 20 BEGIN
  SELECT RAISE(ABORT, 'limit_reached');
END;

-- A calendar needs an instructor who is not deleted.
CREATE TRIGGER calendar_feed_needs_its_instructor BEFORE INSERT ON calendar_feeds
WHEN NEW.instructor_id IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM instructors WHERE id = NEW.instructor_id AND deleted_at IS NULL) BEGIN
  SELECT RAISE(ABORT, 'invalid_instructor');
END;
