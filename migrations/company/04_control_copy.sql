-- The registry backup: the control database's rows of this company.

-- If the control database is lost, the operator rebuilds the registry from these rows of the company and its keys.
-- They hold hashes and rights, and nothing that gives access. A revoked key stays here as revoked.
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
  -- Ceilings of the whole company, as the control database has them; null: none.
  calls_ceiling INTEGER,
  messages_ceiling INTEGER,
  keys_ceiling INTEGER,
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
