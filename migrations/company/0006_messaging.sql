-- Messages, whom they go to, and who carries them. A recipient's row is the outbox: it stays `pending` until it is
-- claimed, `dispatching` while a provider is asked, and ends `dispatched` (a provider has it) or `dead` (none will).

CREATE TABLE messaging_providers (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  operation TEXT NOT NULL UNIQUE,
  channel TEXT NOT NULL,
  kind TEXT NOT NULL,
  config TEXT NOT NULL,
  sealed_config TEXT NOT NULL,
  sealed_token TEXT NOT NULL,
  token_hash TEXT NOT NULL UNIQUE,
  is_active INTEGER NOT NULL,
  is_default INTEGER NOT NULL,
  last_error TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  CONSTRAINT messaging_provider_channel CHECK (channel IN ('sms', 'chatapp', 'email')),
  CONSTRAINT messaging_provider_flags CHECK (is_active IN (0, 1) AND is_default IN (0, 1)),
  CONSTRAINT messaging_provider_config CHECK (json_valid(config) AND (last_error IS NULL OR json_valid(last_error)))
) STRICT;

CREATE UNIQUE INDEX messaging_providers_default ON messaging_providers (channel) WHERE is_active = 1 AND is_default = 1;
CREATE INDEX messaging_providers_active ON messaging_providers (channel, is_default DESC, id) WHERE is_active = 1;

-- Ids are ULIDs of created_at, so that lists in their order are lists by time.
CREATE TABLE messages (
  id TEXT PRIMARY KEY,
  channel TEXT NOT NULL,
  status TEXT NOT NULL,
  provider_id INTEGER,
  provider_message_id TEXT,
  details TEXT NOT NULL,
  content TEXT,
  delivered_at INTEGER,
  read_at INTEGER,
  failed_at INTEGER,
  error TEXT,
  created_at INTEGER NOT NULL,
  CONSTRAINT message_channel CHECK (channel IN ('sms', 'chatapp', 'email')),
  CONSTRAINT message_status CHECK (
    status IN ('sent', 'failed') OR (channel = 'chatapp' AND status IN ('delivered', 'read'))
      OR (channel = 'sms' AND status IN ('queued', 'submitted', 'delivered', 'rejected'))
  ),
  CONSTRAINT message_json CHECK (
    json_valid(details) AND (content IS NULL OR json_valid(content)) AND (error IS NULL OR json_valid(error))
  )
) STRICT;

CREATE INDEX messages_channel ON messages (channel, id);
CREATE INDEX messages_status ON messages (status, id);
CREATE INDEX messages_channel_status ON messages (channel, status, id);
CREATE INDEX messages_content ON messages (id) WHERE content IS NOT NULL;

CREATE TABLE message_recipients (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  message_id TEXT NOT NULL REFERENCES messages (id) ON DELETE CASCADE,
  ordinal INTEGER NOT NULL,
  address TEXT NOT NULL,
  name TEXT,
  status TEXT NOT NULL,
  provider TEXT NOT NULL,
  provider_message_id TEXT,
  dispatch_state TEXT NOT NULL,
  attempts INTEGER NOT NULL DEFAULT 0,
  -- Who asks the provider now, until when; of a pending row, when it may be claimed.
  claim TEXT,
  claim_until INTEGER NOT NULL,
  -- An earlier claim lapsed without a word: the provider may have the message.
  in_doubt INTEGER NOT NULL DEFAULT 0,
  delivered_at INTEGER,
  read_at INTEGER,
  failed_at INTEGER,
  error TEXT,
  UNIQUE (message_id, ordinal),
  CONSTRAINT message_dispatch_state CHECK (dispatch_state IN ('pending', 'dispatching', 'dispatched', 'dead')),
  CONSTRAINT message_in_doubt CHECK (in_doubt IN (0, 1))
) STRICT;

CREATE INDEX message_recipients_open ON message_recipients (claim_until) WHERE dispatch_state IN ('pending', 'dispatching');
CREATE INDEX message_recipients_address ON message_recipients (address, message_id);
CREATE UNIQUE INDEX message_recipients_provider_id ON message_recipients (provider_message_id, provider)
  WHERE provider_message_id IS NOT NULL;

-- A message is what its recipients are: it failed only when all of them did.
CREATE TRIGGER message_follows_new_recipient AFTER INSERT ON message_recipients BEGIN
  UPDATE messages SET (status, delivered_at, read_at, failed_at, error) = (
    SELECT status, delivered_at, read_at, failed_at, error FROM message_recipients WHERE message_id = NEW.message_id
    ORDER BY status IN ('failed', 'rejected'), ordinal LIMIT 1
  ) WHERE id = NEW.message_id;
END;

CREATE TRIGGER message_follows_recipient
AFTER UPDATE OF status, delivered_at, read_at, failed_at, error, provider_message_id ON message_recipients BEGIN
  UPDATE messages SET (status, delivered_at, read_at, failed_at, error) = (
    SELECT status, delivered_at, read_at, failed_at, error FROM message_recipients WHERE message_id = NEW.message_id
    ORDER BY status IN ('failed', 'rejected'), ordinal LIMIT 1
  ), provider_message_id = (
    SELECT provider_message_id FROM message_recipients WHERE message_id = NEW.message_id AND ordinal = 0
  ) WHERE id = NEW.message_id;
END;

-- What providers told of messages that are not known by their id yet.
CREATE TABLE provider_events_unmatched (
  provider TEXT NOT NULL,
  provider_message_id TEXT NOT NULL,
  status TEXT NOT NULL,
  at INTEGER NOT NULL,
  error TEXT,
  expires_at INTEGER NOT NULL,
  PRIMARY KEY (provider, provider_message_id, status)
) STRICT, WITHOUT ROWID;

CREATE INDEX provider_events_unmatched_expiry ON provider_events_unmatched (expires_at);

-- When each person last wrote: free text goes out for 24 hours after that.
CREATE TABLE chatapp_windows (
  phone TEXT PRIMARY KEY,
  last_inbound_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Numbers are matched with and without a country code, as everywhere.
CREATE TABLE contact_optouts (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  channel TEXT NOT NULL,
  address TEXT NOT NULL,
  match TEXT NOT NULL,
  source TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  UNIQUE (channel, match),
  CONSTRAINT contact_optout_channel CHECK (channel IN ('sms', 'chatapp')),
  CONSTRAINT contact_optout_source CHECK (source IN ('manual', 'inbound'))
) STRICT;

CREATE TABLE email_suppressions (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  email TEXT NOT NULL UNIQUE,
  reason TEXT NOT NULL,
  expires_at INTEGER,
  created_at INTEGER NOT NULL,
  CONSTRAINT email_suppression_reason CHECK (reason IN ('hard_bounce', 'complaint', 'manual', 'unsubscribe'))
) STRICT;

CREATE TABLE sms_templates (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  template_id TEXT NOT NULL UNIQUE,
  text TEXT NOT NULL,
  sender_id TEXT,
  pe_id TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
