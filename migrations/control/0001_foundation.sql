-- The control database: who may call, and where each company's own database is.
-- Times are integer epoch milliseconds. Codes raised here are problem codes of the API.

CREATE TABLE operations (
  scope TEXT PRIMARY KEY,
  fingerprint TEXT NOT NULL,
  snapshot TEXT,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX operations_expires_at ON operations (expires_at);

CREATE TABLE refusal (code TEXT NOT NULL) STRICT;

CREATE TRIGGER refusal_aborts BEFORE INSERT ON refusal BEGIN
  SELECT CASE NEW.code
    WHEN 'not_found' THEN RAISE(ABORT, 'not_found')
    WHEN 'conflict' THEN RAISE(ABORT, 'conflict')
  END;
  SELECT RAISE(ABORT, 'unknown_refusal');
END;

CREATE TABLE audit_log (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at INTEGER NOT NULL,
  actor TEXT NOT NULL,
  action TEXT NOT NULL,
  record TEXT NOT NULL,
  request_id TEXT NOT NULL
) STRICT;

CREATE INDEX audit_log_record ON audit_log (record, id);

CREATE TRIGGER audit_log_is_append_only_update BEFORE UPDATE ON audit_log BEGIN
  SELECT RAISE(ABORT, 'append_only');
END;

CREATE TRIGGER audit_log_is_append_only_delete BEFORE DELETE ON audit_log BEGIN
  SELECT RAISE(ABORT, 'append_only');
END;

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
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  CONSTRAINT company_status CHECK (status IN ('provisioning', 'active', 'suspended'))
) STRICT;

CREATE INDEX companies_next_sweep_at ON companies (next_sweep_at) WHERE next_sweep_at IS NOT NULL;

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
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  CONSTRAINT api_key_type CHECK (type IN ('secret', 'publishable')),
  CONSTRAINT api_key_secret CHECK ((type = 'secret') = (secret_hash IS NOT NULL))
) STRICT;

CREATE INDEX api_keys_company ON api_keys (company_id, id);
