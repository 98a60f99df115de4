-- Each time that this database was put back from a backup. Until the companies' own copies were taken in again, it lacks
-- companies and keys, and holds keys that were revoked. Written by the restore itself, so the table may be there.
CREATE TABLE IF NOT EXISTS control_restores (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  -- When the backup was taken, and when it was put back; when the copies had been taken in.
  taken_at INTEGER NOT NULL,
  restored_at INTEGER NOT NULL,
  adopted_at INTEGER
) STRICT;

CREATE INDEX companies_database_name ON companies (database_name);
CREATE INDEX companies_spare_database_name ON companies (spare_database_name) WHERE spare_database_name IS NOT NULL;
