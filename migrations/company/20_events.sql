-- Events, the endpoints they are sent to, and the outcome of each delivery.

-- A batch's last statement stamps what triggers wrote here: the time, the actor, and the record as it is then.
CREATE TABLE events (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE DEFAULT ('evt_' || lower(hex(randomblob(12)))),
  type TEXT NOT NULL,
  resource TEXT NOT NULL,
  record_id TEXT NOT NULL,
  -- Null until it is stamped, like the actor, the request and the shape.
  at INTEGER,
  previous TEXT,
  related TEXT,
  actor TEXT,
  request_id TEXT,
  shape INTEGER,
  snapshot TEXT,
  -- Set by a stamp that makes notifications. One of kinds that no rule names is prepared without them.
  is_notified INTEGER NOT NULL DEFAULT 0,
  -- Whether a rule names it.
  is_noticed INTEGER NOT NULL GENERATED ALWAYS AS (type IN (
    'application.received', 'booking.cancelled', 'booking.confirmed', 'booking.held', 'booking.moved',
    'booking.refunded', 'booking.requested', 'booking.review_needed', 'credit_note.created', 'lead.captured',
    'lead.repeated', 'order.paid', 'order.refund_needed', 'order.review_needed', 'payment.recorded',
    'payment.refunded', 'provider.unhealthy', 'refund.failed', 'refund.succeeded', 'stock.low'
  )) VIRTUAL,
  CONSTRAINT event_json CHECK (
    (previous IS NULL OR json_valid(previous)) AND (related IS NULL OR json_valid(related))
    AND (snapshot IS NULL OR json_valid(snapshot))
  ),
  CONSTRAINT event_stamp CHECK (
    (at IS NULL) = (request_id IS NULL) AND (shape IS NULL) = (request_id IS NULL) AND (actor IS NULL OR json_valid(actor))
  ),
  CONSTRAINT event_notices CHECK (is_notified = 1 OR (is_notified = 0 AND (at IS NULL OR NOT is_noticed)))
) STRICT;

CREATE INDEX events_unstamped ON events (sequence) WHERE request_id IS NULL;
CREATE INDEX events_at ON events (at) WHERE at IS NOT NULL;
CREATE INDEX events_record ON events (resource, record_id, sequence);
CREATE INDEX events_type ON events (type, sequence);

-- An event's stamp fans it out to the endpoints that ask for it; of a failing endpoint one delivery is tried at a time.
-- Not the insert: each statement that may leave an event would have to be prepared with the fan-out. And before the
-- update, so that its RETURNING sees the deliveries.
CREATE TRIGGER events_are_delivered BEFORE UPDATE OF at ON events
WHEN OLD.at IS NULL AND NEW.at IS NOT NULL AND EXISTS (SELECT 1 FROM event_endpoints WHERE disabled_reason IS NULL) BEGIN
  INSERT INTO event_deliveries (sequence, endpoint_id, state)
  SELECT NEW.sequence, id, iif(failing_since IS NULL OR NOT EXISTS (
    SELECT 1 FROM event_deliveries AS other WHERE other.endpoint_id = event_endpoints.id
      AND (other.state IN ('sending', 'held') OR (other.state = 'pending' AND other.attempts = 0))
  ), 'pending', 'held') FROM event_endpoints
  WHERE disabled_reason IS NULL AND id IN (
    SELECT endpoint_id FROM event_endpoint_types WHERE word IN (
      NEW.type, substr(NEW.type, 1, instr(NEW.type, '.')) || '*',
      iif(EXISTS (SELECT 1 FROM event_types_wanted WHERE type = NEW.type), NEW.type, '*')
    )
  );
END;

-- When a person is erased from an event, the receivers' answers to it are erased too.
CREATE TRIGGER erased_snapshot_leaves_no_excerpt AFTER UPDATE OF snapshot ON events
WHEN OLD.snapshot IS NOT NULL AND NEW.snapshot IS NULL BEGIN
  UPDATE event_attempts SET response_excerpt = ''
  WHERE delivery_id IN (SELECT id FROM event_deliveries WHERE sequence = NEW.sequence);
END;

-- The types on demand that a client asks for.
CREATE TABLE event_types_wanted (
  type TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;

CREATE TABLE event_settings (
  id INTEGER PRIMARY KEY,
  event_days INTEGER NOT NULL,
  CONSTRAINT one_row_of_event_settings CHECK (id = 1),
  CONSTRAINT event_retention CHECK (event_days BETWEEN 4 AND 90)
) STRICT;

INSERT INTO event_settings (id, event_days) VALUES (1, 30);

-- Where events are sent.
CREATE TABLE event_endpoints (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  operation TEXT NOT NULL UNIQUE,
  url TEXT NOT NULL,
  description TEXT NOT NULL,
  -- The words as they were sent, as JSON.
  types TEXT NOT NULL,
  -- Why the endpoint is disabled; null while it is active.
  disabled_reason TEXT,
  -- In a row, since the last success.
  failures INTEGER NOT NULL DEFAULT 0,
  -- While the endpoint fails one delivery is tried at a time: the number of tries, counted from its first attempt.
  failing_since INTEGER,
  probes INTEGER NOT NULL DEFAULT 0,
  sealed_secret TEXT NOT NULL,
  secret_last_four TEXT NOT NULL,
  previous_sealed_secret TEXT,
  previous_secret_expires_at INTEGER,
  -- When its name last had only public addresses.
  checked_at INTEGER NOT NULL,
  last_success_at INTEGER,
  last_failure_at INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  -- The last 20, the latest last: . for a success, x for a failure.
  outcomes TEXT NOT NULL DEFAULT ''
    CONSTRAINT event_endpoint_outcomes CHECK (length(outcomes) <= 20 AND outcomes NOT GLOB '*[^.x]*'),
  -- While it fails: when the next try is due. An attempt that began before does not count as one.
  probe_at INTEGER NOT NULL DEFAULT 0,
  CONSTRAINT event_endpoint_types_json CHECK (json_valid(types)),
  CONSTRAINT event_endpoint_disabled CHECK (disabled_reason IN ('gone', 'exhausted', 'by_hand')),
  CONSTRAINT event_endpoint_failing CHECK ((failing_since IS NULL) = (probes = 0) AND failures >= 0),
  CONSTRAINT event_endpoint_previous CHECK ((previous_sealed_secret IS NULL) = (previous_secret_expires_at IS NULL))
) STRICT;

-- A company has at most 10 endpoints.
CREATE TRIGGER event_endpoints_are_few BEFORE INSERT ON event_endpoints
WHEN (SELECT count(*) FROM event_endpoints) >= 10 BEGIN
  SELECT RAISE(ABORT, 'limit_reached');
END;

-- What an endpoint asks for, a row for each of its words: a type, a group such as booking.*, or *.
CREATE TABLE event_endpoint_types (
  word TEXT NOT NULL,
  endpoint_id INTEGER NOT NULL,
  PRIMARY KEY (word, endpoint_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX event_endpoint_types_endpoint ON event_endpoint_types (endpoint_id);

CREATE TABLE event_deliveries (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  sequence INTEGER NOT NULL,
  endpoint_id INTEGER NOT NULL,
  -- 0 at first; more for each repetition that a client asked for.
  ordinal INTEGER NOT NULL DEFAULT 0,
  -- held: the endpoint fails and another delivery is tried, or the endpoint is disabled.
  state TEXT NOT NULL DEFAULT 'pending',
  -- The number of attempts begun.
  attempts INTEGER NOT NULL DEFAULT 0,
  due_at INTEGER NOT NULL DEFAULT 0,
  -- When the clock is to look, if no job has done so.
  look_at INTEGER NOT NULL DEFAULT 0,
  -- The run that sends it, or the call that made it.
  lease TEXT,
  leased_until INTEGER NOT NULL DEFAULT 0,
  -- For the delivery that is chosen as the next try: its own due time.
  own_due_at INTEGER,
  CONSTRAINT event_delivery_state CHECK (state IN ('pending', 'sending', 'held', 'delivered', 'failed', 'skipped')),
  CONSTRAINT event_delivery_attempts CHECK (attempts >= 0),
  UNIQUE (sequence, endpoint_id, ordinal)
) STRICT;

CREATE INDEX event_deliveries_due ON event_deliveries (look_at) WHERE state IN ('pending', 'sending');
CREATE INDEX event_deliveries_state ON event_deliveries (endpoint_id, state);
CREATE INDEX event_deliveries_endpoint ON event_deliveries (endpoint_id);
CREATE INDEX event_deliveries_probe ON event_deliveries (endpoint_id) WHERE own_due_at IS NOT NULL;

-- For the write path's read of the fan-out.
CREATE VIEW event_fan_out AS SELECT sequence, endpoint_id FROM event_deliveries WHERE state = 'pending';

CREATE TABLE event_attempts (
  delivery_id INTEGER NOT NULL,
  n INTEGER NOT NULL,
  at INTEGER NOT NULL,
  status INTEGER,
  duration_ms INTEGER NOT NULL,
  error TEXT,
  response_excerpt TEXT NOT NULL,
  CONSTRAINT event_attempt_error
    CHECK (error IN ('timeout', 'connection', 'tls', 'redirect', 'refused_address', 'status')),
  PRIMARY KEY (delivery_id, n)
) STRICT, WITHOUT ROWID;

-- An erasure may come between a request to another system and its answer. The answer for an event whose record is
-- erased is not kept, and an erased recipient stays erased, whatever the provider reports afterwards.
CREATE TRIGGER erased_event_takes_no_excerpt AFTER INSERT ON event_attempts
WHEN NEW.response_excerpt <> '' AND NOT EXISTS (
  SELECT 1 FROM event_deliveries JOIN events ON events.sequence = event_deliveries.sequence
  WHERE event_deliveries.id = NEW.delivery_id AND events.snapshot IS NOT NULL
) BEGIN
  UPDATE event_attempts SET response_excerpt = '' WHERE delivery_id = NEW.delivery_id AND n = NEW.n;
END;

-- Aborts with the codes of events.
CREATE TRIGGER refusal_events BEFORE INSERT ON refusal BEGIN
  SELECT CASE NEW.code WHEN 'replay_too_large' THEN RAISE(ABORT, 'replay_too_large') END;
END;
