-- Which companies a release may upgrade, and the companies whose upgrade failed.

-- A schema number without a row is open to every company.
CREATE TABLE rollouts (
  schema_number INTEGER PRIMARY KEY,
  state TEXT NOT NULL,
  -- The slugs of the companies that come first, as a JSON list.
  canaries TEXT NOT NULL DEFAULT '[]',
  updated_at INTEGER NOT NULL,
  CONSTRAINT rollout_state CHECK (state IN ('canary', 'open', 'stopped'))
) STRICT;

CREATE TABLE failed_upgrades (
  company_id INTEGER PRIMARY KEY REFERENCES companies (id),
  schema_number INTEGER NOT NULL,
  error TEXT NOT NULL,
  failed_at INTEGER NOT NULL
) STRICT;

CREATE INDEX failed_upgrades_schema_number ON failed_upgrades (schema_number);

-- The third company that fails stops the rollout for the rest.
CREATE TRIGGER failed_upgrades_stop_rollout AFTER INSERT ON failed_upgrades
WHEN (SELECT count(*) FROM failed_upgrades WHERE schema_number = NEW.schema_number) >= 3 BEGIN
  INSERT INTO rollouts (schema_number, state, updated_at) VALUES (NEW.schema_number, 'stopped', NEW.failed_at)
  ON CONFLICT (schema_number) DO UPDATE SET state = 'stopped', updated_at = excluded.updated_at;
END;
