-- How often in succession a provider failed to answer as it should, and until when it is left alone.
ALTER TABLE messaging_providers ADD COLUMN failures INTEGER NOT NULL DEFAULT 0;
ALTER TABLE messaging_providers ADD COLUMN rests_until INTEGER;

-- Those that a run holds now: each account is asked for a few at a time.
CREATE INDEX message_recipients_claimed ON message_recipients (claim_until)
  WHERE claim IS NOT NULL AND dispatch_state IN ('pending', 'dispatching');
