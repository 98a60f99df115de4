-- The name this database was given when it was made: nothing is deleted that does not hold its own. Written first of
-- all into a new one, so the table may be there.
CREATE TABLE IF NOT EXISTS database_name (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  CONSTRAINT one_database_name CHECK (id = 1)
) STRICT;
