-- Restores of this database.

-- Each restore of this database from a backup. Until the registry is rebuilt from the companies' databases, it lacks
-- companies and keys, and holds keys that were revoked.
CREATE TABLE control_restores (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  -- When the backup was taken, when it was restored, and when the registry was rebuilt.
  taken_at INTEGER NOT NULL,
  restored_at INTEGER NOT NULL,
  adopted_at INTEGER
) STRICT;
