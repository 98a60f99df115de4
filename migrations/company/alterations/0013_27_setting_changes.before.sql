-- The changes of settings that the company gets notices of.

CREATE TABLE setting_changes (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  -- The notice of it, and the setting as the paths of its operations name it.
  rule TEXT NOT NULL,
  setting TEXT NOT NULL,
  -- The name and the id of who did it.
  actor TEXT NOT NULL,
  at INTEGER NOT NULL,
  -- The records that changed, by their ids, as JSON. Until its batch has made the change, `was` has every record.
  was TEXT NOT NULL,
  becomes TEXT,
  -- The receivers, with those of the week before, and the e-mail provider that were in force before it, as JSON.
  route TEXT,
  notification_id INTEGER,
  message_id TEXT,
  CONSTRAINT setting_change_json CHECK (json_valid(was) AND (becomes IS NULL OR json_valid(becomes)))
) STRICT;

CREATE INDEX setting_changes_notification ON setting_changes (notification_id);
CREATE INDEX setting_changes_message ON setting_changes (message_id) WHERE message_id IS NOT NULL;

-- The row stands before the change, so the notice takes the route that the change may end; a receiver
-- that was replaced within a week gets it too.
CREATE TRIGGER setting_change_keeps_the_route AFTER INSERT ON setting_changes BEGIN
  UPDATE setting_changes SET route = (
    SELECT json_object('receivers', json((
        SELECT json_group_array(address) FROM (
          SELECT value AS address FROM json_each(company_recipients) UNION SELECT email
          UNION SELECT address FROM notifications INDEXED BY notifications_address
          WHERE address IS NOT NULL AND rule = 'receiver_changed' AND channel = 'email'
            AND record_id IN ('profile', 'notifications') AND due_at > NEW.at - 604800000
        ) WHERE address IS NOT NULL
      )),
      'provider', json((
        SELECT json_object('id', id, 'kind', kind, 'config', config, 'operation', operation, 'sealed_config', sealed_config)
        FROM messaging_providers WHERE channel = 'email' AND is_active = 1 AND paused_at IS NULL
        ORDER BY is_default DESC, id LIMIT 1
      )))
    FROM notification_settings, profile
  ) WHERE id = NEW.id;
END;

-- A change joins a notice that is not sent yet; else it gets its own. What changed nothing, or has no receiver, gets none.
CREATE TRIGGER setting_change_is_told AFTER UPDATE OF becomes ON setting_changes WHEN OLD.becomes IS NULL BEGIN
  DELETE FROM setting_changes
  WHERE id = NEW.id AND (was = '{}' AND becomes = '{}' OR route ->> '$.receivers' = '[]');
  INSERT INTO notifications (rule, channel, recipient, resource, record_id, occasion, due_at)
  SELECT rule, 'email', 'company', 'setting', setting, id, at FROM setting_changes
  WHERE id = NEW.id AND NOT EXISTS (
    SELECT 1 FROM notifications WHERE state = 'due' AND rule = NEW.rule AND resource = 'setting'
  );
  UPDATE setting_changes SET notification_id = (
    SELECT max(id) FROM notifications WHERE state = 'due' AND rule = NEW.rule AND resource = 'setting'
  ) WHERE id = NEW.id;
END;

-- A change is kept no longer than until its message is out, with the former provider's secret.
CREATE TRIGGER setting_change_follows_its_notice AFTER UPDATE OF state ON notifications
WHEN OLD.state = 'due' AND NEW.state <> 'due' BEGIN
  UPDATE setting_changes SET message_id = NEW.message_id WHERE notification_id = NEW.id;
  DELETE FROM setting_changes WHERE notification_id = NEW.id AND NOT EXISTS (
    SELECT 1 FROM message_recipients
    WHERE message_id = NEW.message_id AND dispatch_state IN ('pending', 'dispatching')
  );
END;

CREATE TRIGGER setting_change_ends AFTER UPDATE OF dispatch_state ON message_recipients
WHEN NEW.dispatch_state IN ('dispatched', 'dead') BEGIN
  DELETE FROM setting_changes WHERE message_id = NEW.message_id AND NOT EXISTS (
    SELECT 1 FROM message_recipients
    WHERE message_id = NEW.message_id AND dispatch_state IN ('pending', 'dispatching')
  );
END;

-- Another provider takes over what the former one refused.
CREATE TRIGGER setting_change_leaves_its_route AFTER UPDATE OF provider_id ON messages BEGIN
  UPDATE setting_changes SET route = NULL WHERE message_id = NEW.id;
END;
