-- What the operator did for each company.

-- When each company was last backed up, what its last check found, and when its database's token was renewed.
CREATE TABLE company_upkeep (
  company_id INTEGER PRIMARY KEY,
  backed_up_at INTEGER,
  backup_bytes INTEGER,
  checked_at INTEGER,
  -- How many rules its records broke.
  broken_rules INTEGER,
  token_renewed_at INTEGER,
  CONSTRAINT backup_whole CHECK ((backed_up_at IS NULL) = (backup_bytes IS NULL)),
  CONSTRAINT check_whole CHECK ((checked_at IS NULL) = (broken_rules IS NULL))
) STRICT;
