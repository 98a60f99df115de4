ALTER TABLE chatapp_windows ADD COLUMN person TEXT;
CREATE INDEX chatapp_windows_person ON chatapp_windows (person);
