-- A digest of the migrations that the company's database has and of the token that opens it, as the release counted them
-- that brought it up to date last. Null: by a release that kept none.
ALTER TABLE companies ADD COLUMN migrated_as TEXT;
