-- Before: 851b6d3b9edad5c04d8859480449ecab45705bc1b591574a7b8f5856e47a9625
-- A day ends at 24:00. A CHECK changes with its table only; nothing refers to this one.
CREATE TABLE instructor_overrides_of_whole_days (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  operation TEXT NOT NULL UNIQUE,
  instructor_id INTEGER NOT NULL REFERENCES instructors (id),
  date TEXT NOT NULL,
  is_available INTEGER NOT NULL,
  start_minute INTEGER,
  end_minute INTEGER,
  note TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  CONSTRAINT instructor_override_flags CHECK (is_available IN (0, 1)),
  CONSTRAINT instructor_override_times CHECK (
    (start_minute IS NULL) = (end_minute IS NULL) AND (is_available = 0 OR start_minute IS NOT NULL)
    AND coalesce(start_minute, 0) >= 0 AND coalesce(end_minute, 1440) <= 1440
    AND coalesce(start_minute < end_minute, 1)
  )
) STRICT;

-- No number is given twice: the sequence goes on.
INSERT INTO sqlite_sequence (name, seq)
SELECT 'instructor_overrides_of_whole_days', seq FROM sqlite_sequence WHERE name = 'instructor_overrides';

INSERT INTO instructor_overrides_of_whole_days SELECT * FROM instructor_overrides;

DROP TABLE instructor_overrides;

ALTER TABLE instructor_overrides_of_whole_days RENAME TO instructor_overrides;

CREATE INDEX instructor_overrides_date ON instructor_overrides (instructor_id, date);
