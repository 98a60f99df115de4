-- How often a recipient was queued again because nobody took it up, and when last: each time it waits twice as long.
ALTER TABLE message_recipients ADD COLUMN requeues INTEGER NOT NULL DEFAULT 0;
ALTER TABLE message_recipients ADD COLUMN requeued_at INTEGER;

-- By when it is to be queued again: once a claim has lapsed, or a minute after one without could be taken up; and a minute
-- x 2^requeues after the last time.
CREATE INDEX message_recipients_due ON message_recipients (
  max(claim_until + iif(claim IS NULL, 60000, 0), coalesce(requeued_at + (60000 << min(requeues, 6)), 0))
) WHERE dispatch_state IN ('pending', 'dispatching');
