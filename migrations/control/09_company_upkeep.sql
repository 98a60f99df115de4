-- What the operator did for each company.

-- When each company was last backed up, and what its last check found.
CREATE TABLE company_upkeep (
  company_id INTEGER PRIMARY KEY,
  backed_up_at INTEGER,
  backup_bytes INTEGER,
  checked_at INTEGER,
  -- How many rules its records broke.
  broken_rules INTEGER,
  CONSTRAINT backup_whole CHECK ((backed_up_at IS NULL) = (backup_bytes IS NULL)),
  CONSTRAINT check_whole CHECK ((checked_at IS NULL) = (broken_rules IS NULL))
) STRICT;
