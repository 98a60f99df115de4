-- Numbers that were given after the backup from which this database was restored: no document here bears them, and none
-- will. The series goes on after `through`.
CREATE TABLE number_gaps (
  series TEXT NOT NULL,
  period TEXT NOT NULL,
  -- The last number that the backup held.
  after INTEGER NOT NULL,
  through INTEGER NOT NULL,
  noted_at INTEGER NOT NULL,
  PRIMARY KEY (series, period, after),
  CONSTRAINT number_gap CHECK (after >= 0 AND through > after)
) STRICT, WITHOUT ROWID;
