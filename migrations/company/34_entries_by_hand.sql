-- Entries that staff write by hand: journal entries, opening balances, transfers between own accounts, expenses.

-- In India input tax is by head. A code or a name that the company has given to an account of its own stays with that: the
-- next free one is taken.
WITH RECURSIVE number (code) AS (SELECT 1211 UNION ALL SELECT code + 1 FROM number WHERE code < 1999),
free (code, place) AS (
  SELECT code, row_number() OVER (ORDER BY code) FROM number
  WHERE NOT EXISTS (SELECT 1 FROM accounts WHERE accounts.code = CAST(number.code AS TEXT))
)
INSERT INTO accounts (code, name, type, system_key, created_at, updated_at)
SELECT free.code, (
  SELECT candidate FROM (
    SELECT column2 AS candidate, 0 AS code UNION ALL SELECT column2 || ' (' || number.code || ')', number.code FROM number
  ) WHERE NOT EXISTS (SELECT 1 FROM accounts WHERE name = candidate AND deleted_at IS NULL) ORDER BY code LIMIT 1
), 'asset', column3, applied_at, applied_at
FROM (VALUES (1, 'Input CGST', 'input_cgst'), (2, 'Input SGST', 'input_sgst'), (3, 'Input IGST', 'input_igst'))
JOIN free ON free.place = column1, (SELECT max(applied_at) AS applied_at FROM migrations)
WHERE EXISTS (SELECT 1 FROM accounts WHERE system_key = 'output_cgst');

-- Beside each entry that was made by hand, what only such an entry has. The entry stands first, and names this row.
CREATE TABLE manual_entries (
  id INTEGER PRIMARY KEY,
  operation TEXT NOT NULL UNIQUE,
  -- The voucher type of its entry.
  kind TEXT NOT NULL,
  -- Whether it may use the accounts of tax heads: to set input tax off, and to pay the tax.
  tax_adjustment INTEGER NOT NULL DEFAULT 0,
  reference_number TEXT,
  supplier_name TEXT,
  supplier_gstin TEXT,
  -- JSON: the memo of each line, or null, in the order of the lines.
  memos TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  CONSTRAINT manual_entry_kind CHECK (kind IN ('journal', 'opening', 'transfer', 'expense')),
  CONSTRAINT manual_entry_flags CHECK (tax_adjustment IN (0, 1))
) STRICT;

CREATE INDEX manual_entries_opening ON manual_entries (id) WHERE kind = 'opening';

-- What no entry by hand may use, for documents prove the balances; the heads only to adjust tax.
CREATE VIEW control_accounts AS
SELECT id, coalesce(system_key GLOB '*put_*gst', 0) AS is_head FROM accounts
WHERE party_id IS NOT NULL OR system_key GLOB '*put_*gst'
  OR system_key IN ('sundry_debtors', 'customer_advances', 'unearned_lesson_income');

CREATE TRIGGER manual_entry_has_its_entry AFTER INSERT ON manual_entries BEGIN
  SELECT RAISE(ABORT, 'entry_missing') WHERE NOT EXISTS (
    SELECT 1 FROM journal_entries WHERE operation = NEW.operation AND ordinal = 0
      AND source_type = 'manual' AND source_id = NEW.id AND voucher_type = NEW.kind
  );
  SELECT RAISE(ABORT, 'control_account') WHERE EXISTS (
    SELECT 1 FROM journal_entries AS entry JOIN journal_lines ON entry_id = entry.id
    JOIN control_accounts AS control ON control.id = account_id
    WHERE operation = NEW.operation AND ordinal = 0
      AND NOT (is_head AND (NEW.tax_adjustment = 1 OR NEW.kind IN ('opening', 'expense')))
  );
END;

-- One opening balance stands.
CREATE TRIGGER opening_balance_is_one BEFORE INSERT ON manual_entries WHEN NEW.kind = 'opening' BEGIN
  SELECT RAISE(ABORT, 'opening_exists') WHERE EXISTS (
    SELECT 1 FROM manual_entries AS other CROSS JOIN journal_entries AS entry INDEXED BY journal_entries_source
      ON source_type = 'manual' AND source_id = other.id AND voucher_type = 'opening' AND reversal_of IS NULL
    WHERE other.kind = 'opening' AND status = 'posted'
  );
END;

CREATE TRIGGER manual_entry_is_immutable BEFORE UPDATE ON manual_entries BEGIN
  SELECT RAISE(ABORT, 'append_only');
END;
CREATE TRIGGER manual_entry_is_not_deleted BEFORE DELETE ON manual_entries BEGIN
  SELECT RAISE(ABORT, 'append_only');
END;

-- What gateways took and no entry has brought into their clearing accounts: it may be paid out all the same.
CREATE VIEW unposted_receipts AS
SELECT gateway, currency, advance.amount FROM unposted
JOIN advances AS advance ON source_type = 'advance' AND advance.id = source_id AND kind IN ('received', 'fee')
JOIN gateway_captures AS capture ON capture.id = capture_id
UNION ALL
SELECT gateway, currency, amount FROM unposted JOIN payments ON source_type = 'payment' AND payments.id = source_id
WHERE gateway IS NOT NULL AND is_advance = 0
UNION ALL
SELECT gateway, currency, amount FROM unposted
JOIN lesson_receipts ON source_type = 'lesson_receipt' AND lesson_receipts.id = source_id
WHERE gateway IS NOT NULL AND is_advance = 0;

-- The entries of some days, in the order of their ids.
CREATE INDEX journal_entries_date ON journal_entries (entry_date);
-- Of sales and payments there are so many entries that they are found without it.
CREATE INDEX journal_entries_source_type ON journal_entries (source_type, id) WHERE source_type NOT IN ('invoice', 'payment');
