-- What people wrote to the company, stored once: `known_as` is the provider's id of it, or where a provider gives none a
-- hash of sender, text and minute. Ids are ULIDs of the time at which it was stored.
CREATE TABLE inbound_messages (
  id TEXT PRIMARY KEY,
  channel TEXT NOT NULL,
  provider TEXT NOT NULL,
  provider_message_id TEXT,
  known_as TEXT NOT NULL,
  -- In E.164, or as the provider told it where no rule knows the number.
  sender TEXT NOT NULL,
  recipient TEXT,
  type TEXT NOT NULL,
  -- Erased before the rest of the row.
  text TEXT,
  media_type TEXT,
  reply_to TEXT,
  customer_id INTEGER,
  sent_at INTEGER,
  received_at INTEGER NOT NULL,
  read_at INTEGER,
  CONSTRAINT inbound_message_channel CHECK (channel IN ('sms', 'chatapp'))
) STRICT;

CREATE UNIQUE INDEX inbound_messages_known ON inbound_messages (provider, known_as);
CREATE INDEX inbound_messages_channel ON inbound_messages (channel, id);
CREATE INDEX inbound_messages_sender ON inbound_messages (sender, id);
CREATE INDEX inbound_messages_unread ON inbound_messages (id) WHERE read_at IS NULL;
CREATE INDEX inbound_messages_text ON inbound_messages (id) WHERE text IS NOT NULL;

CREATE TRIGGER inbound_event_insert AFTER INSERT ON inbound_messages BEGIN
  INSERT INTO events (type, resource, record_id) VALUES ('message.received', 'inbound_message', NEW.id);
END;

CREATE TRIGGER erased_inbound_text_leaves_no_event AFTER UPDATE OF text ON inbound_messages
WHEN OLD.text IS NOT NULL AND NEW.text IS NULL BEGIN
  UPDATE events SET snapshot = NULL WHERE resource = 'inbound_message' AND record_id = OLD.id;
END;

CREATE TRIGGER erased_inbound_message_leaves_no_event AFTER DELETE ON inbound_messages BEGIN
  UPDATE events SET snapshot = NULL WHERE resource = 'inbound_message' AND record_id = OLD.id;
END;

-- Words of the company's own that opt a person out, beside those of its country: a JSON list.
ALTER TABLE messaging_settings ADD COLUMN optout_words TEXT NOT NULL DEFAULT '[]'
  CONSTRAINT messaging_optout_words CHECK (json_valid(optout_words));

-- The message that this one was sent again of; when a scheduled one goes out, and whether it waits for that still.
ALTER TABLE messages ADD COLUMN resent_from TEXT;
ALTER TABLE messages ADD COLUMN send_at INTEGER;
ALTER TABLE messages ADD COLUMN is_scheduled INTEGER NOT NULL DEFAULT 0
  CONSTRAINT message_is_scheduled CHECK (is_scheduled IN (0, 1));

CREATE INDEX messages_scheduled ON messages (send_at) WHERE is_scheduled = 1;
