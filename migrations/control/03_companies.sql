-- Companies, and the address of each one's database.

CREATE TABLE companies (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  slug TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  country TEXT NOT NULL,
  currency TEXT NOT NULL,
  timezone TEXT NOT NULL,
  status TEXT NOT NULL,
  database_url TEXT,
  database_token TEXT,
  clock_offset_ms INTEGER NOT NULL DEFAULT 0,
  next_sweep_at INTEGER,
  reservation TEXT NOT NULL,
  reserved_at INTEGER NOT NULL,
  -- The name of its database, stored before the database is made.
  database_name TEXT NOT NULL,
  -- The operator's highest limits for each of the company's keys.
  rate_limit_ceiling INTEGER NOT NULL DEFAULT 1000000,
  messaging_rate_ceiling INTEGER NOT NULL DEFAULT 1000000,
  messaging_cap_ceiling INTEGER NOT NULL DEFAULT 1000000,
  -- A digest of the migrations that its database has and of the token that opens it.
  migrated_as TEXT,
  -- At most the schema number of its database; 0 where it is not known.
  schema_number INTEGER NOT NULL DEFAULT 0,
  -- A second database: one that a restore fills, or the one that it has replaced. The name is stored before the
  -- database is made; its address is there once it is.
  spare_database_name TEXT,
  spare_database_url TEXT,
  spare_database_token TEXT,
  -- When it was closed: it is suspended, and no fleet command asks its database, which may be gone.
  closed_at INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  -- The operator's ceilings for all keys of a company together; null: no ceiling.
  calls_ceiling INTEGER,
  messages_ceiling INTEGER,
  keys_ceiling INTEGER,
  -- The generation of the company's own database, which only rises: a replacement gets a higher one, also if the
  -- old one does not answer.
  database_generation INTEGER NOT NULL DEFAULT 1,
  CONSTRAINT company_status CHECK (status IN ('provisioning', 'active', 'suspended'))
) STRICT;

CREATE INDEX companies_next_sweep_at ON companies (next_sweep_at) WHERE next_sweep_at IS NOT NULL;
CREATE INDEX companies_database_name ON companies (database_name);
CREATE INDEX companies_spare_database_name ON companies (spare_database_name) WHERE spare_database_name IS NOT NULL;

-- A lower ceiling lowers the limits of the company's keys.
CREATE TRIGGER companies_lower_key_limits
AFTER UPDATE OF rate_limit_ceiling, messaging_rate_ceiling, messaging_cap_ceiling ON companies BEGIN
  UPDATE api_keys SET
    rate_limit_per_minute = min(rate_limit_per_minute, NEW.rate_limit_ceiling),
    messaging_rate_per_minute = min(messaging_rate_per_minute, NEW.messaging_rate_ceiling),
    messaging_daily_cap = min(messaging_daily_cap, NEW.messaging_cap_ceiling)
  WHERE company_id = NEW.id;
END;

-- Databases of creations that failed or died: each is deleted once it proves to be its creation's own.
CREATE TABLE abandoned_databases (
  name TEXT PRIMARY KEY,
  tried_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Callbacks of the chat-app name a business number, not a company.
CREATE TABLE chatapp_numbers (
  phone_number_id TEXT PRIMARY KEY,
  company_id INTEGER NOT NULL REFERENCES companies (id),
  assigned_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- What each company erased for good, by the actions and ids of its audit log, without any data of the person: an
-- older backup of the company's database would bring it back.
CREATE TABLE erasures (
  company_id INTEGER NOT NULL REFERENCES companies (id),
  action TEXT NOT NULL,
  record TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (company_id, action, record)
) STRICT, WITHOUT ROWID;

CREATE INDEX erasures_old ON erasures (company_id, at);
