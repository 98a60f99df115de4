-- Whom notifications reach, and in which language. An instructor's address and number are the school's own: no visitor reads them.
ALTER TABLE instructors ADD COLUMN email TEXT;
ALTER TABLE instructors ADD COLUMN phone TEXT;

-- Null: the company's.
ALTER TABLE customers ADD COLUMN language TEXT CONSTRAINT customer_language CHECK (language IN ('en', 'hi'));

-- As before, and it tells of the language too.
DROP TRIGGER customer_event_update;
CREATE TRIGGER customer_event_update AFTER UPDATE ON customers
WHEN OLD.is_customer = 1 AND OLD.deleted_at IS NULL BEGIN
  INSERT INTO events (type, resource, record_id) SELECT 'customer.deleted', 'customer', NEW.id
  WHERE NEW.is_customer = 0 OR NEW.deleted_at IS NOT NULL
  UNION ALL SELECT 'customer.updated', 'customer', NEW.id
  WHERE NEW.is_customer = 1 AND NEW.deleted_at IS NULL AND (
    NEW.name, NEW.display_name, NEW.email, NEW.phone, NEW.company_name, NEW.gstin, NEW.gst_category, NEW.pan, NEW.address,
    NEW.city, NEW.state, NEW.state_code, NEW.pincode, NEW.country, NEW.shipping_address, NEW.currency,
    NEW.payment_terms_days, NEW.notes, NEW.metadata, NEW.is_vendor, NEW.language
  ) IS NOT (
    OLD.name, OLD.display_name, OLD.email, OLD.phone, OLD.company_name, OLD.gstin, OLD.gst_category, OLD.pan, OLD.address,
    OLD.city, OLD.state, OLD.state_code, OLD.pincode, OLD.country, OLD.shipping_address, OLD.currency,
    OLD.payment_terms_days, OLD.notes, OLD.metadata, OLD.is_vendor, OLD.language
  );
END;
