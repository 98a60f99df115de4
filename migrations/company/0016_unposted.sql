-- Invoices and payments whose journal entry was left out, and why; what has one, or needs none any more, is not here.
CREATE TABLE unposted (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  source_type TEXT NOT NULL,
  source_id INTEGER NOT NULL,
  voucher_type TEXT NOT NULL,
  reason TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  UNIQUE (source_type, source_id, voucher_type),
  CONSTRAINT unposted_reason CHECK (
    reason IN ('no_financial_year', 'account_missing', 'account_inactive', 'no_exchange_rate', 'period_locked')
  )
) STRICT;

INSERT INTO unposted (source_type, source_id, voucher_type, reason, created_at)
SELECT 'invoice', id, 'invoice', CASE
  WHEN currency <> 'INR' THEN 'no_exchange_rate'
  WHEN NOT EXISTS (
    SELECT 1 FROM financial_years WHERE invoice_date BETWEEN start_date AND end_date AND is_closed = 0
  ) THEN 'no_financial_year'
  ELSE 'account_inactive' END, created_at
FROM invoices
WHERE status <> 'voided' AND (taxable_total <> 0 OR tax_total <> 0) AND NOT EXISTS (
  SELECT 1 FROM journal_entries WHERE source_type = 'invoice' AND source_id = invoices.id AND reversal_of IS NULL
)
ORDER BY id;

INSERT INTO unposted (source_type, source_id, voucher_type, reason, created_at)
SELECT 'payment', id, 'receipt', CASE
  WHEN currency <> 'INR' THEN 'no_exchange_rate'
  WHEN NOT EXISTS (
    SELECT 1 FROM financial_years WHERE payment_date BETWEEN start_date AND end_date AND is_closed = 0
  ) THEN 'no_financial_year'
  ELSE 'account_inactive' END, created_at
FROM payments
WHERE deleted_at IS NULL AND NOT EXISTS (
  SELECT 1 FROM journal_entries WHERE source_type = 'payment' AND source_id = payments.id AND reversal_of IS NULL
)
ORDER BY id;
