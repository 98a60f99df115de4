-- Who unsubscribes gets no marketing any more, and everything else. An address may be listed for each of the two.
CREATE TABLE scoped_suppressions (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  email TEXT NOT NULL,
  scope TEXT NOT NULL,
  reason TEXT NOT NULL,
  expires_at INTEGER,
  created_at INTEGER NOT NULL,
  UNIQUE (email, scope),
  CONSTRAINT email_suppression_scope CHECK (scope IN ('all', 'marketing')),
  CONSTRAINT email_suppression_reason CHECK (reason IN ('hard_bounce', 'complaint', 'manual', 'unsubscribe'))
) STRICT;

INSERT INTO scoped_suppressions (id, email, scope, reason, expires_at, created_at)
  SELECT id, email, 'all', reason, expires_at, created_at FROM email_suppressions;
DROP TABLE email_suppressions;
ALTER TABLE scoped_suppressions RENAME TO email_suppressions;
