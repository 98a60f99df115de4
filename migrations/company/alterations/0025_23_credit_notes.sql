-- Before: 54ad5bf8c8cd46b595763599d4acc72bb9023280b2195cef22a7f0f4398f6591
CREATE INDEX credit_notes_created ON credit_notes (created_at);
