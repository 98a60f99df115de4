-- Callbacks of the chat-app name a business number, not a company.
CREATE TABLE chatapp_numbers (
  phone_number_id TEXT PRIMARY KEY,
  company_id INTEGER NOT NULL REFERENCES companies (id),
  claimed_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
