-- An order to whose customer money is owed needs somebody as one under review does: it counts in the same notice of the hour.
CREATE TRIGGER refund_needed_is_notified AFTER UPDATE OF at ON events
WHEN OLD.at IS NULL AND NEW.at IS NOT NULL AND NEW.type = 'order.refund_needed' BEGIN
  INSERT INTO notifications (rule, channel, recipient, sequence, resource, record_id, occasion, due_at)
  SELECT rule, channel, 'company', NEW.sequence, NEW.resource, '', NEW.at / 3600000, (NEW.at / 3600000 + 1) * 3600000
  FROM notification_channels WHERE rule = 'order_review'
  ON CONFLICT (rule, channel, recipient, resource, record_id, occasion) DO UPDATE SET count = count + 1;
END;
