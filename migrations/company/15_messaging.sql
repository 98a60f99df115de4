-- Messages, their recipients, and the providers that carry them. A recipient's row is the outbox: it stays `pending`
-- until a run leases it, `dispatching` while a provider is asked, and ends `dispatched` (a provider has it) or `dead`.

-- How long messages are kept: their contents and their records.
CREATE TABLE messaging_settings (
  id INTEGER PRIMARY KEY,
  content_days INTEGER NOT NULL,
  message_days INTEGER NOT NULL,
  -- The company's own words that opt a person out, beside those of its country: a JSON list.
  optout_words TEXT NOT NULL DEFAULT '[]'
    CONSTRAINT messaging_optout_words CHECK (json_valid(optout_words)),
  CONSTRAINT one_row_of_messaging_settings CHECK (id = 1),
  CONSTRAINT messaging_retention CHECK (content_days > 0 AND message_days > 0)
) STRICT;

INSERT INTO messaging_settings (id, content_days, message_days) VALUES (1, 30, 400);

CREATE TABLE messaging_providers (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  operation TEXT NOT NULL UNIQUE,
  channel TEXT NOT NULL,
  kind TEXT NOT NULL,
  -- As a read shows it: of a secret only its last four characters.
  config TEXT NOT NULL,
  sealed_config TEXT NOT NULL,
  sealed_token TEXT NOT NULL,
  token_hash TEXT NOT NULL UNIQUE,
  is_active INTEGER NOT NULL,
  is_default INTEGER NOT NULL,
  last_error TEXT,
  -- The token before the last rotation: providers call at its address too, until then.
  previous_token_hash TEXT,
  previous_token_expires_at INTEGER,
  -- A provider that refuses its credentials pauses: its messages wait until they are right.
  paused_at INTEGER,
  -- How often in succession it failed, and until when its circuit breaker is open.
  failures INTEGER NOT NULL DEFAULT 0,
  rests_until INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  CONSTRAINT messaging_provider_channel CHECK (channel IN ('sms', 'chatapp', 'email')),
  CONSTRAINT messaging_provider_flags CHECK (is_active IN (0, 1) AND is_default IN (0, 1)),
  CONSTRAINT messaging_provider_config CHECK (json_valid(config) AND (last_error IS NULL OR json_valid(last_error)))
) STRICT;

CREATE UNIQUE INDEX messaging_providers_default ON messaging_providers (channel) WHERE is_active = 1 AND is_default = 1;
CREATE INDEX messaging_providers_active ON messaging_providers (channel, is_default DESC, id) WHERE is_active = 1;
CREATE INDEX messaging_providers_previous_token ON messaging_providers (previous_token_hash)
WHERE previous_token_hash IS NOT NULL;

-- Ids are ULIDs of created_at, so lists in their order are lists by time.
CREATE TABLE messages (
  id TEXT PRIMARY KEY,
  channel TEXT NOT NULL,
  status TEXT NOT NULL,
  -- Null: the platform's mailer.
  provider_id INTEGER,
  provider_message_id TEXT,
  -- What reads show besides, as JSON.
  details TEXT NOT NULL,
  -- What is sent, as JSON; purged before the rest of the row.
  content TEXT,
  delivered_at INTEGER,
  read_at INTEGER,
  failed_at INTEGER,
  error TEXT,
  -- The message that this one repeats.
  resent_from TEXT,
  -- When a scheduled one goes out, and whether it still waits for that.
  send_at INTEGER,
  is_scheduled INTEGER NOT NULL DEFAULT 0
    CONSTRAINT message_is_scheduled CHECK (is_scheduled IN (0, 1)),
  -- The rule that sent it; null if a call did.
  rule TEXT,
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
CREATE INDEX messages_scheduled ON messages (send_at) WHERE is_scheduled = 1;

-- The messages of a rule.
CREATE INDEX messages_rule ON messages (rule, id) WHERE rule IS NOT NULL;
CREATE INDEX messages_notified ON messages (id) WHERE rule IS NOT NULL;

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
  -- The run that asks the provider now, and until when; of a pending row, when a run may lease it.
  lease TEXT,
  leased_until INTEGER NOT NULL,
  -- An earlier lease lapsed without an outcome: the provider may have the message.
  in_doubt INTEGER NOT NULL DEFAULT 0,
  delivered_at INTEGER,
  read_at INTEGER,
  failed_at INTEGER,
  error TEXT,
  -- How often it was queued again because no run leased it, and when last: each time it waits twice as long.
  requeues INTEGER NOT NULL DEFAULT 0,
  requeued_at INTEGER,
  UNIQUE (message_id, ordinal),
  CONSTRAINT message_dispatch_state CHECK (dispatch_state IN ('pending', 'dispatching', 'dispatched', 'dead')),
  CONSTRAINT message_in_doubt CHECK (in_doubt IN (0, 1))
) STRICT;

CREATE INDEX message_recipients_open ON message_recipients (leased_until) WHERE dispatch_state IN ('pending', 'dispatching');
CREATE INDEX message_recipients_address ON message_recipients (address, message_id);
CREATE UNIQUE INDEX message_recipients_provider_id ON message_recipients (provider_message_id, provider)
  WHERE provider_message_id IS NOT NULL;

-- When to queue it again: once a lease has lapsed, or a minute after a run could have leased it; and a minute x
-- 2^requeues after the last time.
CREATE INDEX message_recipients_due ON message_recipients (
  max(leased_until + iif(lease IS NULL, 60000, 0), coalesce(requeued_at + (60000 << min(requeues, 6)), 0))
) WHERE dispatch_state IN ('pending', 'dispatching');

-- Those that a run has leased: each account has a capacity.
CREATE INDEX message_recipients_leased ON message_recipients (leased_until)
  WHERE lease IS NOT NULL AND dispatch_state IN ('pending', 'dispatching');

-- The few addresses that were not sent in lower case.
CREATE INDEX message_recipients_folded ON message_recipients (lower(address)) WHERE address <> lower(address);

-- A message takes its status from its recipients: it failed only when all of them did.
CREATE TRIGGER message_follows_new_recipient AFTER INSERT ON message_recipients BEGIN
  UPDATE messages SET (status, delivered_at, read_at, failed_at, error) = (
    SELECT status, delivered_at, read_at, failed_at, error FROM message_recipients WHERE message_id = NEW.message_id
    ORDER BY status IN ('failed', 'rejected'), ordinal LIMIT 1
  ) WHERE id = NEW.message_id;
END;

-- The same after each change of a recipient.
CREATE TRIGGER message_follows_recipient
AFTER UPDATE OF status, delivered_at, read_at, failed_at, error, provider_message_id ON message_recipients BEGIN
  UPDATE messages SET (status, delivered_at, read_at, failed_at, error) = (
    SELECT status, delivered_at, read_at, failed_at, error FROM message_recipients WHERE message_id = NEW.message_id
    ORDER BY status IN ('failed', 'rejected'), ordinal LIMIT 1
  ), provider_message_id = (
    SELECT provider_message_id FROM message_recipients WHERE message_id = NEW.message_id AND ordinal = 0
  ) WHERE id = NEW.message_id;
END;

CREATE TRIGGER erased_recipient_stays_erased AFTER UPDATE OF name, error, provider_message_id ON message_recipients
WHEN OLD.address = 'erased' AND NEW.address = 'erased' AND (
  NEW.name IS NOT NULL OR NEW.provider_message_id IS NOT NULL
  OR (NEW.error IS NOT OLD.error AND NEW.error ->> '$.message' IS NOT 'erased')
) BEGIN
  UPDATE message_recipients SET name = NULL, provider_message_id = NULL,
    error = iif(NEW.error IS NOT OLD.error AND NEW.error IS NOT NULL, json_set(NEW.error, '$.message', 'erased'), NEW.error)
  WHERE id = NEW.id;
END;

-- Providers' reports of messages that are not known by their id yet.
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

-- Messages from people, stored once: `known_as` is the provider's id, or if the provider gives none, a
-- hash of sender, text and minute. Ids are ULIDs of the time at which it was stored.
CREATE TABLE inbound_messages (
  id TEXT PRIMARY KEY,
  channel TEXT NOT NULL,
  provider TEXT NOT NULL,
  provider_message_id TEXT,
  -- The provider's id of it, or a hash of sender, text and minute.
  known_as TEXT NOT NULL,
  -- In E.164, or as the provider reported it if no rule knows the number.
  sender TEXT NOT NULL,
  recipient TEXT,
  type TEXT NOT NULL,
  -- Erased before the rest of the row.
  text TEXT,
  media_type TEXT,
  -- Our id of the message that it answers.
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

-- When each person last wrote: free text goes out for 24 hours after that.
CREATE TABLE chatapp_windows (
  phone TEXT PRIMARY KEY,
  last_inbound_at INTEGER NOT NULL,
  -- The user id that the newest message of this number or id named beside it.
  person TEXT
) STRICT, WITHOUT ROWID;

CREATE INDEX chatapp_windows_last ON chatapp_windows (last_inbound_at);
CREATE INDEX chatapp_windows_person ON chatapp_windows (person);

-- An opt-out applies to one whole number, not to all numbers with the same last 9 digits.
CREATE TABLE contact_optouts (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  channel TEXT NOT NULL,
  address TEXT NOT NULL,
  match TEXT NOT NULL,
  -- The whole number; blank if no rule knows it.
  e164 TEXT NOT NULL,
  source TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  -- An opt-out outlives the person's data: an erased one has keyed hashes in place of its number. A restore only
  -- marks it as erased, and an hourly job writes the hashes, because SQL has no HMAC.
  is_erased INTEGER NOT NULL DEFAULT 0
    CONSTRAINT optout_is_erased CHECK (is_erased IN (0, 1)),
  CONSTRAINT contact_optout_channel CHECK (channel IN ('sms', 'chatapp')),
  CONSTRAINT contact_optout_source CHECK (source IN ('manual', 'inbound'))
) STRICT;

CREATE UNIQUE INDEX contact_optouts_number ON contact_optouts (channel, e164) WHERE e164 <> '';
CREATE UNIQUE INDEX contact_optouts_digits ON contact_optouts (channel, match) WHERE e164 = '';
CREATE INDEX contact_optouts_match ON contact_optouts (channel, match);
CREATE INDEX contact_optouts_unmarked ON contact_optouts (id) WHERE is_erased = 1 AND address <> 'erased';

-- An unsubscribed address gets everything but marketing. It may be listed for each of the two.
CREATE TABLE email_suppressions (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  email TEXT NOT NULL,
  -- What is not sent to it: anything, or no marketing.
  scope TEXT NOT NULL,
  reason TEXT NOT NULL,
  expires_at INTEGER,
  created_at INTEGER NOT NULL,
  -- As of an opt-out.
  is_erased INTEGER NOT NULL DEFAULT 0
    CONSTRAINT suppression_is_erased CHECK (is_erased IN (0, 1)),
  UNIQUE (email, scope),
  CONSTRAINT email_suppression_scope CHECK (scope IN ('all', 'marketing')),
  CONSTRAINT email_suppression_reason CHECK (reason IN ('hard_bounce', 'complaint', 'manual', 'unsubscribe'))
) STRICT;

CREATE INDEX email_suppressions_unmarked ON email_suppressions (id) WHERE is_erased = 1 AND email NOT GLOB 'erased:*';

CREATE TABLE sms_templates (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  template_id TEXT NOT NULL UNIQUE,
  text TEXT NOT NULL,
  sender_id TEXT,
  pe_id TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
