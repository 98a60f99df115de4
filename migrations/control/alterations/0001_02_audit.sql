ALTER TABLE audit_changes ADD COLUMN kept TEXT;
