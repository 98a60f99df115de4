-- The name that a company's database was given before it was made; null for companies from before, named by their slug.
ALTER TABLE companies ADD COLUMN database_name TEXT;
-- The platform operation that issued the key: its memory holds the sealed secret until the key is first used.
ALTER TABLE api_keys ADD COLUMN issued_by TEXT;

-- Databases of creations that failed or died: each goes once it is proven to be its creation's own.
CREATE TABLE abandoned_databases (
  name TEXT PRIMARY KEY,
  tried_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
