-- A booking's own page, opened by its token; its revision and confirmation for calendars and reminders; calendar feeds.
ALTER TABLE bookings ADD COLUMN public_token TEXT
  CONSTRAINT booking_public_token CHECK (length(public_token) = 43);
ALTER TABLE bookings ADD COLUMN revision INTEGER NOT NULL DEFAULT 0;
ALTER TABLE bookings ADD COLUMN confirmed_at INTEGER;

-- The newest at once; housekeeping gives the rest theirs, so many at a time.
UPDATE bookings SET public_token = substr(lower(hex(randomblob(22))), 1, 43),
  confirmed_at = iif(status IN ('pending', 'expired'), NULL, coalesce(paid_at, created_at))
WHERE id IN (SELECT id FROM bookings ORDER BY created_at DESC, id DESC LIMIT 50000);

CREATE UNIQUE INDEX bookings_public_token ON bookings (public_token) WHERE public_token IS NOT NULL;
CREATE INDEX bookings_without_token ON bookings (id) WHERE public_token IS NULL;

-- A version from before this one makes bookings without a token while the service is upgraded.
CREATE TRIGGER booking_has_a_token AFTER INSERT ON bookings
WHEN NEW.public_token IS NULL OR (NEW.status = 'confirmed' AND NEW.confirmed_at IS NULL) BEGIN
  UPDATE bookings SET public_token = coalesce(public_token, substr(lower(hex(randomblob(22))), 1, 43)),
    confirmed_at = iif(status = 'confirmed', coalesce(confirmed_at, created_at), confirmed_at)
  WHERE id = NEW.id;
END;

-- Calendars take a change for newer by its revision.
CREATE TRIGGER booking_is_revised AFTER UPDATE OF status, start_at, end_at, instructor_id ON bookings
WHEN (NEW.status, NEW.start_at, NEW.end_at, NEW.instructor_id)
  IS NOT (OLD.status, OLD.start_at, OLD.end_at, OLD.instructor_id) BEGIN
  UPDATE bookings SET revision = OLD.revision + 1,
    confirmed_at = iif(NEW.status = 'confirmed' AND OLD.status <> 'confirmed', NEW.updated_at, confirmed_at)
  WHERE id = NEW.id;
END;

-- Calendars that others subscribe to. `issue` names the call that issued the address; of the token only its hash is kept.
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

CREATE TRIGGER calendar_feeds_are_few BEFORE INSERT ON calendar_feeds
WHEN (SELECT count(*) FROM calendar_feeds) >= 20 BEGIN
  SELECT RAISE(ABORT, 'limit_reached');
END;

CREATE TRIGGER calendar_feed_needs_its_instructor BEFORE INSERT ON calendar_feeds
WHEN NEW.instructor_id IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM instructors WHERE id = NEW.instructor_id AND deleted_at IS NULL) BEGIN
  SELECT RAISE(ABORT, 'invalid_instructor');
END;

-- What a feed reads: the lessons of a span of time.
CREATE INDEX bookings_start ON bookings (start_at, id);
