-- API keys.

CREATE TABLE api_keys (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  company_id INTEGER NOT NULL REFERENCES companies (id),
  client_id TEXT NOT NULL UNIQUE,
  type TEXT NOT NULL,
  name TEXT NOT NULL,
  scopes TEXT NOT NULL DEFAULT '[]',
  allowed_origins TEXT NOT NULL DEFAULT '[]',
  secret_hash TEXT,
  secret_last_four TEXT,
  previous_secret_hash TEXT,
  previous_secret_expires_at INTEGER,
  rate_limit_per_minute INTEGER NOT NULL,
  messaging_rate_per_minute INTEGER NOT NULL,
  messaging_daily_cap INTEGER NOT NULL,
  expires_at INTEGER,
  revoked_at INTEGER,
  last_used_at INTEGER,
  -- The platform operation that issued the key: its idempotency record holds the encrypted secret until the first use.
  issued_by TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  CONSTRAINT api_key_type CHECK (type IN ('secret', 'publishable')),
  CONSTRAINT api_key_secret CHECK ((type = 'secret') = (secret_hash IS NOT NULL))
) STRICT;

CREATE INDEX api_keys_company ON api_keys (company_id, id);

-- A key's limits are within its company's ceilings.
CREATE TRIGGER api_keys_limits_insert BEFORE INSERT ON api_keys BEGIN
  SELECT CASE
    WHEN NEW.rate_limit_per_minute > rate_limit_ceiling THEN RAISE(ABORT, 'rate_limit_ceiling')
    WHEN NEW.messaging_rate_per_minute > messaging_rate_ceiling THEN RAISE(ABORT, 'messaging_rate_ceiling')
    WHEN NEW.messaging_daily_cap > messaging_cap_ceiling THEN RAISE(ABORT, 'messaging_cap_ceiling')
  END FROM companies WHERE id = NEW.company_id;
END;

-- The same after a change.
CREATE TRIGGER api_keys_limits_update
BEFORE UPDATE OF rate_limit_per_minute, messaging_rate_per_minute, messaging_daily_cap ON api_keys BEGIN
  SELECT CASE
    WHEN NEW.rate_limit_per_minute > rate_limit_ceiling THEN RAISE(ABORT, 'rate_limit_ceiling')
    WHEN NEW.messaging_rate_per_minute > messaging_rate_ceiling THEN RAISE(ABORT, 'messaging_rate_ceiling')
    WHEN NEW.messaging_daily_cap > messaging_cap_ceiling THEN RAISE(ABORT, 'messaging_cap_ceiling')
  END FROM companies WHERE id = NEW.company_id;
END;
