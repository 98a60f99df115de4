-- Before: f8a9404ffbc9caa14d02dd972a1cb61f3971fad014467ff494743800bfcd2d75
ALTER TABLE audit_changes ADD COLUMN kept TEXT;
