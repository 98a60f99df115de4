-- Customers. They are removed by marking them.

CREATE TABLE customers (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  operation TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  display_name TEXT,
  email TEXT,
  email_lower TEXT,
  phone TEXT,
  phone_digits TEXT,
  phone_last9 TEXT,
  company_name TEXT,
  gstin TEXT,
  gst_category TEXT NOT NULL,
  pan TEXT,
  address TEXT,
  city TEXT,
  state TEXT NOT NULL,
  state_code TEXT,
  pincode TEXT NOT NULL,
  country TEXT NOT NULL,
  shipping_address TEXT,
  currency TEXT NOT NULL,
  payment_terms_days INTEGER NOT NULL DEFAULT 0,
  notes TEXT,
  metadata TEXT NOT NULL DEFAULT '{}',
  created_via TEXT NOT NULL DEFAULT 'api',
  is_customer INTEGER NOT NULL DEFAULT 1,
  is_vendor INTEGER NOT NULL DEFAULT 0,
  deleted_at INTEGER,
  -- The language of notifications; null: the company's.
  language TEXT CONSTRAINT customer_language CHECK (language IN ('en', 'hi')),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  CONSTRAINT customer_flags CHECK (is_customer IN (0, 1) AND is_vendor IN (0, 1)),
  CONSTRAINT customer_metadata CHECK (json_valid(metadata)),
  CONSTRAINT gstin_state_mismatch CHECK (
    gstin IS NULL OR state_code IS NULL OR substr(gstin, 1, 2) IN ('97', '99', state_code)
  )
) STRICT;

CREATE UNIQUE INDEX customers_gstin ON customers (gstin)
  WHERE gstin IS NOT NULL AND is_customer = 1 AND deleted_at IS NULL;
CREATE INDEX customers_email ON customers (email_lower) WHERE is_customer = 1 AND deleted_at IS NULL;
CREATE INDEX customers_phone ON customers (phone_last9) WHERE is_customer = 1 AND deleted_at IS NULL;

-- For finding a person. Digits are compared by their last nine first, and then as whole numbers.
CREATE INDEX customers_any_email ON customers (email_lower) WHERE email_lower IS NOT NULL;
CREATE INDEX customers_any_phone ON customers (phone_last9) WHERE phone_last9 IS NOT NULL;

-- The search finds a new customer.
CREATE TRIGGER customers_search_insert AFTER INSERT ON customers BEGIN
  INSERT INTO customers_search (rowid, name, email, phone, phone_digits)
  VALUES (NEW.id, NEW.name, NEW.email, NEW.phone, NEW.phone_digits);
END;

-- The search finds a changed customer by its new values, and a removed one no longer.
CREATE TRIGGER customers_search_update AFTER UPDATE OF name, email, phone, phone_digits, deleted_at, is_customer ON customers BEGIN
  DELETE FROM customers_search WHERE rowid = OLD.id;
  INSERT INTO customers_search (rowid, name, email, phone, phone_digits)
  SELECT NEW.id, NEW.name, NEW.email, NEW.phone, NEW.phone_digits
  WHERE NEW.deleted_at IS NULL AND NEW.is_customer = 1;
END;

-- A customer with invoices or postings that stand is not removed.
CREATE TRIGGER customer_with_dependents_stays BEFORE UPDATE OF is_customer, deleted_at ON customers
WHEN (NEW.deleted_at IS NOT NULL OR NEW.is_customer = 0) AND (
  EXISTS (SELECT 1 FROM invoices WHERE customer_id = OLD.id AND status <> 'voided')
  OR EXISTS (SELECT 1 FROM invoices WHERE customer_id = OLD.id AND status = 'voided')
  OR EXISTS (
    SELECT 1 FROM accounts
    JOIN journal_lines ON journal_lines.account_id = accounts.id
    JOIN journal_entries ON journal_entries.id = journal_lines.entry_id
    WHERE accounts.party_type = 'customer' AND accounts.party_id = OLD.id
      AND journal_entries.status = 'posted' AND journal_entries.reversal_of IS NULL
  )
) BEGIN
  SELECT RAISE(ABORT, 'customer_has_dependents');
END;

-- No customer's row is deleted.
CREATE TRIGGER customer_is_not_deleted BEFORE DELETE ON customers BEGIN
  SELECT RAISE(ABORT, 'customer_has_dependents');
END;

-- A customer whose payment is awaited stays: the invoice will be made out to it.
CREATE TRIGGER customer_with_open_orders_stays BEFORE UPDATE OF is_customer, deleted_at ON customers
WHEN (NEW.deleted_at IS NOT NULL OR NEW.is_customer = 0)
  AND EXISTS (SELECT 1 FROM sales_orders WHERE customer_id = OLD.id AND status = 'draft') BEGIN
  SELECT RAISE(ABORT, 'customer_has_dependents');
END;

CREATE VIRTUAL TABLE customers_search USING fts5 (name, email, phone, phone_digits, content = '', contentless_delete = 1, tokenize = 'trigram');
