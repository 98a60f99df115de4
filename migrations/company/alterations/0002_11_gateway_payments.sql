ALTER TABLE gateway_events ADD COLUMN amount INTEGER;
ALTER TABLE gateway_events ADD COLUMN currency TEXT;
