-- The name this database was given when it was made: nothing is deleted that does not hold its own. Written first of
-- all into a new one, so the table may be there.
CREATE TABLE IF NOT EXISTS database_name (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  name TEXT NOT NULL
) STRICT;
