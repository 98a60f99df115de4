-- When a company was closed for good: it is suspended, and no command of the fleet asks its database, which may be gone.
ALTER TABLE companies ADD COLUMN closed_at INTEGER;
