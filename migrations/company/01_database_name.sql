-- A database holds its own name, written first.

-- The service deletes only a database that holds its own name. The table may exist: it is made with the database.
CREATE TABLE IF NOT EXISTS database_name (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  CONSTRAINT one_database_name CHECK (id = 1)
) STRICT;
