-- A second database of the company: one that a restore fills, or the one that it has replaced. The name is stored before
-- the database is made; its address is there once it is.
ALTER TABLE companies ADD COLUMN spare_database_name TEXT;
ALTER TABLE companies ADD COLUMN spare_database_url TEXT;
ALTER TABLE companies ADD COLUMN spare_database_token TEXT;
