-- Turnstile's puzzle before a school's slots are held, who holds them, what staff did without telling the learner, and
-- the indexes of a diary.

-- `risky`: asked where an address holds several slots unpaid already. The secret is sealed; the hint is its end.
ALTER TABLE booking_settings ADD COLUMN turnstile_site_key TEXT;
ALTER TABLE booking_settings ADD COLUMN turnstile_secret TEXT;
ALTER TABLE booking_settings ADD COLUMN turnstile_hint TEXT;
ALTER TABLE booking_settings ADD COLUMN turnstile_mode TEXT NOT NULL DEFAULT 'off'
  CONSTRAINT turnstile_mode CHECK (turnstile_mode IN ('off', 'risky', 'always'))
  CONSTRAINT turnstile_without_keys CHECK (
    turnstile_mode = 'off' OR (turnstile_site_key IS NOT NULL AND turnstile_secret IS NOT NULL)
  );

-- The random id in the token that a booking page had from /start.
ALTER TABLE bookings ADD COLUMN visitor TEXT;
-- When staff last changed it without telling the learner: where that is `updated_at`, nobody has changed it since.
ALTER TABLE bookings ADD COLUMN untold_at INTEGER;

CREATE TRIGGER refusal_calls BEFORE INSERT ON refusal WHEN NEW.code = 'captcha_required' BEGIN
  SELECT RAISE(ABORT, 'captcha_required');
END;

CREATE INDEX bookings_instructor_start ON bookings (instructor_id, start_at, id);
CREATE INDEX bookings_owed_start ON bookings (payment_status, start_at, id)
  WHERE payment_status IN ('unpaid', 'refund_due');
CREATE INDEX bookings_customer ON bookings (customer_id, created_at, id);
CREATE INDEX bookings_review ON bookings (created_at, id) WHERE needs_review = 1;
