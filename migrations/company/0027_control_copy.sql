-- What the control database says of this company and of its keys: should that be lost, it is taken in again from here.
-- Hashes and rights alone: nothing here opens anything. A key that was revoked stays here as revoked.
CREATE TABLE company_copy (
  id INTEGER PRIMARY KEY,
  -- Its id in the control database: files and callbacks are named by it.
  company_id INTEGER NOT NULL,
  slug TEXT NOT NULL,
  name TEXT NOT NULL,
  country TEXT NOT NULL,
  currency TEXT NOT NULL,
  timezone TEXT NOT NULL,
  status TEXT NOT NULL,
  rate_limit_ceiling INTEGER NOT NULL,
  messaging_rate_ceiling INTEGER NOT NULL,
  messaging_cap_ceiling INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  CONSTRAINT one_company_copy CHECK (id = 1)
) STRICT;

CREATE TABLE key_copies (
  client_id TEXT PRIMARY KEY,
  type TEXT NOT NULL,
  name TEXT NOT NULL,
  scopes TEXT NOT NULL,
  allowed_origins TEXT NOT NULL,
  secret_hash TEXT,
  secret_last_four TEXT,
  previous_secret_hash TEXT,
  previous_secret_expires_at INTEGER,
  rate_limit_per_minute INTEGER NOT NULL,
  messaging_rate_per_minute INTEGER NOT NULL,
  messaging_daily_cap INTEGER NOT NULL,
  expires_at INTEGER,
  revoked_at INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  CONSTRAINT key_copy_type CHECK (type IN ('secret', 'publishable')),
  CONSTRAINT key_copy_secret CHECK ((type = 'secret') = (secret_hash IS NOT NULL))
) STRICT, WITHOUT ROWID;
