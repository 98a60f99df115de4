-- An operation that was refused while an earlier attempt of it may still commit: its row, with the problem in `refused`,
-- holds the primary key against that attempt.
ALTER TABLE operations ADD COLUMN refused TEXT;
