-- Triggers of the records' own tables write events, when a row really changed, on every path. In place of the stars stands
-- each column of the table but those named, so that a new one is compared.
-- Other triggers erase a person from them.

-- A new customer.
CREATE TRIGGER customer_event_insert AFTER INSERT ON customers WHEN NEW.is_customer = 1 BEGIN
  INSERT INTO events (type, resource, record_id) VALUES ('customer.created', 'customer', NEW.id);
END;

-- A new product.
CREATE TRIGGER product_event_insert AFTER INSERT ON products BEGIN
  INSERT INTO events (type, resource, record_id) VALUES ('product.created', 'product', NEW.id);
END;

-- A product, changed, or low on stock.
CREATE TRIGGER product_event_update AFTER UPDATE ON products BEGIN
  INSERT INTO events (type, resource, record_id, previous)
  SELECT 'product.updated', 'product', NEW.id, json_object('status', OLD.status)
  WHERE /* products but for id, operation, track_stock, is_batch_tracked, opening_stock, current_stock, created_at,
    updated_at, has_tax_rate */ (NEW.*) IS NOT (OLD.*)
  UNION ALL SELECT 'stock.low', 'product', NEW.id, NULL
  WHERE NEW.track_stock = 1 AND NEW.current_stock < OLD.current_stock
    AND OLD.current_stock > NEW.low_stock_threshold AND NEW.current_stock <= NEW.low_stock_threshold;
END;

-- Stock, adjusted or moved.
CREATE TRIGGER stock_event_insert AFTER INSERT ON stock_movements BEGIN
  INSERT INTO events (type, resource, record_id, related)
  SELECT type, 'product', NEW.product_id, json_object('movement_id', CAST(NEW.id AS TEXT)) FROM (
    SELECT 'stock.adjusted' AS type WHERE NEW.type IN ('adjust_increase', 'adjust_decrease')
    UNION ALL SELECT type FROM event_types_wanted WHERE type = 'stock.moved'
  );
END;

-- A new invoice.
CREATE TRIGGER invoice_event_insert AFTER INSERT ON invoices BEGIN
  INSERT INTO events (type, resource, record_id, related)
  SELECT type, 'invoice', NEW.id, iif(NEW.sales_order_id IS NULL, NULL, json_object('order_id', CAST(NEW.sales_order_id AS TEXT)))
  FROM (SELECT 'invoice.created' AS type UNION ALL SELECT 'invoice.paid' WHERE NEW.amount_due = 0);
END;

-- An invoice, sent, voided, paid in whole or in part, credited, open again, or overdue. That a credit ended what was due is
-- no payment.
CREATE TRIGGER invoice_event_update
AFTER UPDATE OF status, sent_at, amount_paid, tds_amount, amount_credited, amount_due, overdue_since ON invoices BEGIN
  INSERT INTO events (type, resource, record_id, previous, related)
  SELECT type, 'invoice', NEW.id, previous,
    iif(NEW.sales_order_id IS NULL, NULL, json_object('order_id', CAST(NEW.sales_order_id AS TEXT), 'payment_id', (
      SELECT CAST(id AS TEXT) FROM payments WHERE invoice_id = NEW.id ORDER BY id DESC LIMIT 1
    )))
  FROM (
    SELECT 'invoice.sent' AS type, json_object('status', OLD.status) AS previous
    WHERE OLD.sent_at IS NULL AND NEW.sent_at IS NOT NULL
    UNION ALL SELECT 'invoice.voided', json_object('status', OLD.status)
    WHERE NEW.status = 'voided' AND OLD.status <> 'voided'
    UNION ALL SELECT CASE
      WHEN NEW.payment_status = 'paid' THEN 'invoice.paid'
      WHEN OLD.payment_status = 'paid' THEN 'invoice.reopened'
      ELSE 'invoice.partly_paid'
    END, json_object('payment_status', OLD.payment_status)
    WHERE NEW.status <> 'voided' AND NEW.payment_status <> OLD.payment_status
      AND (NEW.payment_status <> 'unpaid' OR OLD.payment_status = 'paid')
      AND NOT (NEW.payment_status = 'paid' AND NEW.amount_credited > OLD.amount_credited)
    UNION ALL SELECT 'invoice.credited', json_object('credit_status', OLD.credit_status)
    WHERE NEW.amount_credited > OLD.amount_credited
    UNION ALL SELECT 'invoice.overdue', NULL WHERE OLD.overdue_since IS NULL AND NEW.overdue_since IS NOT NULL
  );
END;

-- A new payment; a shop's invoice comes before it in the same batch, and its event gets the payment's id.
CREATE TRIGGER payment_event_insert AFTER INSERT ON payments BEGIN
  INSERT INTO events (type, resource, record_id, related)
  VALUES ('payment.recorded', 'payment', NEW.id, json_object('invoice_id', CAST(NEW.invoice_id AS TEXT)));
  -- The same batch wrote the event of a shop's invoice before the payment.
  UPDATE events SET related = json_set(related, '$.payment_id', CAST(NEW.id AS TEXT))
  WHERE request_id IS NULL AND resource = 'invoice' AND record_id = CAST(NEW.invoice_id AS TEXT) AND related IS NOT NULL;
END;

-- A payment, removed.
CREATE TRIGGER payment_event_update AFTER UPDATE OF deleted_at ON payments
WHEN OLD.deleted_at IS NULL AND NEW.deleted_at IS NOT NULL BEGIN
  INSERT INTO events (type, resource, record_id, related)
  VALUES ('payment.refunded', 'payment', NEW.id, json_object('invoice_id', CAST(NEW.invoice_id AS TEXT)));
END;

-- A new order.
CREATE TRIGGER order_event_insert AFTER INSERT ON sales_orders BEGIN
  INSERT INTO events (type, resource, record_id) VALUES ('order.created', 'order', NEW.id);
END;

-- An order, paid, cancelled, or to review or refund.
CREATE TRIGGER order_event_update AFTER UPDATE OF status, payment_status, needs_refund, review_code ON sales_orders BEGIN
  INSERT INTO events (type, resource, record_id, previous)
  SELECT type, 'order', NEW.id, previous FROM (
    SELECT iif(NEW.status = 'invoiced', 'order.paid', 'order.cancelled') AS type, json_object('status', OLD.status) AS previous
    WHERE NEW.status <> OLD.status AND NEW.status IN ('invoiced', 'cancelled')
    UNION ALL SELECT 'order.review_needed', json_object('payment_status', OLD.payment_status)
    WHERE (NEW.payment_status = 'review' AND OLD.payment_status <> 'review')
      OR (NEW.review_code IS NOT NULL AND OLD.review_code IS NULL)
    UNION ALL SELECT 'order.refund_needed', json_object('payment_status', OLD.payment_status)
    WHERE NEW.needs_refund = 1 AND OLD.needs_refund = 0
  );
END;

-- A new booking, held, requested or confirmed.
CREATE TRIGGER booking_event_insert AFTER INSERT ON bookings WHEN NEW.status IN ('pending', 'confirmed') BEGIN
  INSERT INTO events (type, resource, record_id) VALUES (
    CASE WHEN NEW.status = 'confirmed' THEN 'booking.confirmed'
      WHEN NEW.settled_by = 'online' OR NEW.email_proof IS NOT NULL THEN 'booking.held' ELSE 'booking.requested' END,
    'booking', NEW.id
  );
  INSERT INTO events (type, resource, record_id) SELECT 'booking.paid', 'booking', NEW.id
  WHERE NEW.payment_status = 'paid' AND NEW.paid_at IS NOT NULL AND NEW.total_amount > 0;
END;

-- A booking, in another status, moved, paid or refunded, or to review.
CREATE TRIGGER booking_event_update
AFTER UPDATE OF status, payment_status, settled_by, start_at, instructor_id, needs_review ON bookings BEGIN
  INSERT INTO events (type, resource, record_id, previous)
  SELECT type, 'booking', NEW.id, previous FROM (
    SELECT CASE WHEN NEW.status <> 'pending' THEN 'booking.' || NEW.status
      WHEN NEW.settled_by = 'online' THEN 'booking.held' ELSE 'booking.requested' END AS type,
      json_object('status', OLD.status) AS previous
    WHERE NEW.status <> OLD.status OR (NEW.status = 'pending' AND NEW.settled_by IS NOT OLD.settled_by)
    UNION ALL SELECT 'booking.moved', json_object('booking_date', OLD.booking_date, 'start_time', OLD.start_time,
      'end_time', OLD.end_time, 'instructor_id', OLD.instructor_id)
    WHERE NEW.start_at <> OLD.start_at OR NEW.instructor_id <> OLD.instructor_id
    UNION ALL SELECT 'booking.' || NEW.payment_status, json_object('payment_status', OLD.payment_status)
    WHERE NEW.payment_status <> OLD.payment_status AND NEW.payment_status <> 'unpaid'
      AND (NEW.payment_status <> 'paid' OR NEW.total_amount > 0)
    UNION ALL SELECT 'booking.review_needed', json_object('payment_status', OLD.payment_status)
    WHERE NEW.needs_review = 1 AND OLD.needs_review = 0
  );
END;

-- A package, granted.
CREATE TRIGGER package_event_insert AFTER INSERT ON booking_packages BEGIN
  INSERT INTO events (type, resource, record_id) VALUES ('package.granted', 'package', NEW.id);
END;

-- A package, changed or cancelled.
CREATE TRIGGER package_event_update AFTER UPDATE ON booking_packages BEGIN
  INSERT INTO events (type, resource, record_id, previous)
  SELECT iif(NEW.status = 'cancelled' AND OLD.status <> 'cancelled', 'package.cancelled', 'package.updated'), 'package', NEW.id,
    json_object('status', OLD.status)
  WHERE /* booking_packages but for id, operation, product_id, sessions_used, order_id, line, booking_id, created_at,
    updated_at, contact_email_lower, contact_last9 */ (NEW.*) IS NOT (OLD.*);
END;

-- A deleted package, as it was: it cannot be read at the end of the batch.
CREATE TRIGGER package_event_delete AFTER DELETE ON booking_packages BEGIN
  INSERT INTO events (type, resource, record_id, previous, snapshot)
  VALUES ('package.cancelled', 'package', OLD.id, json_object('status', OLD.status), json_object(
    'id', OLD.id, 'customer_id', OLD.customer_id, 'customer_confirmed', OLD.customer_confirmed, 'product_id', OLD.product_id,
    'name', OLD.name, 'sessions_total', OLD.sessions_total, 'sessions_used', OLD.sessions_used, 'expires_at', OLD.expires_at,
    'status', 'cancelled', 'order_id', OLD.order_id, 'booking_id', OLD.booking_id, 'created_at', OLD.created_at,
    'updated_at', OLD.updated_at
  ));
END;

-- A message, failed, or in another status.
CREATE TRIGGER message_event_update AFTER UPDATE OF status ON messages WHEN NEW.status <> OLD.status BEGIN
  INSERT INTO events (type, resource, record_id, previous)
  SELECT type, 'message', NEW.id, json_object('status', OLD.status) FROM (
    SELECT type FROM event_types_wanted WHERE type = 'message.status_changed'
    UNION ALL SELECT 'message.failed' WHERE NEW.status IN ('failed', 'rejected') AND OLD.status NOT IN ('failed', 'rejected')
  );
END;

-- A contact, opted out.
CREATE TRIGGER optout_event_insert AFTER INSERT ON contact_optouts BEGIN
  INSERT INTO events (type, resource, record_id) VALUES ('contact.opted_out', 'optout', NEW.id);
END;

-- A contact, opted in again.
CREATE TRIGGER optout_event_delete AFTER DELETE ON contact_optouts BEGIN
  INSERT INTO events (type, resource, record_id, snapshot) VALUES ('contact.opted_in', 'optout', OLD.id, json_object(
    'id', OLD.id, 'channel', OLD.channel, 'address', OLD.address, 'e164', OLD.e164, 'source', OLD.source,
    'created_at', OLD.created_at
  ));
END;

-- A provider, unhealthy.
CREATE TRIGGER provider_event_update AFTER UPDATE OF last_error ON messaging_providers
WHEN OLD.last_error IS NULL AND NEW.last_error IS NOT NULL BEGIN
  INSERT INTO events (type, resource, record_id) VALUES ('provider.unhealthy', 'provider', NEW.id);
END;

-- A new lead.
CREATE TRIGGER lead_event_insert AFTER INSERT ON leads BEGIN
  INSERT INTO events (type, resource, record_id) VALUES ('lead.captured', 'lead', NEW.id);
END;

-- A lead, repeated or closed.
CREATE TRIGGER lead_event_update AFTER UPDATE OF submission_count, closed_at ON leads BEGIN
  INSERT INTO events (type, resource, record_id, previous)
  SELECT type, 'lead', NEW.id, json_object('status', OLD.status) FROM (
    SELECT 'lead.repeated' AS type WHERE NEW.submission_count > OLD.submission_count AND OLD.submission_count > 0
    UNION ALL SELECT 'lead.closed' WHERE OLD.closed_at IS NULL AND NEW.closed_at IS NOT NULL
  );
END;

-- A new application.
CREATE TRIGGER application_event_insert AFTER INSERT ON applications BEGIN
  INSERT INTO events (type, resource, record_id) VALUES ('application.received', 'application', NEW.id);
END;

-- An application, in another status.
CREATE TRIGGER application_event_update AFTER UPDATE OF status ON applications WHEN NEW.status <> OLD.status BEGIN
  INSERT INTO events (type, resource, record_id, previous)
  VALUES ('application.moved', 'application', NEW.id, json_object('status', OLD.status));
END;

-- A job, opened.
CREATE TRIGGER job_event_insert AFTER INSERT ON jobs WHEN NEW.is_published = 1 AND NEW.status = 'open' BEGIN
  INSERT INTO events (type, resource, record_id) VALUES ('job.opened', 'job', NEW.id);
END;

-- A job, opened or closed.
CREATE TRIGGER job_event_update AFTER UPDATE OF is_published, status ON jobs
WHEN (NEW.is_published = 1 AND NEW.status = 'open') <> (OLD.is_published = 1 AND OLD.status = 'open') BEGIN
  INSERT INTO events (type, resource, record_id, previous) VALUES (
    iif(NEW.is_published = 1 AND NEW.status = 'open', 'job.opened', 'job.closed'), 'job', NEW.id,
    json_object('status', OLD.status)
  );
END;

-- A deleted job: only its id.
CREATE TRIGGER job_event_delete AFTER DELETE ON jobs WHEN OLD.is_published = 1 AND OLD.status = 'open' BEGIN
  INSERT INTO events (type, resource, record_id, previous)
  VALUES ('job.closed', 'job', OLD.id, json_object('status', OLD.status));
END;

-- A new work item.
CREATE TRIGGER work_item_event_insert AFTER INSERT ON work_items BEGIN
  INSERT INTO events (type, resource, record_id) VALUES ('work_item.created', 'work_item', NEW.id);
END;

-- A work item, changed, or in another state.
CREATE TRIGGER work_item_event_update AFTER UPDATE ON work_items BEGIN
  INSERT INTO events (type, resource, record_id, previous)
  SELECT 'work_item.transitioned', 'work_item', NEW.id,
    json_object('state', OLD.state, 'state_category', OLD.state_category)
  WHERE NEW.state <> OLD.state OR NEW.state_category <> OLD.state_category
  UNION ALL SELECT 'work_item.updated', 'work_item', NEW.id,
    json_object('state', OLD.state, 'state_category', OLD.state_category)
  WHERE /* work_items but for id, operation, project_id, number, reference, state, state_category, status, created_by_key,
    created_at, updated_at, state_changed_at, started_at, finished_at, version */ (NEW.*) IS NOT (OLD.*);
END;

-- A public comment.
CREATE TRIGGER comment_event_insert AFTER INSERT ON work_item_comments WHEN NEW.is_internal = 0 BEGIN
  INSERT INTO events (type, resource, record_id, related)
  VALUES ('work_item.commented', 'comment', NEW.id, json_object('work_item_id', NEW.work_item_id));
END;

-- A sprint, started or completed.
CREATE TRIGGER sprint_event_update AFTER UPDATE OF status ON sprints
WHEN NEW.status <> OLD.status AND NEW.status IN ('active', 'completed') BEGIN
  INSERT INTO events (type, resource, record_id, previous) VALUES (
    iif(NEW.status = 'active', 'sprint.started', 'sprint.completed'), 'sprint', NEW.id, json_object('status', OLD.status)
  );
END;

-- A milestone, in another status.
CREATE TRIGGER milestone_event_update AFTER UPDATE OF status ON milestones WHEN NEW.status <> OLD.status BEGIN
  INSERT INTO events (type, resource, record_id, previous)
  VALUES ('milestone.changed', 'milestone', NEW.id, json_object('status', OLD.status));
END;

-- A lead that is erased is erased from its events.
CREATE TRIGGER erased_lead_leaves_no_event AFTER DELETE ON leads BEGIN
  UPDATE events SET snapshot = NULL WHERE resource = 'lead' AND record_id = CAST(OLD.id AS TEXT);
END;

-- An application that is erased is erased from its events.
CREATE TRIGGER erased_application_leaves_no_event AFTER DELETE ON applications BEGIN
  UPDATE events SET snapshot = NULL WHERE resource = 'application' AND record_id = CAST(OLD.id AS TEXT);
END;

-- The same for the content of a message.
CREATE TRIGGER erased_content_leaves_no_event AFTER UPDATE OF content ON messages
WHEN OLD.content IS NOT NULL AND NEW.content IS NULL BEGIN
  UPDATE events SET snapshot = NULL WHERE resource = 'message' AND record_id = OLD.id;
END;

-- The same for a whole message.
CREATE TRIGGER erased_message_leaves_no_event AFTER DELETE ON messages BEGIN
  UPDATE events SET snapshot = NULL WHERE resource = 'message' AND record_id = OLD.id;
END;

-- A message to the company.
CREATE TRIGGER inbound_event_insert AFTER INSERT ON inbound_messages BEGIN
  INSERT INTO events (type, resource, record_id) VALUES ('message.received', 'inbound_message', NEW.id);
END;

-- The same for the text of a message to the company.
CREATE TRIGGER erased_inbound_text_leaves_no_event AFTER UPDATE OF text ON inbound_messages
WHEN OLD.text IS NOT NULL AND NEW.text IS NULL BEGIN
  UPDATE events SET snapshot = NULL WHERE resource = 'inbound_message' AND record_id = OLD.id;
END;

-- The same for a whole message to the company.
CREATE TRIGGER erased_inbound_message_leaves_no_event AFTER DELETE ON inbound_messages BEGIN
  UPDATE events SET snapshot = NULL WHERE resource = 'inbound_message' AND record_id = OLD.id;
END;

-- A person, erased.
CREATE TRIGGER person_erasure_event_insert AFTER INSERT ON person_erasures BEGIN
  INSERT INTO events (type, resource, record_id) VALUES ('person.erased', 'erasure', NEW.id);
END;

-- A customer, changed or removed.
CREATE TRIGGER customer_event_update AFTER UPDATE ON customers
WHEN OLD.is_customer = 1 AND OLD.deleted_at IS NULL BEGIN
  INSERT INTO events (type, resource, record_id) SELECT 'customer.deleted', 'customer', NEW.id
  WHERE NEW.is_customer = 0 OR NEW.deleted_at IS NOT NULL
  UNION ALL SELECT 'customer.updated', 'customer', NEW.id
  WHERE NEW.is_customer = 1 AND NEW.deleted_at IS NULL
    AND /* customers but for id, operation, email_lower, phone_digits, phone_last9, created_via, is_customer, deleted_at,
    created_at, updated_at */ (NEW.*) IS NOT (OLD.*);
END;
