-- What every company database starts with: the write path's own tables, the books, customers and invoices.
-- Units: money in minor units (paise, cents), unit prices in 1/10,000, quantities in 1/1,000, rates in 1/1,000 of a
-- percent, times in epoch milliseconds, dates as YYYY-MM-DD. Names of CHECKs and texts of RAISE are problem codes.

CREATE TABLE operations (
  scope TEXT PRIMARY KEY,
  fingerprint TEXT NOT NULL,
  snapshot TEXT,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX operations_expires_at ON operations (expires_at);

CREATE TABLE refusal (code TEXT NOT NULL) STRICT;

CREATE TRIGGER refusal_aborts BEFORE INSERT ON refusal BEGIN
  SELECT CASE NEW.code
    WHEN 'not_found' THEN RAISE(ABORT, 'not_found')
  END;
  SELECT RAISE(ABORT, 'unknown_refusal');
END;

CREATE TABLE audit_log (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at INTEGER NOT NULL,
  actor TEXT NOT NULL,
  action TEXT NOT NULL,
  record TEXT NOT NULL,
  request_id TEXT NOT NULL
) STRICT;

CREATE INDEX audit_log_record ON audit_log (record, id);

CREATE TRIGGER audit_log_is_append_only_update BEFORE UPDATE ON audit_log BEGIN
  SELECT RAISE(ABORT, 'append_only');
END;

CREATE TRIGGER audit_log_is_append_only_delete BEFORE DELETE ON audit_log BEGIN
  SELECT RAISE(ABORT, 'append_only');
END;

-- A number is taken inside the batch that uses it, so a batch that fails leaves no gap.
CREATE TABLE number_series (
  series TEXT NOT NULL,
  period TEXT NOT NULL,
  last INTEGER NOT NULL,
  PRIMARY KEY (series, period),
  CONSTRAINT number_exhausted CHECK (last BETWEEN 0 AND 999999)
) STRICT, WITHOUT ROWID;

CREATE TABLE profile (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  gstin TEXT,
  state TEXT,
  state_code TEXT,
  address TEXT,
  email TEXT,
  invoice_prefix TEXT NOT NULL DEFAULT 'INV',
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  CONSTRAINT one_profile CHECK (id = 1)
) STRICT;

CREATE TABLE units (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  code TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL
) STRICT;

CREATE TABLE locations (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  operation TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  type TEXT NOT NULL,
  city TEXT,
  state TEXT,
  postcode TEXT,
  latitude REAL,
  longitude REAL,
  operating_hours TEXT,
  is_active INTEGER NOT NULL DEFAULT 1,
  deleted_at INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  CONSTRAINT location_flags CHECK (is_active IN (0, 1))
) STRICT;

CREATE INDEX locations_by_name ON locations (name, id) WHERE is_active = 1 AND deleted_at IS NULL;

-- The books -----------------------------------------------------------------------------------------------------

CREATE TABLE accounts (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  code TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  type TEXT NOT NULL,
  parent_id INTEGER REFERENCES accounts (id),
  party_type TEXT,
  party_id INTEGER,
  is_active INTEGER NOT NULL DEFAULT 1,
  deleted_at INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  CONSTRAINT account_type CHECK (type IN ('asset', 'liability', 'equity', 'income', 'expense')),
  CONSTRAINT account_flags CHECK (is_active IN (0, 1)),
  CONSTRAINT account_party CHECK ((party_type IS NULL) = (party_id IS NULL))
) STRICT;

CREATE UNIQUE INDEX accounts_name ON accounts (name) WHERE deleted_at IS NULL;
CREATE UNIQUE INDEX accounts_party ON accounts (party_type, party_id) WHERE party_id IS NOT NULL AND deleted_at IS NULL;

CREATE TABLE financial_years (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL UNIQUE,
  start_date TEXT NOT NULL,
  end_date TEXT NOT NULL,
  is_closed INTEGER NOT NULL DEFAULT 0,
  CONSTRAINT financial_year_flags CHECK (is_closed IN (0, 1)),
  CONSTRAINT financial_year_order CHECK (start_date < end_date)
) STRICT;

CREATE TABLE journal_entries (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  operation TEXT NOT NULL,
  ordinal INTEGER NOT NULL,
  entry_number TEXT NOT NULL UNIQUE,
  entry_date TEXT NOT NULL,
  voucher_type TEXT NOT NULL,
  source_type TEXT NOT NULL,
  source_id INTEGER NOT NULL,
  status TEXT NOT NULL DEFAULT 'draft',
  reversal_of INTEGER UNIQUE REFERENCES journal_entries (id),
  narration TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  UNIQUE (operation, ordinal),
  CONSTRAINT journal_entry_status CHECK (status IN ('draft', 'posted', 'voided'))
) STRICT;

CREATE UNIQUE INDEX journal_entries_source ON journal_entries (source_type, source_id, voucher_type)
  WHERE reversal_of IS NULL;
CREATE INDEX journal_entries_drafts ON journal_entries (id) WHERE status = 'draft';

CREATE TABLE journal_lines (
  entry_id INTEGER NOT NULL REFERENCES journal_entries (id),
  position INTEGER NOT NULL,
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  debit INTEGER NOT NULL DEFAULT 0,
  credit INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (entry_id, position),
  CONSTRAINT journal_line_sides CHECK (debit >= 0 AND credit >= 0 AND (debit = 0) <> (credit = 0))
) STRICT, WITHOUT ROWID;

CREATE INDEX journal_lines_account ON journal_lines (account_id, entry_id);

CREATE TRIGGER journal_entry_starts_as_draft BEFORE INSERT ON journal_entries
WHEN NEW.status <> 'draft' BEGIN
  SELECT RAISE(ABORT, 'entry_not_draft');
END;

CREATE TRIGGER journal_entry_posts_balanced BEFORE UPDATE OF status ON journal_entries
WHEN OLD.status = 'draft' AND NEW.status <> 'draft' BEGIN
  SELECT RAISE(ABORT, 'unbalanced_entry')
  WHERE NEW.status <> 'posted'
    OR (SELECT count(*) FROM journal_lines WHERE entry_id = NEW.id) < 2
    OR (SELECT sum(debit) <> sum(credit) FROM journal_lines WHERE entry_id = NEW.id);
END;

-- A posted entry changes no more, except that its reversal marks it voided.
CREATE TRIGGER journal_entry_is_immutable BEFORE UPDATE ON journal_entries
WHEN OLD.status <> 'draft' AND NOT (
  OLD.status = 'posted' AND NEW.status = 'voided' AND NEW.id = OLD.id AND NEW.entry_number = OLD.entry_number
  AND NEW.entry_date = OLD.entry_date AND NEW.voucher_type = OLD.voucher_type
  AND NEW.source_type = OLD.source_type AND NEW.source_id = OLD.source_id
  AND NEW.reversal_of IS OLD.reversal_of AND NEW.narration = OLD.narration
  AND NEW.created_at = OLD.created_at AND NEW.operation = OLD.operation AND NEW.ordinal = OLD.ordinal
) BEGIN
  SELECT RAISE(ABORT, 'entry_is_posted');
END;

CREATE TRIGGER journal_entry_is_not_deleted BEFORE DELETE ON journal_entries BEGIN
  SELECT RAISE(ABORT, 'entry_is_posted');
END;

CREATE TRIGGER journal_line_joins_a_draft BEFORE INSERT ON journal_lines
WHEN (SELECT status FROM journal_entries WHERE id = NEW.entry_id) IS NOT 'draft' BEGIN
  SELECT RAISE(ABORT, 'entry_is_posted');
END;

CREATE TRIGGER journal_line_is_immutable BEFORE UPDATE ON journal_lines BEGIN
  SELECT RAISE(ABORT, 'entry_is_posted');
END;

CREATE TRIGGER journal_line_is_not_deleted BEFORE DELETE ON journal_lines BEGIN
  SELECT RAISE(ABORT, 'entry_is_posted');
END;

-- The chart of accounts that every company starts with; each customer gets an account under 1100.
INSERT INTO accounts (code, name, type, created_at, updated_at)
SELECT column1, column2, column3, applied_at, applied_at
FROM (VALUES
  ('1010', 'Cash', 'asset'),
  ('1020', 'Bank', 'asset'),
  ('1030', 'Razorpay Clearing', 'asset'),
  ('1031', 'Stripe Clearing', 'asset'),
  ('1032', 'PayPal Clearing', 'asset'),
  ('1100', 'Sundry Debtors', 'asset'),
  ('1200', 'TDS Receivable', 'asset'),
  ('1300', 'Stock-in-Hand', 'asset'),
  ('2100', 'Output CGST', 'liability'),
  ('2110', 'Output SGST', 'liability'),
  ('2120', 'Output IGST', 'liability'),
  ('3000', 'Capital', 'equity'),
  ('3900', 'Opening Balance Equity', 'equity'),
  ('4000', 'Sales', 'income'),
  ('4010', 'Shipping Income', 'income'),
  ('5000', 'Cost of Goods Sold', 'expense'),
  ('5100', 'Stock Adjustment', 'expense'),
  ('5200', 'Round Off', 'expense'),
  ('5300', 'Payment Gateway Charges', 'expense')
), (SELECT max(applied_at) AS applied_at FROM migrations);

-- Unit quantity codes (UQC) of the GST returns.
INSERT INTO units (code, name) VALUES
  ('NOS', 'Numbers'), ('PCS', 'Pieces'), ('UNT', 'Units'), ('SET', 'Sets'), ('PRS', 'Pairs'), ('DOZ', 'Dozens'),
  ('BOX', 'Boxes'), ('PAC', 'Packs'), ('CTN', 'Cartons'), ('BAG', 'Bags'), ('BTL', 'Bottles'), ('CAN', 'Cans'),
  ('ROL', 'Rolls'), ('BDL', 'Bundles'), ('GMS', 'Grammes'), ('KGS', 'Kilograms'), ('QTL', 'Quintals'),
  ('MTS', 'Metric tons'), ('TON', 'Tonnes'), ('MLT', 'Millilitres'), ('LTR', 'Litres'), ('KLR', 'Kilolitres'),
  ('CMS', 'Centimetres'), ('MTR', 'Metres'), ('KME', 'Kilometres'), ('SQF', 'Square feet'), ('SQM', 'Square metres'),
  ('SQY', 'Square yards'), ('CBM', 'Cubic metres'), ('YDS', 'Yards'), ('TBS', 'Tablets'), ('TUB', 'Tubes'),
  ('THD', 'Thousands'), ('HRS', 'Hours'), ('OTH', 'Others');

-- Customers -----------------------------------------------------------------------------------------------------

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

CREATE VIRTUAL TABLE customers_search USING fts5 (name, email, phone, phone_digits, content = '', contentless_delete = 1, tokenize = 'trigram');

CREATE TRIGGER customers_search_insert AFTER INSERT ON customers BEGIN
  INSERT INTO customers_search (rowid, name, email, phone, phone_digits)
  VALUES (NEW.id, NEW.name, NEW.email, NEW.phone, NEW.phone_digits);
END;

CREATE TRIGGER customers_search_update AFTER UPDATE OF name, email, phone, phone_digits, deleted_at, is_customer ON customers BEGIN
  DELETE FROM customers_search WHERE rowid = OLD.id;
  INSERT INTO customers_search (rowid, name, email, phone, phone_digits)
  SELECT NEW.id, NEW.name, NEW.email, NEW.phone, NEW.phone_digits
  WHERE NEW.deleted_at IS NULL AND NEW.is_customer = 1;
END;

-- Invoices ------------------------------------------------------------------------------------------------------

CREATE TABLE invoices (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  operation TEXT NOT NULL UNIQUE,
  invoice_number TEXT NOT NULL UNIQUE,
  status TEXT NOT NULL,
  currency TEXT NOT NULL,
  customer_id INTEGER NOT NULL REFERENCES customers (id),
  customer TEXT NOT NULL,
  seller TEXT NOT NULL,
  invoice_date TEXT NOT NULL,
  due_date TEXT NOT NULL,
  financial_year TEXT NOT NULL,
  place_of_supply_code TEXT,
  place_of_supply_name TEXT,
  supply_type TEXT NOT NULL,
  sub_total INTEGER NOT NULL,
  discount_total INTEGER NOT NULL,
  taxable_total INTEGER NOT NULL,
  cgst_total INTEGER NOT NULL,
  sgst_total INTEGER NOT NULL,
  igst_total INTEGER NOT NULL,
  tax_total INTEGER NOT NULL,
  round_off INTEGER NOT NULL,
  total_amount INTEGER NOT NULL,
  amount_paid INTEGER NOT NULL DEFAULT 0,
  tds_amount INTEGER NOT NULL DEFAULT 0,
  amount_due INTEGER NOT NULL,
  payment_status TEXT GENERATED ALWAYS AS (
    CASE
      WHEN status = 'voided' THEN 'unpaid'
      WHEN amount_due = 0 THEN 'paid'
      WHEN amount_due = total_amount THEN 'unpaid'
      ELSE 'partial'
    END
  ) VIRTUAL,
  source TEXT NOT NULL DEFAULT 'api',
  sales_order_id INTEGER,
  reference_number TEXT,
  notes TEXT,
  terms TEXT,
  metadata TEXT NOT NULL DEFAULT '{}',
  public_token TEXT NOT NULL UNIQUE,
  sent_at INTEGER,
  voided_at INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  CONSTRAINT invoice_status CHECK (status IN ('draft', 'sent', 'voided')),
  CONSTRAINT amount_exceeds_due CHECK (amount_due >= 0),
  CONSTRAINT invoice_tax_identity CHECK (tax_total = cgst_total + sgst_total + igst_total),
  CONSTRAINT invoice_taxable_identity CHECK (taxable_total = sub_total - discount_total),
  CONSTRAINT invoice_total_identity CHECK (total_amount = taxable_total + tax_total + round_off),
  CONSTRAINT invoice_due_identity CHECK (
    CASE WHEN status = 'voided' THEN amount_paid = 0 AND tds_amount = 0 AND amount_due = 0
      ELSE amount_due = total_amount - amount_paid - tds_amount END
  ),
  CONSTRAINT invoice_metadata CHECK (json_valid(metadata) AND json_valid(customer) AND json_valid(seller))
) STRICT;

CREATE INDEX invoices_live ON invoices (id) WHERE status <> 'voided';
CREATE INDEX invoices_customer ON invoices (customer_id, id) WHERE status <> 'voided';
CREATE INDEX invoices_payment_status ON invoices (payment_status, id) WHERE status <> 'voided';
CREATE INDEX invoices_customer_payment_status ON invoices (customer_id, payment_status, id) WHERE status <> 'voided';

CREATE TABLE invoice_items (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  invoice_id INTEGER NOT NULL REFERENCES invoices (id),
  position INTEGER NOT NULL,
  product_id INTEGER,
  item_name TEXT NOT NULL,
  description TEXT,
  hsn_sac_code TEXT,
  quantity INTEGER NOT NULL,
  unit TEXT NOT NULL,
  unit_price INTEGER NOT NULL,
  discount_amount INTEGER NOT NULL,
  taxable_value INTEGER NOT NULL,
  tax_rate INTEGER NOT NULL,
  cgst_amount INTEGER NOT NULL,
  sgst_amount INTEGER NOT NULL,
  igst_amount INTEGER NOT NULL,
  UNIQUE (invoice_id, position)
) STRICT;

CREATE TRIGGER invoice_needs_a_live_customer BEFORE INSERT ON invoices
WHEN NOT EXISTS (SELECT 1 FROM customers WHERE id = NEW.customer_id AND is_customer = 1 AND deleted_at IS NULL) BEGIN
  SELECT RAISE(ABORT, 'customer_gone');
END;

CREATE TRIGGER customer_with_dependents_stays BEFORE UPDATE OF is_customer, deleted_at ON customers
WHEN (NEW.deleted_at IS NOT NULL OR NEW.is_customer = 0) AND (
  EXISTS (SELECT 1 FROM invoices WHERE customer_id = OLD.id AND status <> 'voided')
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

CREATE TRIGGER customer_is_not_deleted BEFORE DELETE ON customers BEGIN
  SELECT RAISE(ABORT, 'customer_has_dependents');
END;
