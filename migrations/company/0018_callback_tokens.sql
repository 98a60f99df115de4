-- The token before the last rotation: providers call at its address too, until then.
ALTER TABLE messaging_providers ADD COLUMN previous_token_hash TEXT;
ALTER TABLE messaging_providers ADD COLUMN previous_token_expires_at INTEGER;

CREATE INDEX messaging_providers_previous_token ON messaging_providers (previous_token_hash)
WHERE previous_token_hash IS NOT NULL;
