-- How long messages are kept: their contents, and what became of them.
CREATE TABLE messaging_settings (
  id INTEGER PRIMARY KEY,
  content_days INTEGER NOT NULL,
  message_days INTEGER NOT NULL,
  CONSTRAINT one_row_of_messaging_settings CHECK (id = 1),
  CONSTRAINT messaging_retention CHECK (content_days > 0 AND message_days > 0)
) STRICT;

INSERT INTO messaging_settings (id, content_days, message_days) VALUES (1, 30, 400);
