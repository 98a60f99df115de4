-- Before: a8ff4c76296c0824f0d206d5c32401361cffc5d8e8a4fc8fa6e7317920abd1fa
ALTER TABLE chatapp_windows ADD COLUMN person TEXT;
CREATE INDEX chatapp_windows_person ON chatapp_windows (person);
