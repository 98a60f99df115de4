-- What grows without anybody asking for it is erased when its time is over, in the order in which it came.

CREATE INDEX payment_intents_failed ON payment_intents (created_at) WHERE status = 'failed';
CREATE INDEX gateway_events_stray ON gateway_events (received_at) WHERE intent_id IS NULL;

-- A number that was given stays given: how many orders of a year are gone is counted, so that a gap is explained.
CREATE TRIGGER erased_order_is_counted AFTER DELETE ON sales_orders BEGIN
  INSERT INTO number_series (series, period, last)
  VALUES ('order_erased', substr(rtrim(OLD.order_number, '0123456789'), -6, 5), 1)
  ON CONFLICT (series, period) DO UPDATE SET last = last + 1;
  DELETE FROM sales_orders_search WHERE rowid = OLD.id;
END;

-- Through which row the audit log was erased; a company whose log is whole since its beginning has no row here.
CREATE TABLE audit_cut (
  id INTEGER PRIMARY KEY,
  last_id INTEGER NOT NULL,
  CONSTRAINT one_audit_cut CHECK (id = 1)
) STRICT;

CREATE TRIGGER audit_cut_only_rises BEFORE UPDATE ON audit_cut WHEN NEW.last_id < OLD.last_id BEGIN
  SELECT RAISE(ABORT, 'append_only');
END;

CREATE TRIGGER audit_cut_stays BEFORE DELETE ON audit_cut BEGIN
  SELECT RAISE(ABORT, 'append_only');
END;

DROP TRIGGER audit_log_is_append_only_delete;

CREATE TRIGGER audit_log_is_append_only_delete BEFORE DELETE ON audit_log
WHEN OLD.id > coalesce((SELECT last_id FROM audit_cut), 0) BEGIN
  SELECT RAISE(ABORT, 'append_only');
END;
