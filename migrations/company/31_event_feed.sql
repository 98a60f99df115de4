-- What the feed of events says of them all. After a restore its epoch is another.
CREATE TABLE event_feed (
  id INTEGER PRIMARY KEY,
  epoch TEXT NOT NULL DEFAULT (lower(hex(randomblob(12)))),
  -- The highest sequence of an event that is no longer kept; each above it is. Some below it may still wait to be sent.
  forgotten INTEGER NOT NULL,
  CONSTRAINT one_event_feed CHECK (id = 1)
) STRICT;

-- Of a database of a release before it, which did not note what it forgot, the feed begins here.
INSERT INTO event_feed (id, forgotten)
SELECT 1, coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'events'), 0);

CREATE TRIGGER forgotten_events_are_noted AFTER DELETE ON events BEGIN
  UPDATE event_feed SET forgotten = OLD.sequence WHERE forgotten < OLD.sequence;
END;
