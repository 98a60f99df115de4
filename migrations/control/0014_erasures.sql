-- What each company erased for good, by the actions and ids of its audit log and without a word of whom it was of: an
-- older backup of the company's database would bring it back.
CREATE TABLE erasures (
  company_id INTEGER NOT NULL REFERENCES companies (id),
  action TEXT NOT NULL,
  record TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (company_id, action, record)
) STRICT, WITHOUT ROWID;

CREATE INDEX erasures_old ON erasures (company_id, at);
