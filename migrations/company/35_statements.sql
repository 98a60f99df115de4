-- What statements are read by: entries in the order of their days, and all that was ever applied of a credit note.
CREATE INDEX IF NOT EXISTS journal_entries_day ON journal_entries (entry_date, id);
CREATE INDEX credit_applications_ever ON credit_applications (credit_note_id);
