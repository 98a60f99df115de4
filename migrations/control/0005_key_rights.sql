-- Keys are made and changed by a right of their own. Whoever could make keys before still can.
UPDATE api_keys SET scopes = json_insert(scopes, '$[#]', 'keys:read')
WHERE EXISTS (SELECT 1 FROM json_each(api_keys.scopes) WHERE value = 'settings:read');

UPDATE api_keys SET scopes = json_insert(scopes, '$[#]', 'keys:write')
WHERE EXISTS (SELECT 1 FROM json_each(api_keys.scopes) WHERE value = 'settings:write');

-- What whoever runs the service lets the keys of a company have at most.
ALTER TABLE companies ADD COLUMN rate_limit_ceiling INTEGER NOT NULL DEFAULT 1000000;
ALTER TABLE companies ADD COLUMN messaging_rate_ceiling INTEGER NOT NULL DEFAULT 1000000;
ALTER TABLE companies ADD COLUMN messaging_cap_ceiling INTEGER NOT NULL DEFAULT 1000000;

CREATE TRIGGER api_keys_limits_insert BEFORE INSERT ON api_keys BEGIN
  SELECT CASE
    WHEN NEW.rate_limit_per_minute > rate_limit_ceiling THEN RAISE(ABORT, 'rate_limit_ceiling')
    WHEN NEW.messaging_rate_per_minute > messaging_rate_ceiling THEN RAISE(ABORT, 'messaging_rate_ceiling')
    WHEN NEW.messaging_daily_cap > messaging_cap_ceiling THEN RAISE(ABORT, 'messaging_cap_ceiling')
  END FROM companies WHERE id = NEW.company_id;
END;

CREATE TRIGGER api_keys_limits_update
BEFORE UPDATE OF rate_limit_per_minute, messaging_rate_per_minute, messaging_daily_cap ON api_keys BEGIN
  SELECT CASE
    WHEN NEW.rate_limit_per_minute > rate_limit_ceiling THEN RAISE(ABORT, 'rate_limit_ceiling')
    WHEN NEW.messaging_rate_per_minute > messaging_rate_ceiling THEN RAISE(ABORT, 'messaging_rate_ceiling')
    WHEN NEW.messaging_daily_cap > messaging_cap_ceiling THEN RAISE(ABORT, 'messaging_cap_ceiling')
  END FROM companies WHERE id = NEW.company_id;
END;

CREATE TRIGGER companies_lower_key_limits
AFTER UPDATE OF rate_limit_ceiling, messaging_rate_ceiling, messaging_cap_ceiling ON companies BEGIN
  UPDATE api_keys SET
    rate_limit_per_minute = min(rate_limit_per_minute, NEW.rate_limit_ceiling),
    messaging_rate_per_minute = min(messaging_rate_per_minute, NEW.messaging_rate_ceiling),
    messaging_daily_cap = min(messaging_daily_cap, NEW.messaging_cap_ceiling)
  WHERE company_id = NEW.id;
END;

DROP TRIGGER refusal_aborts;
CREATE TRIGGER refusal_aborts BEFORE INSERT ON refusal BEGIN
  SELECT CASE NEW.code
    WHEN 'not_found' THEN RAISE(ABORT, 'not_found')
    WHEN 'conflict' THEN RAISE(ABORT, 'conflict')
    WHEN 'insufficient_scope' THEN RAISE(ABORT, 'insufficient_scope')
  END;
  SELECT RAISE(ABORT, 'unknown_refusal');
END;
