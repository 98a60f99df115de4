-- What the service knows of its own running.

-- When the minute's cron, and the consumer of each queue, last did their work.
CREATE TABLE heartbeats (
  name TEXT PRIMARY KEY,
  at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
