-- Rates of exchange, and what is posted after the document was written: its reason is gone, or its rate has come.

CREATE TABLE exchange_rates (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  operation TEXT NOT NULL UNIQUE,
  currency TEXT NOT NULL,
  rate_date TEXT NOT NULL,
  -- What one unit of the currency is worth in that of the books, in millionths.
  rate INTEGER NOT NULL,
  source TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  UNIQUE (currency, rate_date),
  CONSTRAINT exchange_rate_value CHECK (rate BETWEEN 1 AND 999999999999)
) STRICT;

-- The currency of the books has no rate.
CREATE TRIGGER rate_is_of_another_currency BEFORE INSERT ON exchange_rates
WHEN NEW.currency = (SELECT books_currency FROM profile) BEGIN
  SELECT RAISE(ABORT, 'currency_not_supported');
END;

-- What each line of an entry is in the currency of its document, where that is another than the books'.
CREATE TABLE foreign_lines (
  entry_id INTEGER NOT NULL REFERENCES journal_entries (id),
  position INTEGER NOT NULL,
  -- Below 0 a credit; 0 of the difference that the exchange made.
  amount INTEGER NOT NULL,
  exchange_rate_id INTEGER REFERENCES exchange_rates (id),
  -- What has the rate: `invoice:7`, or `capture:3` for money of a gateway.
  rate_of TEXT,
  CONSTRAINT foreign_line_rate CHECK ((amount = 0) = (exchange_rate_id IS NULL) AND (amount = 0) = (rate_of IS NULL)),
  PRIMARY KEY (entry_id, position)
) STRICT, WITHOUT ROWID;

CREATE INDEX foreign_lines_rate_of ON foreign_lines (rate_of);
CREATE INDEX foreign_lines_rate ON foreign_lines (exchange_rate_id);

-- An invoice has one rate, and so has a capture.
CREATE TRIGGER rate_is_set_once BEFORE INSERT ON foreign_lines
WHEN EXISTS (SELECT 1 FROM foreign_lines WHERE rate_of = NEW.rate_of AND exchange_rate_id <> NEW.exchange_rate_id) BEGIN
  SELECT RAISE(ABORT, 'append_only');
END;
CREATE TRIGGER foreign_line_is_immutable BEFORE UPDATE ON foreign_lines BEGIN
  SELECT RAISE(ABORT, 'append_only');
END;
CREATE TRIGGER foreign_line_is_not_deleted BEFORE DELETE ON foreign_lines BEGIN
  SELECT RAISE(ABORT, 'append_only');
END;

-- A rate that an entry has neither changes nor goes.
CREATE TRIGGER used_rate_is_final BEFORE UPDATE ON exchange_rates
WHEN EXISTS (SELECT 1 FROM foreign_lines WHERE exchange_rate_id = OLD.id) BEGIN
  SELECT RAISE(ABORT, 'in_use');
END;
CREATE TRIGGER used_rate_is_not_deleted BEFORE DELETE ON exchange_rates
WHEN EXISTS (SELECT 1 FROM foreign_lines WHERE exchange_rate_id = OLD.id) BEGIN
  SELECT RAISE(ABORT, 'in_use');
END;

-- The lines of entries in the currency of their documents.
CREATE VIEW lines_of_documents AS
SELECT line.entry_id, line.position, line.account_id,
  iif(foreign_line.amount IS NULL, debit, max(iif(reversal_of IS NULL, amount, -amount), 0)) AS debit,
  iif(foreign_line.amount IS NULL, credit, max(iif(reversal_of IS NULL, -amount, amount), 0)) AS credit
FROM journal_lines AS line JOIN journal_entries AS entry ON entry.id = line.entry_id
LEFT JOIN foreign_lines AS foreign_line
  ON foreign_line.entry_id = coalesce(reversal_of, entry.id) AND foreign_line.position = line.position;

-- The difference that the exchange made. A company that gave its code or name to an account of its own has the next one.
INSERT INTO accounts (code, name, type, system_key, created_at, updated_at)
WITH RECURSIVE free (code, name) AS (
  SELECT 5400, 'Exchange Gain or Loss'
  UNION ALL SELECT code + 1, 'Exchange Gain or Loss (' || (code + 1) || ')' FROM free
  WHERE EXISTS (SELECT 1 FROM accounts WHERE accounts.code = CAST(free.code AS TEXT) OR accounts.name = free.name)
)
SELECT CAST(max(code) AS TEXT), name, 'expense', 'exchange_difference', applied_at, applied_at
FROM free, (SELECT max(applied_at) AS applied_at FROM migrations);

-- The views below say what each document posts, with the same columns: the invoice and the capture that its rates are of,
-- `lines` as `journal_postings` takes them, each with the `parts` that are converted by themselves, its number and amount.

CREATE VIEW accounts_of_modes AS
SELECT mode.id AS payment_mode_id, coalesce(mode.account_id, account.id) AS account_id
FROM payment_modes AS mode JOIN accounts AS account ON system_key = iif(mode_type = 'cash', 'cash', 'bank');

-- What the taxable value of an invoice's line is. Shipping is the line after an order's own.
CREATE VIEW accounts_of_items AS
SELECT item.id AS invoice_item_id, CASE
  WHEN EXISTS (SELECT 1 FROM lesson_sales WHERE lesson_sales.invoice_id = item.invoice_id AND line = item.position)
  THEN 'unearned_lesson_income'
  WHEN EXISTS (
    SELECT 1 FROM invoices JOIN sales_orders ON sales_orders.id = sales_order_id
    WHERE invoices.id = item.invoice_id AND shipping_amount > 0 AND item.position > json_array_length(items)
  ) THEN 'shipping_income' ELSE 'sales' END AS account
FROM invoice_items AS item;

CREATE VIEW postings_of_invoices AS
SELECT invoice.id AS source_id, invoice_date AS entry_date, currency, customer_id, invoice.id AS invoice_id, NULL AS capture_id,
  'Invoice ' || invoice_number AS narration, (
    SELECT json_group_array(json_object(iif(posted_to = 'customer', 'of', 'key'), posted_to,
      'debit', max(amount, 0), 'credit', max(-amount, 0), 'parts', json(parts)))
    FROM (
      SELECT side.value ->> '$[0]' AS posted_to, sum(side.value ->> '$[1]') AS amount, json_group_array(side.value ->> '$[1]') AS parts
      FROM invoice_items AS item JOIN accounts_of_items AS income ON invoice_item_id = item.id CROSS JOIN json_each(json_array(
        json_array(income.account, -taxable_value), json_array('output_cgst', -cgst_amount),
        json_array('output_sgst', -sgst_amount), json_array('output_igst', -igst_amount),
        json_array('round_off', iif(item.position = 1, -round_off, 0)),
        json_array('customer', iif(item.position = 1, total_amount, 0))
      )) AS side
      WHERE item.invoice_id = invoice.id AND side.value ->> '$[1]' <> 0
      GROUP BY side.value ->> '$[0]' ORDER BY instr(
        ' customer sales shipping_income unearned_lesson_income output_cgst output_sgst output_igst round_off', ' ' || posted_to
      )
    )
  ) AS lines, invoice_number AS number, total_amount AS amount
FROM invoices AS invoice;

-- The reverse of what its invoice posts. What is credited of a lesson was moved to Lesson Income, as far as it is earned.
CREATE VIEW postings_of_credit_notes AS
SELECT note.id AS source_id, note_date AS entry_date, currency, note.customer_id, invoice.id AS invoice_id, NULL AS capture_id,
  'Credit note ' || credit_note_number || ' on ' || invoice_number AS narration, (
    SELECT json_group_array(json_object(iif(posted_to = 'customer', 'of', 'key'), posted_to,
      'debit', max(amount, 0), 'credit', max(-amount, 0), 'parts', json(parts)))
    FROM (
      SELECT side.value ->> '$[0]' AS posted_to, sum(side.value ->> '$[1]') AS amount, json_group_array(side.value ->> '$[1]') AS parts
      FROM credit_note_items AS item JOIN accounts_of_items AS income USING (invoice_item_id) CROSS JOIN json_each(json_array(
        json_array(income.account, iif(income.account = 'unearned_lesson_income', unearned_amount, taxable_value)),
        json_array('lesson_income', iif(income.account = 'unearned_lesson_income', taxable_value - unearned_amount, 0)),
        json_array('output_cgst', cgst_amount), json_array('output_sgst', sgst_amount), json_array('output_igst', igst_amount),
        json_array('round_off', iif(item.position = 1, note.round_off, 0)),
        json_array('customer', iif(item.position = 1, -note.total_amount, 0))
      )) AS side
      WHERE item.credit_note_id = note.id AND side.value ->> '$[1]' <> 0
      GROUP BY side.value ->> '$[0]' ORDER BY instr(
        ' sales shipping_income unearned_lesson_income lesson_income output_cgst output_sgst output_igst round_off customer', ' ' || posted_to
      )
    )
  ) AS lines, credit_note_number AS number, note.total_amount AS amount
FROM credit_notes AS note JOIN invoices AS invoice ON invoice.id = note.invoice_id;

CREATE VIEW postings_of_payments AS
SELECT payment.id AS source_id, payment_date AS entry_date, payment.currency, payment.customer_id,
  invoice_id, (
    SELECT id FROM gateway_captures
    WHERE gateway_captures.gateway = payment.gateway AND gateway_captures.gateway_payment_id = payment.gateway_payment_id
  ) AS capture_id,
  CASE WHEN payment.gateway IS NULL AND payment.source = 'api' THEN 'Payment on ' || invoice_number
    ELSE 'Payment of ' || payment.reference_number || coalesce(' through ' || payment.gateway, '') END AS narration, (
    SELECT json_group_array(json_object(name, account, 'debit', max(side, 0), 'credit', max(-side, 0)))
    FROM (
      SELECT iif(payment.gateway IS NULL, 'id', 'key') AS name, CASE WHEN payment.gateway IS NULL THEN mode.account_id
        WHEN is_advance THEN 'customer_advances' ELSE payment.gateway || '_clearing' END AS account, payment.amount AS side
      UNION ALL SELECT 'key', 'tds_receivable', payment.tds_amount
      UNION ALL SELECT 'of', 'customer', -payment.amount - payment.tds_amount
    ) WHERE side <> 0
  ) AS lines, payment_number AS number, payment.amount
FROM payments AS payment JOIN invoices AS invoice ON invoice.id = invoice_id
JOIN accounts_of_modes AS mode ON mode.payment_mode_id = payment.payment_mode_id;

CREATE VIEW postings_of_payouts AS
SELECT payout.id AS source_id, payout_date AS entry_date, currency, note.customer_id,
  invoice_id, NULL AS capture_id, 'Paid back on ' || credit_note_number AS narration, json_array(
    json_object('of', 'customer', 'debit', payout.amount, 'credit', 0),
    json_object('id', mode.account_id, 'debit', 0, 'credit', payout.amount)
  ) AS lines, credit_note_number AS number, payout.amount
FROM credit_payouts AS payout JOIN credit_notes AS note ON note.id = credit_note_id
JOIN invoices AS invoice ON invoice.id = invoice_id JOIN accounts_of_modes AS mode USING (payment_mode_id);

-- The invoice whose money a refund gave back; null where Customer Advances had all of it.
CREATE VIEW invoices_of_refunds AS
SELECT refund.id AS refund_id, coalesce(
  (SELECT invoice_id FROM credit_notes WHERE id = credit_note_id),
  (SELECT invoice_id FROM captures_of_payments WHERE captures_of_payments.capture_id = refund.capture_id)
) AS invoice_id
FROM gateway_refunds AS refund;

CREATE VIEW postings_of_refunds AS
SELECT refund.id AS source_id, entry_date, refund.currency, refund.customer_id,
  iif(refund.amount > refund.advance_amount, invoice_id, NULL) AS invoice_id, capture_id,
  'Refund of ' || gateway_payment_id || ' through ' || capture.gateway AS narration, (
    SELECT json_group_array(json_object(name, account, 'debit', max(side, 0), 'credit', max(-side, 0)))
    FROM (
      SELECT 'key' AS name, 'customer_advances' AS account, refund.advance_amount AS side
      UNION ALL SELECT 'of', 'customer', refund.amount - refund.advance_amount
      UNION ALL SELECT 'key', capture.gateway || '_clearing', -refund.amount
    ) WHERE side <> 0
  ) AS lines, gateway_payment_id AS number, refund.amount
FROM gateway_refunds AS refund JOIN gateway_captures AS capture ON capture.id = capture_id
JOIN invoices_of_refunds ON refund_id = refund.id;

CREATE VIEW postings_of_advances AS
SELECT advance.id AS source_id, entry_date, currency, NULL AS customer_id,
  (SELECT invoice_id FROM invoices_of_refunds WHERE invoices_of_refunds.refund_id = advance.refund_id) AS invoice_id, capture_id,
  CASE kind WHEN 'received' THEN 'Advance ' WHEN 'fee' THEN 'Fee on ' WHEN 'covered' THEN 'Refund of '
    WHEN 'reopened' THEN 'Settlement taken back of ' ELSE 'Settlement of ' END
    || gateway_payment_id || ' through ' || gateway || coalesce(': ' || reference, '') AS narration, json_array(
    json_object('id', debit_account_id, 'debit', advance.amount, 'credit', 0),
    json_object('id', credit_account_id, 'debit', 0, 'credit', advance.amount)
  ) AS lines, gateway_payment_id AS number, advance.amount, operation
FROM advances AS advance JOIN gateway_captures AS capture ON capture.id = capture_id;

CREATE VIEW postings_of_receipts AS
SELECT receipt.id AS source_id, receipt_date AS entry_date, currency, NULL AS customer_id,
  NULL AS invoice_id, NULL AS capture_id,
  'Payment of ' || (SELECT booking_number FROM bookings WHERE bookings.id = booking_id) AS narration, (
    SELECT json_group_array(json_object(name, account, 'debit', max(side, 0), 'credit', max(-side, 0)))
    FROM (
      SELECT iif(gateway IS NULL, 'id', 'key') AS name, CASE WHEN gateway IS NULL THEN mode.account_id
        WHEN is_advance THEN 'customer_advances' ELSE gateway || '_clearing' END AS account, receipt.amount AS side
      UNION ALL SELECT 'key', 'unearned_lesson_income', -taxable_amount
      UNION ALL SELECT 'key', 'output_cgst', -cgst_amount
      UNION ALL SELECT 'key', 'output_sgst', -sgst_amount
      UNION ALL SELECT 'key', 'output_igst', -igst_amount
    ) WHERE side <> 0
  ) AS lines, receipt_number AS number, receipt.amount
FROM lesson_receipts AS receipt LEFT JOIN accounts_of_modes AS mode USING (payment_mode_id);

CREATE VIEW postings_of_lessons AS
SELECT earning.id AS source_id, entry_date, coalesce(
    (SELECT currency FROM invoices WHERE invoices.id = sale.invoice_id), (SELECT books_currency FROM profile)
  ) AS currency, NULL AS customer_id, sale.invoice_id, NULL AS capture_id,
  coalesce('Lesson of booking ' || booking_number, 'Package ' || package_id || ' lapsed') AS narration, json_array(
    json_object('id', unearned.id, 'debit', earning.amount, 'credit', 0),
    json_object('id', income.id, 'debit', 0, 'credit', earning.amount)
  ) AS lines, coalesce(booking_number, 'Package ' || package_id) AS number, earning.amount, earning.operation
FROM lesson_earnings AS earning JOIN lesson_sales AS sale ON sale.id = sale_id
JOIN accounts AS unearned ON unearned.system_key = 'unearned_lesson_income'
JOIN accounts AS income ON income.system_key = 'lesson_income'
LEFT JOIN bookings ON bookings.id = earning.booking_id;
