-- Where a company's events are sent, and what became of each sending. A trigger on events fans them out, in the batch of
-- their effect.
CREATE TRIGGER refusal_events BEFORE INSERT ON refusal BEGIN
  SELECT CASE NEW.code WHEN 'replay_too_large' THEN RAISE(ABORT, 'replay_too_large') END;
END;

CREATE TABLE event_endpoints (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  operation TEXT NOT NULL UNIQUE,
  url TEXT NOT NULL,
  description TEXT NOT NULL,
  -- The words as they were sent, as JSON.
  types TEXT NOT NULL,
  -- Why nothing is sent any more; null while it is active.
  disabled_reason TEXT,
  -- In a row, since the last success.
  failures INTEGER NOT NULL DEFAULT 0,
  -- From the third failure in a row on one delivery is tried at a time: so many were, counted from its first attempt.
  failing_since INTEGER,
  probes INTEGER NOT NULL DEFAULT 0,
  sealed_secret TEXT NOT NULL,
  secret_last_four TEXT NOT NULL,
  previous_sealed_secret TEXT,
  previous_secret_expires_at INTEGER,
  -- When its name last had public addresses alone.
  checked_at INTEGER NOT NULL,
  last_success_at INTEGER,
  last_failure_at INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  CONSTRAINT event_endpoint_types_json CHECK (json_valid(types)),
  CONSTRAINT event_endpoint_disabled CHECK (disabled_reason IN ('gone', 'exhausted', 'by_hand')),
  CONSTRAINT event_endpoint_failing CHECK ((failing_since IS NULL) = (probes = 0) AND failures >= 0),
  CONSTRAINT event_endpoint_previous CHECK ((previous_sealed_secret IS NULL) = (previous_secret_expires_at IS NULL))
) STRICT;

CREATE TRIGGER event_endpoints_are_few BEFORE INSERT ON event_endpoints
WHEN (SELECT count(*) FROM event_endpoints) >= 10 BEGIN
  SELECT RAISE(ABORT, 'limit_reached');
END;

-- What an endpoint asks for, a row for each of its words: a type, a group as booking.*, or *.
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
  -- 0, and more for what is sent again because somebody asked for it.
  ordinal INTEGER NOT NULL DEFAULT 0,
  -- held: another one of a failing endpoint is tried, or the endpoint is disabled.
  state TEXT NOT NULL DEFAULT 'pending',
  -- How often it was begun.
  attempts INTEGER NOT NULL DEFAULT 0,
  due_at INTEGER NOT NULL DEFAULT 0,
  -- When the clock is to look, for nobody else did.
  look_at INTEGER NOT NULL DEFAULT 0,
  -- Who sends it, or has made it.
  claim TEXT,
  claim_until INTEGER NOT NULL DEFAULT 0,
  CONSTRAINT event_delivery_state CHECK (state IN ('pending', 'sending', 'held', 'delivered', 'failed', 'skipped')),
  CONSTRAINT event_delivery_attempts CHECK (attempts >= 0),
  UNIQUE (sequence, endpoint_id, ordinal)
) STRICT;
CREATE INDEX event_deliveries_due ON event_deliveries (look_at) WHERE state IN ('pending', 'sending');
CREATE INDEX event_deliveries_state ON event_deliveries (endpoint_id, state);
CREATE INDEX event_deliveries_endpoint ON event_deliveries (endpoint_id);

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

-- The types on demand are those that * leaves out. While an endpoint fails, the first event that comes behind the one that is
-- tried may show that only that one does it.
CREATE TRIGGER events_are_delivered AFTER INSERT ON events
WHEN EXISTS (SELECT 1 FROM event_endpoints WHERE disabled_reason IS NULL) BEGIN
  INSERT INTO event_deliveries (sequence, endpoint_id, state)
  SELECT NEW.sequence, id, iif(failing_since IS NULL OR NOT EXISTS (
    SELECT 1 FROM event_deliveries AS other WHERE other.endpoint_id = event_endpoints.id
      AND (other.state IN ('sending', 'held') OR (other.state = 'pending' AND other.attempts = 0))
  ), 'pending', 'held') FROM event_endpoints
  WHERE disabled_reason IS NULL AND id IN (
    SELECT endpoint_id FROM event_endpoint_types WHERE word = NEW.type
    UNION ALL SELECT endpoint_id FROM event_endpoint_types
    WHERE word = substr(NEW.type, 1, instr(NEW.type, '.')) || '*'
    UNION ALL SELECT endpoint_id FROM event_endpoint_types
    WHERE word = '*' AND NOT EXISTS (SELECT 1 FROM event_types_wanted WHERE type = NEW.type)
  );
END;

-- What is erased of a person is erased of what receivers answered to it.
CREATE TRIGGER erased_snapshot_leaves_no_excerpt AFTER UPDATE OF snapshot ON events
WHEN OLD.snapshot IS NOT NULL AND NEW.snapshot IS NULL BEGIN
  UPDATE event_attempts SET response_excerpt = ''
  WHERE delivery_id IN (SELECT id FROM event_deliveries WHERE sequence = NEW.sequence);
END;

-- What the write path reads of the fan-out.
CREATE VIEW event_fan_out AS SELECT sequence, endpoint_id FROM event_deliveries WHERE state = 'pending';
