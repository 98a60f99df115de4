-- A digest of the migrations that the company's database has and of the token that opens it, as the release counted them
-- that brought it up to date last. Null: by a release that kept none.
ALTER TABLE companies ADD COLUMN migrated_as TEXT;
-- A second database of the company: one that a restore fills, or the one that it has replaced. The name is stored before
-- the database is made; its address is there once it is.
ALTER TABLE companies ADD COLUMN spare_database_name TEXT;
ALTER TABLE companies ADD COLUMN spare_database_url TEXT;
ALTER TABLE companies ADD COLUMN spare_database_token TEXT;
