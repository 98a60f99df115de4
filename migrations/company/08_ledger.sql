-- The books: accounts, and entries that balance and are never rewritten.

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
  -- Names an account of the service's own chart: it may be renamed or switched off, but not removed.
  system_key TEXT UNIQUE,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  CONSTRAINT account_type CHECK (type IN ('asset', 'liability', 'equity', 'income', 'expense')),
  CONSTRAINT account_flags CHECK (is_active IN (0, 1)),
  CONSTRAINT account_party CHECK ((party_type IS NULL) = (party_id IS NULL))
) STRICT;

CREATE UNIQUE INDEX accounts_name ON accounts (name) WHERE deleted_at IS NULL;
CREATE UNIQUE INDEX accounts_party ON accounts (party_type, party_id) WHERE party_id IS NOT NULL AND deleted_at IS NULL;

-- The chart of accounts that every company starts with; each customer gets an account under 1100.
INSERT INTO accounts (code, name, type, system_key, created_at, updated_at)
SELECT column1, column2, column3, column4, applied_at, applied_at
FROM (VALUES
  ('1010', 'Cash', 'asset', 'cash'),
  ('1020', 'Bank', 'asset', 'bank'),
  ('1030', 'Razorpay Clearing', 'asset', 'razorpay_clearing'),
  ('1031', 'Stripe Clearing', 'asset', 'stripe_clearing'),
  ('1032', 'PayPal Clearing', 'asset', 'paypal_clearing'),
  ('1100', 'Sundry Debtors', 'asset', 'sundry_debtors'),
  ('1200', 'TDS Receivable', 'asset', 'tds_receivable'),
  ('1210', 'Input GST', 'asset', 'input_gst'),
  ('1300', 'Stock-in-Hand', 'asset', 'stock_in_hand'),
  ('2100', 'Output CGST', 'liability', 'output_cgst'),
  ('2110', 'Output SGST', 'liability', 'output_sgst'),
  ('2120', 'Output IGST', 'liability', 'output_igst'),
  ('2200', 'Customer Advances', 'liability', 'customer_advances'),
  ('2210', 'Unearned Lesson Income', 'liability', 'unearned_lesson_income'),
  ('3000', 'Capital', 'equity', 'capital'),
  ('3900', 'Opening Balance Equity', 'equity', 'opening_balance_equity'),
  ('4000', 'Sales', 'income', 'sales'),
  ('4010', 'Shipping Income', 'income', 'shipping_income'),
  ('4020', 'Lesson Income', 'income', 'lesson_income'),
  ('5000', 'Cost of Goods Sold', 'expense', 'cost_of_goods_sold'),
  ('5100', 'Stock Adjustment', 'expense', 'stock_adjustment'),
  ('5200', 'Round Off', 'expense', 'round_off'),
  ('5300', 'Payment Gateway Charges', 'expense', 'gateway_charges')
), (SELECT max(applied_at) AS applied_at FROM migrations);

-- Outside India the accounts of tax bear the label of the tax, unless the company renamed them.
CREATE TRIGGER tax_label_names_accounts AFTER UPDATE OF tax_label ON profile
WHEN NEW.tax_label IS NOT OLD.tax_label BEGIN
  UPDATE OR IGNORE accounts SET name = 'Output ' || coalesce(NEW.tax_label, 'Tax'), updated_at = NEW.updated_at
  WHERE system_key = 'output_igst' AND name = 'Output ' || coalesce(OLD.tax_label, 'Tax');
  UPDATE OR IGNORE accounts SET name = 'Input ' || coalesce(NEW.tax_label, 'Tax'), updated_at = NEW.updated_at
  WHERE system_key = 'input_gst' AND name = 'Input ' || coalesce(OLD.tax_label, 'Tax');
END;

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

-- Through which day the books are locked, and through which month the GST return is filed. Null: not at all.
CREATE TABLE books_settings (
  id INTEGER PRIMARY KEY,
  locked_through TEXT,
  -- When the lock was last set.
  locked_at INTEGER,
  gst_filed_through TEXT,
  CONSTRAINT one_row_of_books_settings CHECK (id = 1),
  CONSTRAINT books_lock CHECK (locked_through IS NULL OR locked_at IS NOT NULL)
) STRICT;

INSERT INTO books_settings (id) VALUES (1);

-- A locked period takes no entry. What the service dates itself, such as a reversal, is of today, which is never locked.
CREATE TRIGGER locked_period_takes_no_entry BEFORE INSERT ON journal_entries
WHEN NEW.entry_date <= (SELECT locked_through FROM books_settings) BEGIN
  SELECT RAISE(ABORT, 'period_locked');
END;

-- An entry begins as a draft, which its lines join.
CREATE TRIGGER journal_entry_starts_as_draft BEFORE INSERT ON journal_entries
WHEN NEW.status <> 'draft' BEGIN
  SELECT RAISE(ABORT, 'entry_not_draft');
END;

-- A draft is posted with two lines or more, if debits equal credits.
CREATE TRIGGER journal_entry_posts_balanced BEFORE UPDATE OF status ON journal_entries
WHEN OLD.status = 'draft' AND NEW.status <> 'draft' BEGIN
  SELECT RAISE(ABORT, 'unbalanced_entry')
  WHERE NEW.status <> 'posted'
    OR (SELECT count(*) FROM journal_lines WHERE entry_id = NEW.id) < 2
    OR (SELECT sum(debit) <> sum(credit) FROM journal_lines WHERE entry_id = NEW.id);
END;

-- A posted entry never changes, except that its reversal marks it voided.
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

-- No entry is deleted.
CREATE TRIGGER journal_entry_is_not_deleted BEFORE DELETE ON journal_entries BEGIN
  SELECT RAISE(ABORT, 'entry_is_posted');
END;

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

-- A line joins only a draft.
CREATE TRIGGER journal_line_joins_a_draft BEFORE INSERT ON journal_lines
WHEN (SELECT status FROM journal_entries WHERE id = NEW.entry_id) IS NOT 'draft' BEGIN
  SELECT RAISE(ABORT, 'entry_is_posted');
END;

-- A line never changes.
CREATE TRIGGER journal_line_is_immutable BEFORE UPDATE ON journal_lines BEGIN
  SELECT RAISE(ABORT, 'entry_is_posted');
END;

-- No line is deleted.
CREATE TRIGGER journal_line_is_not_deleted BEFORE DELETE ON journal_lines BEGIN
  SELECT RAISE(ABORT, 'entry_is_posted');
END;

-- An entry with its lines, posted by one INSERT: a statement that is sent whole costs more than one that is known here.
-- `lines` is JSON of `{of or key or id, debit, credit}`; `year_*` names the financial year to open, if any.
CREATE VIEW journal_postings (
  operation, ordinal, period, entry_date, voucher_type, source_type, source_id, narration, created_at,
  year_name, year_start, year_end, customer_id, lines
) AS VALUES (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- Each NULL that is inserted here is refused by its table: a date in no open year, and an account that is not there.
CREATE TRIGGER posting_is_written INSTEAD OF INSERT ON journal_postings BEGIN
  INSERT INTO financial_years (name, start_date, end_date) SELECT NEW.year_name, NEW.year_start, NEW.year_end
  WHERE NEW.year_name IS NOT NULL ON CONFLICT (name) DO NOTHING;
  INSERT INTO number_series (series, period, last) VALUES ('journal', NEW.period, 1)
  ON CONFLICT (series, period) DO UPDATE SET last = last + 1;
  INSERT INTO journal_entries (
    operation, ordinal, entry_number, entry_date, voucher_type, source_type, source_id, narration, created_at
  ) VALUES (
    NEW.operation, NEW.ordinal, 'JV/' || NEW.period || '/' || printf('%05d', (
      SELECT last FROM number_series WHERE series = 'journal' AND period = NEW.period
    )), CASE WHEN EXISTS (
      SELECT 1 FROM financial_years WHERE NEW.entry_date BETWEEN start_date AND end_date AND is_closed = 0
    ) THEN NEW.entry_date END, NEW.voucher_type, NEW.source_type, NEW.source_id, NEW.narration, NEW.created_at
  );
  INSERT INTO journal_lines (entry_id, position, account_id, debit, credit)
  SELECT entry.id, line.key + 1, account.id, line.value ->> '$.debit', line.value ->> '$.credit'
  FROM journal_entries AS entry CROSS JOIN json_each(NEW.lines) AS line
    LEFT JOIN accounts AS account ON account.is_active = 1 AND account.id = CASE
      WHEN line.value ->> '$.of' IS NOT NULL THEN (
        SELECT id FROM accounts WHERE party_type = 'customer' AND party_id = NEW.customer_id AND deleted_at IS NULL
      )
      ELSE coalesce(line.value ->> '$.id', (SELECT id FROM accounts WHERE system_key = line.value ->> '$.key'))
    END
  WHERE entry.operation = NEW.operation AND entry.ordinal = NEW.ordinal;
  UPDATE journal_entries SET status = 'posted' WHERE operation = NEW.operation AND ordinal = NEW.ordinal;
END;

-- Invoices, payments and advances without a journal entry, and why; not those that no longer need one.
CREATE TABLE unposted (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  source_type TEXT NOT NULL,
  source_id INTEGER NOT NULL,
  voucher_type TEXT NOT NULL,
  reason TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  UNIQUE (source_type, source_id, voucher_type),
  CONSTRAINT unposted_reason CHECK (
    reason IN (
      'no_financial_year', 'account_missing', 'account_inactive', 'no_exchange_rate', 'other_currency', 'period_locked',
      'invoice_unposted'
    )
  )
) STRICT;
