-- The messages that a company wants sent when something happens.

CREATE TABLE notification_settings (
  id INTEGER PRIMARY KEY,
  -- Null: the provider's own.
  from_name TEXT,
  -- For customers who prefer one of them; all others get the default one.
  languages TEXT NOT NULL,
  default_language TEXT NOT NULL,
  -- Empty: the profile's address.
  company_recipients TEXT NOT NULL,
  -- Minutes after midnight in the company's zone; both null: none.
  quiet_from INTEGER,
  quiet_to INTEGER,
  daily_cap INTEGER NOT NULL,
  updated_at INTEGER NOT NULL DEFAULT 0,
  CONSTRAINT one_row_of_notification_settings CHECK (id = 1),
  CONSTRAINT notification_languages CHECK (default_language IN ('en', 'hi') AND json_valid(languages)),
  CONSTRAINT notification_recipients CHECK (
    json_valid(company_recipients) AND json_array_length(company_recipients) <= 10
  ),
  CONSTRAINT notification_quiet_hours CHECK (
    (quiet_from IS NULL) = (quiet_to IS NULL)
    AND coalesce(quiet_from BETWEEN 0 AND 1439 AND quiet_to BETWEEN 0 AND 1439 AND quiet_from <> quiet_to, 1)
  ),
  CONSTRAINT notification_daily_cap CHECK (daily_cap >= 0)
) STRICT;

-- The same for the company's own recipients: the profile's address if the settings name none.
CREATE TRIGGER changed_company_receivers_are_notified AFTER UPDATE OF company_recipients ON notification_settings
WHEN OLD.company_recipients <> NEW.company_recipients BEGIN
  INSERT INTO notifications (rule, channel, recipient, resource, record_id, occasion, address, due_at)
  SELECT 'receiver_changed', 'email', 'former', 'receiver', 'notifications',
    (SELECT coalesce(max(id), 0) FROM notifications) || ':' || former.key, former.value, NEW.updated_at
  FROM json_each(iif(OLD.company_recipients = '[]',
    json_array((SELECT email FROM profile)), OLD.company_recipients)) AS former
  WHERE former.value IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM json_each(iif(NEW.company_recipients = '[]',
      json_array((SELECT email FROM profile)), NEW.company_recipients)) AS present
    WHERE lower(present.value) = lower(former.value)
  ) AND NOT EXISTS (SELECT 1 FROM notifications AS sent
    WHERE lower(sent.address) = lower(former.value) AND sent.due_at > NEW.updated_at - 3600000);
END;

INSERT INTO notification_settings (id, languages, default_language, company_recipients, quiet_from, quiet_to, daily_cap)
VALUES (1, '["en","hi"]', 'en', '[]', 1260, 480, 5000);

-- Whether a rule is on, by channel. `event` is null if no event makes it; `starts_on` is for new companies.
CREATE TABLE notification_rules (
  rule TEXT PRIMARY KEY,
  position INTEGER NOT NULL,
  event TEXT,
  audience TEXT NOT NULL,
  email INTEGER NOT NULL DEFAULT 0,
  sms INTEGER NOT NULL DEFAULT 0,
  chatapp INTEGER NOT NULL DEFAULT 0,
  hours INTEGER,
  days TEXT,
  is_hourly INTEGER NOT NULL DEFAULT 0,
  starts_on INTEGER NOT NULL,
  CONSTRAINT notification_rule_channels CHECK (email IN (0, 1) AND sms IN (0, 1) AND chatapp IN (0, 1)),
  CONSTRAINT notification_rule_hours CHECK (hours BETWEEN 1 AND 168),
  CONSTRAINT notification_rule_json CHECK (json_valid(audience) AND (days IS NULL OR json_valid(days)))
) STRICT, WITHOUT ROWID;

CREATE INDEX notification_rules_event ON notification_rules (event) WHERE email + sms + chatapp > 0;

INSERT INTO notification_rules (position, rule, event, audience, hours, days, is_hourly, starts_on) VALUES
  (1, 'booking_held', 'booking.held', '["customer"]', NULL, NULL, 0, 1),
  (2, 'booking_requested', 'booking.requested', '["customer","company"]', NULL, NULL, 0, 1),
  (3, 'booking_confirmed', 'booking.confirmed', '["customer","instructor"]', NULL, NULL, 0, 1),
  (4, 'booking_moved', 'booking.moved', '["customer","instructor"]', NULL, NULL, 0, 1),
  (5, 'booking_cancelled', 'booking.cancelled', '["customer","instructor"]', NULL, NULL, 0, 1),
  (6, 'booking_reminder_day', NULL, '["customer"]', 24, NULL, 0, 1),
  (7, 'booking_reminder_hours', NULL, '["customer"]', 2, NULL, 0, 1),
  (8, 'booking_refunded', 'booking.refunded', '["customer"]', NULL, NULL, 0, 1),
  (9, 'order_paid', 'order.paid', '["customer"]', NULL, NULL, 0, 1),
  (10, 'payment_receipt', 'payment.recorded', '["customer"]', NULL, NULL, 0, 0),
  (11, 'invoice_overdue', NULL, '["customer"]', NULL, '[3,7,14]', 0, 0),
  (12, 'refund_made', 'payment.refunded', '["customer"]', NULL, NULL, 0, 1),
  (13, 'lead_received', 'lead.captured', '["company"]', NULL, NULL, 0, 1),
  (14, 'lead_acknowledged', 'lead.captured', '["lead"]', NULL, NULL, 0, 0),
  (15, 'application_received', 'application.received', '["company"]', NULL, NULL, 0, 1),
  (16, 'application_acknowledged', 'application.received', '["applicant"]', NULL, NULL, 0, 1),
  (17, 'order_review', 'order.review_needed', '["company"]', NULL, NULL, 1, 1),
  (18, 'booking_review', 'booking.review_needed', '["company"]', NULL, NULL, 1, 1),
  (19, 'endpoint_disabled', NULL, '["company"]', NULL, NULL, 1, 1),
  (20, 'provider_unhealthy', 'provider.unhealthy', '["company"]', NULL, NULL, 1, 1),
  (21, 'stock_low', 'stock.low', '["company"]', NULL, NULL, 1, 1);

-- The channels on which a rule is on, a row for each.
CREATE VIEW notification_channels AS
  SELECT rule, 'email' AS channel FROM notification_rules WHERE email = 1
  UNION ALL SELECT rule, 'sms' FROM notification_rules WHERE sms = 1
  UNION ALL SELECT rule, 'chatapp' FROM notification_rules WHERE chatapp = 1;

-- For the write path: the events that a notification follows at once.
CREATE VIEW event_notified AS
  SELECT event AS type FROM notification_rules WHERE email + sms + chatapp > 0 AND is_hourly = 0;

CREATE TABLE notifications (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  rule TEXT NOT NULL,
  channel TEXT NOT NULL,
  -- The recipient: customer, instructor:{id}, company, lead or applicant.
  recipient TEXT NOT NULL,
  -- Of the event; null if none made it.
  sequence INTEGER,
  resource TEXT NOT NULL,
  record_id TEXT NOT NULL,
  -- What makes it unique: the event, the lesson's start, the due date with its days, or the hour.
  occasion TEXT NOT NULL,
  state TEXT NOT NULL DEFAULT 'due',
  reason TEXT,
  message_id TEXT,
  -- How often it happened within the hour.
  count INTEGER NOT NULL DEFAULT 1,
  due_at INTEGER NOT NULL,
  ended_at INTEGER,
  -- The address that a notification goes to, if no record holds it any longer.
  address TEXT,
  CONSTRAINT notification_channel CHECK (channel IN ('email', 'sms', 'chatapp')),
  CONSTRAINT notification_state CHECK (state IN ('due', 'sent', 'skipped', 'capped', 'failed')),
  CONSTRAINT notification_message CHECK ((state = 'sent') = (message_id IS NOT NULL)),
  CONSTRAINT notification_end CHECK ((state = 'due') = (ended_at IS NULL))
) STRICT;

CREATE UNIQUE INDEX notifications_once
  ON notifications (rule, channel, recipient, resource, record_id, occasion);
CREATE UNIQUE INDEX notifications_message ON notifications (message_id) WHERE message_id IS NOT NULL;

-- The notifications of a record.
CREATE INDEX notifications_record ON notifications (resource, record_id) WHERE message_id IS NOT NULL;
CREATE INDEX notifications_due ON notifications (due_at) WHERE state = 'due';
CREATE INDEX notifications_ended ON notifications (ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX notifications_address ON notifications (lower(address), due_at) WHERE address IS NOT NULL;

-- A company's own texts, by rule, channel and language.
CREATE TABLE notification_templates (
  rule TEXT NOT NULL,
  channel TEXT NOT NULL,
  language TEXT NOT NULL,
  -- The text as it was sent, as JSON.
  content TEXT NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (rule, channel, language),
  CONSTRAINT notification_template_json CHECK (json_valid(content))
) STRICT, WITHOUT ROWID;

-- An event's stamp makes its notifications. `notify: false` leaves out the customer; an hourly rule counts in one row.
-- An order whose customer is owed money counts in the same hourly notice as one under review. A payment of a gateway that
-- is taken back, or one removed by a void, moves no money: no refund is reported. Nor is a chargeback, which the payer's
-- bank took. Money of a booking that went back through its gateway is reported once, as the refund.
CREATE TRIGGER events_are_notified AFTER UPDATE OF is_notified ON events
WHEN OLD.at IS NULL AND NEW.at IS NOT NULL BEGIN
  INSERT INTO notifications (rule, channel, recipient, sequence, resource, record_id, occasion, due_at)
  SELECT rules.rule, channels.value, CASE whom.value
      WHEN 'instructor' THEN 'instructor:' || (SELECT instructor_id FROM bookings WHERE id = NEW.record_id)
      WHEN 'previous' THEN 'instructor:' || (NEW.previous ->> '$.instructor_id')
      ELSE whom.value
    END, NEW.sequence, NEW.resource, iif(is_hourly, '', NEW.record_id),
    iif(is_hourly, NEW.at / 3600000, NEW.sequence), iif(is_hourly, (NEW.at / 3600000 + 1) * 3600000, NEW.at)
  FROM notification_rules AS rules, json_each('["email","sms","chatapp"]') AS channels, json_each(
    iif(NEW.type = 'booking.moved' AND (NEW.previous ->> '$.instructor_id') IS NOT NULL,
      replace(audience, '"instructor"', '"instructor","previous"'), audience)) AS whom
  WHERE event = iif(NEW.type = 'order.refund_needed', 'order.review_needed', NEW.type) AND email + sms + chatapp > 0
    AND CASE channels.value WHEN 'email' THEN email WHEN 'sms' THEN sms ELSE chatapp END = 1
    AND NOT (whom.value = 'customer' AND NEW.resource = 'booking' AND EXISTS (
      SELECT 1 FROM bookings WHERE id = NEW.record_id AND unnotified_at = updated_at
    ))
    AND NOT (rules.rule = 'payment_receipt' AND (SELECT source FROM payments WHERE id = NEW.record_id) <> 'api')
    AND NOT (rules.rule = 'refund_made' AND EXISTS (
      SELECT 1 FROM payments WHERE id = NEW.record_id
        AND (gateway_payment_id IS NOT NULL OR (SELECT status FROM invoices WHERE id = invoice_id) = 'voided')
    ))
    AND NOT (rules.rule IN ('refund_sent', 'refund_failed') AND EXISTS (
      SELECT 1 FROM gateway_refunds WHERE id = NEW.record_id AND source = 'chargeback'
    ))
    AND NOT (rules.rule = 'booking_refunded' AND EXISTS (
      SELECT 1 FROM bookings JOIN payment_intents ON kind = 'booking' AND ref_id = bookings.id
        JOIN gateway_captures AS capture ON intent_id = payment_intents.id JOIN gateway_refunds AS refund ON capture_id = capture.id
      WHERE bookings.id = NEW.record_id AND refund.status = 'succeeded' GROUP BY bookings.id
      HAVING max(source = 'chargeback' AND settled_at = NEW.at) = 1 OR ((
          max(settled_at) = NEW.at OR sum(iif(outcome = 'paid', refund.amount, 0)) >= bookings.total_amount
        ) AND EXISTS (SELECT 1 FROM notification_channels WHERE rule = 'refund_sent' AND channel = channels.value))
    ))
  ON CONFLICT (rule, channel, recipient, resource, record_id, occasion)
    DO UPDATE SET count = count + 1 WHERE record_id = '';
END;

-- Endpoints have no events. No notice is made of one that was disabled by hand.
CREATE TRIGGER endpoint_is_notified AFTER UPDATE OF disabled_reason ON event_endpoints
WHEN OLD.disabled_reason IS NULL AND NEW.disabled_reason IN ('gone', 'exhausted') AND EXISTS (
  SELECT 1 FROM notification_rules WHERE rule = 'endpoint_disabled' AND email + sms + chatapp > 0
) BEGIN
  INSERT INTO notifications (rule, channel, recipient, resource, record_id, occasion, due_at)
  SELECT rule, channel, 'company', 'endpoint', '', hour, (hour + 1) * 3600000
  FROM notification_channels, (SELECT max(NEW.updated_at, coalesce(NEW.last_failure_at, 0)) / 3600000 AS hour)
  WHERE rule = 'endpoint_disabled'
  ON CONFLICT (rule, channel, recipient, resource, record_id, occasion) DO UPDATE SET count = count + 1;
END;

INSERT INTO notification_rules (position, rule, event, audience, hours, days, is_hourly, starts_on)
VALUES
  (22, 'booking_unproven', NULL, '["customer"]', NULL, NULL, 0, 1),
  (23, 'lead_repeated', 'lead.repeated', '["company"]', NULL, NULL, 1, 1),
  (24, 'credit_note_issued', 'credit_note.created', '["customer"]', NULL, NULL, 0, 0),
  (25, 'refund_sent', 'refund.succeeded', '["customer"]', NULL, NULL, 0, 1),
  (26, 'refund_failed', 'refund.failed', '["company"]', NULL, NULL, 1, 1);
