-- A provider that refuses its credentials pauses: what it was to send waits until they are right.
ALTER TABLE messaging_providers ADD COLUMN paused_at INTEGER;

-- An opt-out is one whole number's, not that of everybody with the same last 9 digits.
CREATE TABLE whole_optouts (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  channel TEXT NOT NULL,
  address TEXT NOT NULL,
  match TEXT NOT NULL,
  -- NULL until housekeeping has told, for SQL has no such function; blank where no rule knows the number.
  e164 TEXT,
  source TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  CONSTRAINT contact_optout_channel CHECK (channel IN ('sms', 'chatapp')),
  CONSTRAINT contact_optout_source CHECK (source IN ('manual', 'inbound'))
) STRICT;

INSERT INTO whole_optouts (id, channel, address, match, source, created_at)
  SELECT id, channel, address, match, source, created_at FROM contact_optouts;
DROP TABLE contact_optouts;
ALTER TABLE whole_optouts RENAME TO contact_optouts;

CREATE UNIQUE INDEX contact_optouts_number ON contact_optouts (channel, e164) WHERE e164 <> '';
CREATE UNIQUE INDEX contact_optouts_digits ON contact_optouts (channel, match) WHERE e164 IS NULL OR e164 = '';
CREATE INDEX contact_optouts_match ON contact_optouts (channel, match);
CREATE INDEX contact_optouts_untold ON contact_optouts (id) WHERE e164 IS NULL;

-- Who leaves only a phone is looked for among all open leads, with and without an e-mail address.
CREATE INDEX leads_open_by_phone ON leads (phone_last9, id) WHERE status = 'new';

CREATE TRIGGER refusal_project_archived BEFORE INSERT ON refusal WHEN NEW.code = 'project_archived' BEGIN
  SELECT RAISE(ABORT, 'project_archived');
END;
