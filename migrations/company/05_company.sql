-- The company's profile and its employees.

CREATE TABLE profile (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  gstin TEXT,
  state TEXT,
  state_code TEXT,
  address TEXT,
  email TEXT,
  invoice_prefix TEXT NOT NULL DEFAULT 'INV',
  credit_note_prefix TEXT NOT NULL DEFAULT 'CN',
  phone TEXT,
  logo_url TEXT,
  -- The file fetched from there: papers show it, and load nothing from elsewhere.
  logo_path TEXT UNIQUE,
  logo_type TEXT,
  upi_id TEXT,
  -- Whether the page of an unpaid invoice takes its payment, where a gateway does.
  invoices_payable_online INTEGER NOT NULL DEFAULT 1
    CONSTRAINT profile_payable_online CHECK (invoices_payable_online IN (0, 1)),
  allow_negative_stock INTEGER NOT NULL DEFAULT 0
    CONSTRAINT profile_flags CHECK (allow_negative_stock IN (0, 1)),
  -- The letter of undertaking under which supplies abroad and to special economic zones go without tax.
  lut_number TEXT,
  lut_valid_until TEXT,
  -- Whether it may charge GST, in India; null: not said, which a GSTIN says.
  gst_status TEXT CONSTRAINT profile_gst_status CHECK (gst_status IN ('registered', 'composition', 'unregistered')),
  -- Outside India: whether it is registered for the tax of its country, what that tax is called, and its number.
  tax_registered INTEGER CONSTRAINT profile_tax_registered CHECK (tax_registered IN (0, 1)),
  tax_label TEXT,
  tax_number TEXT,
  tax_number_label TEXT,
  -- Where a customer may transfer what is due.
  bank_name TEXT,
  bank_account_name TEXT,
  bank_account_number TEXT,
  bank_ifsc TEXT,
  bank_swift TEXT,
  -- The currency of the books, and the month in which the financial year starts, as at the company's creation.
  books_currency TEXT NOT NULL,
  financial_year_month INTEGER NOT NULL
    CONSTRAINT profile_financial_year_month CHECK (financial_year_month BETWEEN 1 AND 12),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  CONSTRAINT one_profile CHECK (id = 1),
  CONSTRAINT profile_logo CHECK ((logo_url IS NULL) = (logo_path IS NULL) AND (logo_path IS NULL) = (logo_type IS NULL)),
  CONSTRAINT gstin_required CHECK (gstin IS NOT NULL OR gst_status IS NULL OR gst_status = 'unregistered'),
  CONSTRAINT gstin_present CHECK (gstin IS NULL OR gst_status IS NOT 'unregistered'),
  CONSTRAINT prefixes_differ CHECK (upper(credit_note_prefix) <> upper(invoice_prefix))
) STRICT;

CREATE TRIGGER first_prefixes_are_taken AFTER INSERT ON profile BEGIN
  INSERT INTO number_prefixes (prefix, series)
  VALUES (NEW.invoice_prefix, 'invoice'), (NEW.credit_note_prefix, 'credit_note') ON CONFLICT DO NOTHING;
END;

CREATE TRIGGER prefix_stays_with_its_series AFTER UPDATE OF invoice_prefix, credit_note_prefix ON profile BEGIN
  SELECT RAISE(ABORT, 'invoice_prefix_taken')
  WHERE EXISTS (SELECT 1 FROM number_prefixes WHERE prefix = NEW.invoice_prefix AND series <> 'invoice');
  SELECT RAISE(ABORT, 'credit_note_prefix_taken')
  WHERE EXISTS (SELECT 1 FROM number_prefixes WHERE prefix = NEW.credit_note_prefix AND series <> 'credit_note');
  INSERT INTO number_prefixes (prefix, series)
  VALUES (NEW.invoice_prefix, 'invoice'), (NEW.credit_note_prefix, 'credit_note') ON CONFLICT DO NOTHING;
END;

-- Numbers hold the financial year and the books one currency, so both stay once a number was issued.
CREATE TRIGGER books_are_fixed BEFORE UPDATE OF books_currency, financial_year_month ON profile
WHEN (NEW.books_currency, NEW.financial_year_month) IS NOT (OLD.books_currency, OLD.financial_year_month)
  AND EXISTS (SELECT 1 FROM number_series) BEGIN
  SELECT RAISE(ABORT, 'books_are_fixed');
END;

-- An address that received notifications until a change gets a notice of it, at most once an hour. No setting turns it off.
CREATE TRIGGER changed_profile_receiver_is_notified AFTER UPDATE OF email, phone ON profile
WHEN lower(OLD.email) IS NOT lower(NEW.email) OR OLD.phone IS NOT NEW.phone BEGIN
  INSERT INTO notifications (rule, channel, recipient, resource, record_id, occasion, address, due_at)
  SELECT 'receiver_changed', former.channel, 'former', 'receiver', 'profile',
    (SELECT coalesce(max(id), 0) FROM notifications), former.address, NEW.updated_at
  FROM (SELECT 'email' AS channel, OLD.email AS address UNION ALL SELECT 'sms', OLD.phone
    WHERE OLD.phone IS NOT NEW.phone AND EXISTS (SELECT 1 FROM notification_rules WHERE sms = 1)) AS former
  WHERE former.address IS NOT NULL AND NOT EXISTS (SELECT 1 FROM notifications AS sent
    WHERE lower(sent.address) = lower(former.address) AND sent.due_at > NEW.updated_at - 3600000);
END;

CREATE TABLE employees (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  operation TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL COLLATE NOCASE,
  employee_code TEXT COLLATE NOCASE,
  designation TEXT,
  is_active INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  CONSTRAINT employee_flags CHECK (is_active IN (0, 1))
) STRICT;

CREATE UNIQUE INDEX employees_code ON employees (employee_code) WHERE employee_code IS NOT NULL;
CREATE INDEX employees_by_name ON employees (name, id) WHERE is_active = 1;
