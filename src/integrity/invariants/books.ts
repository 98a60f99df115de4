import { ACCOUNTS, DEBTORS_CODE } from "#shared/payments/books.ts";
import { clearingOf, isLeftOut, isPosted, onAccounts } from "./entries.ts";
import { unnumbered, yearInNumber, yearOfDate } from "./numbers.ts";
import { ofEach, type Sentences } from "./sentence.ts";

const ofAdvance = ofEach("advances");
const ofCustomer = ofEach("customers");
const ofEntry = ofEach("journal_entries");

// A payment mode that was changed less than this before a payment may have changed while the payment was posted.
const MODE_AGE_MS = 15_000;

const onDebtor = (side: string, customer: string) =>
  `sum(iif(account.party_type = 'customer' AND account.party_id = ${customer}, ${side}, 0))`;

/** Each entry with its document, its lines in the document's currency and their accounts; without reversals. */
const entriesOf = (document: string) => `
    SELECT entry.id FROM these entry
    JOIN ${document}s document ON document.id = entry.source_id
    JOIN lines_of_documents line ON line.entry_id = entry.id
    JOIN accounts account ON account.id = line.account_id`;
/** Beside an entry its document, where that is of this kind. */
const beside = (document: string) => `
    LEFT JOIN ${document}s ON entry.source_type = '${document}' AND ${document}s.id = entry.source_id`;
const isEntryOf = (document: string) => `entry.source_type = '${document}' AND entry.reversal_of IS NULL`;

/** What holds of the journal and its accounts. */
export const BOOKS: Sentences = {
  "the books balance in total": `
    SELECT sum(debit), sum(credit) FROM journal_lines GROUP BY NULL HAVING sum(debit) <> sum(credit)`,
  "every entry balances, and has two lines at least": ofEntry(`
    SELECT entry.id FROM these entry LEFT JOIN journal_lines line ON line.entry_id = entry.id
    GROUP BY entry.id HAVING count(line.position) < 2 OR sum(debit) <> sum(credit)`),
  "no entry is left a draft": "SELECT id FROM journal_entries WHERE status = 'draft'",
  "a voided entry has its reversal, and only it": ofEntry(`
    SELECT entry.id FROM these entry LEFT JOIN journal_entries reversal ON reversal.reversal_of = entry.id
    WHERE (entry.status = 'voided') <> (reversal.id IS NOT NULL)`),
  "a reversal has the lines of its entry, their sides exchanged": `
    SELECT reversal.id FROM journal_entries reversal JOIN journal_entries entry ON entry.id = reversal.reversal_of
    WHERE reversal.source_type <> entry.source_type OR reversal.source_id <> entry.source_id
      OR (SELECT count(*) FROM journal_lines WHERE entry_id = reversal.id)
        <> (SELECT count(*) FROM journal_lines line
          JOIN journal_lines other ON other.entry_id = reversal.id AND other.position = line.position
            AND other.account_id = line.account_id AND other.debit = line.credit AND other.credit = line.debit
          WHERE line.entry_id = entry.id)`,
  // Before this release a reversal was of the day itself.
  "a reversal is of no earlier day than its entry": `
    SELECT reversal.id FROM journal_entries reversal JOIN journal_entries entry ON entry.id = reversal.reversal_of
    WHERE reversal.entry_date < entry.entry_date AND reversal.created_at > (
      SELECT applied_at FROM migrations WHERE name = '27_setting_changes')`,
  "entry numbers run from 1 without gap in every financial year, and their counter is at the last":
    unnumbered({
      series: "journal",
      table: "journal_entries",
      number: "entry_number",
    }),
  "an entry's number is of the financial year of its date": ofEntry(`
    SELECT id FROM these
    WHERE ${yearInNumber("entry_number")} IS NOT substr(${yearOfDate("entry_date")}, 3)`),
  // A call that began before the lock may commit after it.
  "no entry dated in a locked period was made after the lock": ofEntry(`
    SELECT entry.id FROM these entry JOIN books_settings ON entry_date <= locked_through
    WHERE created_at > locked_at + ${MODE_AGE_MS}`),
  "an entry has its document, and the document's date": ofEntry(`
    SELECT entry.id FROM these entry${["invoice", "payment", "advance", "credit_note", "credit_payout", "gateway_refund"].map(beside).join("")}
    WHERE entry.source_type IN ('invoice', 'payment', 'advance', 'credit_note', 'credit_payout', 'gateway_refund') AND (
      coalesce(invoices.id, payments.id, advances.id, credit_notes.id, credit_payouts.id, gateway_refunds.id) IS NULL OR (
        reversal_of IS NULL AND entry.entry_date <> coalesce(invoices.invoice_date, payments.payment_date,
          advances.entry_date, credit_notes.note_date, credit_payouts.payout_date, gateway_refunds.entry_date)))`),
  "an entry is of a document in the currency of the books, or has a rate": ofEntry(`
    SELECT entry.id FROM these entry${["invoice", "payment", "gateway_refund"].map(beside).join("")}
    WHERE entry.reversal_of IS NULL AND entry.source_type IN ('invoice', 'payment', 'gateway_refund')
      AND (coalesce(invoices.currency, payments.currency, gateway_refunds.currency) <> (SELECT books_currency FROM profile))
        <> EXISTS (SELECT 1 FROM foreign_lines WHERE entry_id = entry.id)`),
  // What settles an account takes what was rounded before it.
  "a line in another currency is its amount at its rate, but for what was rounded": ofEntry(`
    SELECT entry.id FROM these entry JOIN foreign_lines line ON entry_id = entry.id JOIN journal_lines USING (entry_id, position)
    JOIN exchange_rates ON exchange_rates.id = exchange_rate_id
    WHERE abs(debit - credit - amount * rate / 1e6) > 2
      + (SELECT count(*) FROM foreign_lines held WHERE held.rate_of = line.rate_of)
      + 3 * (SELECT count(*) FROM invoice_items WHERE invoice_id = CAST(substr(rate_of, 9) AS INTEGER) AND rate_of LIKE 'invoice:%')`),
  "what is settled in the currency of its document is settled in the books": `
    SELECT rate_of, account_id FROM foreign_lines JOIN journal_lines USING (entry_id, position)
    JOIN journal_entries entry ON entry.id = entry_id WHERE rate_of IS NOT NULL
    GROUP BY rate_of, account_id HAVING sum(amount) = 0 AND sum(debit - credit) <> 0 AND sum(status = 'voided') = 0`,
  "an invoice in another currency has a rate of its day, at most 16 days old, and what its lines are at it":
    ofEntry(`
    SELECT entry.id FROM these entry JOIN foreign_lines ON entry_id = entry.id AND position = 1
    JOIN exchange_rates ON exchange_rates.id = exchange_rate_id JOIN invoices ON invoices.id = source_id
    WHERE entry.source_type = 'invoice' AND entry.reversal_of IS NULL AND (exchange_rates.currency <> invoices.currency
      OR julianday(invoice_date) - julianday(rate_date) NOT BETWEEN 0 AND 16
      OR (SELECT sum(debit) FROM journal_lines WHERE entry_id = entry.id AND position = 1) <> round(round_off * rate / 1e6) + (
        SELECT sum(round(taxable_value * rate / 1e6) + 2 * round(cgst_amount * rate / 1e6) + round(igst_amount * rate / 1e6))
        FROM invoice_items WHERE invoice_id = invoices.id))`),
  "the books are in the currency of the company": `
    SELECT books_currency FROM profile JOIN company_copy ON currency <> books_currency`,
  // What was taken for shipping holds its tax, where it bears any.
  "the entry of an invoice says what the invoice says": ofEntry(`${entriesOf("invoice")}
    LEFT JOIN sales_orders ON sales_orders.id = document.sales_order_id
    WHERE ${isEntryOf("invoice")} GROUP BY entry.id
    HAVING ${onDebtor("debit - credit", "document.customer_id")} <> document.total_amount
      OR ${onAccounts([ACCOUNTS.sales, ACCOUNTS.shippingIncome, ACCOUNTS.unearnedLessonIncome], "credit - debit")} <> document.taxable_total
      OR ${onAccounts([ACCOUNTS.unearnedLessonIncome], "credit - debit")} <> (
        SELECT coalesce(sum(amount), 0) FROM lesson_sales WHERE invoice_id = document.id)
      OR ${onAccounts([ACCOUNTS.shippingIncome], "credit - debit")} NOT BETWEEN min(1, coalesce(shipping_amount, 0)) AND coalesce(shipping_amount, 0)
      OR ${onAccounts([ACCOUNTS.outputCgst], "credit - debit")} <> document.cgst_total
      OR ${onAccounts([ACCOUNTS.outputSgst], "credit - debit")} <> document.sgst_total
      OR ${onAccounts([ACCOUNTS.outputIgst], "credit - debit")} <> document.igst_total
      OR ${onAccounts([ACCOUNTS.roundOff], "credit - debit")} <> document.round_off`),
  "the entry of a payment has the account of its mode or gateway, and what was withheld":
    ofEntry(`${entriesOf("payment")}
    JOIN payment_modes mode ON mode.id = document.payment_mode_id
    WHERE ${isEntryOf("payment")} GROUP BY entry.id
    HAVING ${onDebtor("credit", "document.customer_id")} <> document.amount + document.tds_amount
      OR sum(debit) <> document.amount + document.tds_amount
      OR ${onAccounts([ACCOUNTS.tdsReceivable], "debit")} < document.tds_amount
      OR document.amount > CASE
        WHEN document.gateway IS NOT NULL THEN sum(iif(account.system_key = CASE
          WHEN document.is_advance = 1 THEN '${ACCOUNTS.customerAdvances}'
          ELSE ${clearingOf("document.gateway")} END, debit, 0))
        WHEN mode.updated_at >= document.created_at - ${MODE_AGE_MS} THEN document.amount
        WHEN mode.account_id IS NOT NULL THEN sum(iif(account.id = mode.account_id, debit, 0))
        WHEN mode.mode_type = 'cash' THEN ${onAccounts([ACCOUNTS.cash], "debit")}
        ELSE ${onAccounts([ACCOUNTS.bank], "debit")} END`),
  "the entry of a credit note says what the credit note says": ofEntry(`${entriesOf("credit_note")}
    WHERE ${isEntryOf("credit_note")} GROUP BY entry.id
    HAVING ${onDebtor("credit - debit", "document.customer_id")} <> document.total_amount
      OR ${onAccounts([ACCOUNTS.sales, ACCOUNTS.shippingIncome, ACCOUNTS.unearnedLessonIncome, ACCOUNTS.lessonIncome], "debit - credit")} <> document.taxable_total
      OR ${onAccounts([ACCOUNTS.unearnedLessonIncome], "debit - credit")} <> (
        SELECT coalesce(sum(unearned_amount), 0) FROM credit_note_items WHERE credit_note_id = document.id)
      OR ${onAccounts([ACCOUNTS.outputCgst], "debit - credit")} <> document.cgst_total
      OR ${onAccounts([ACCOUNTS.outputSgst], "debit - credit")} <> document.sgst_total
      OR ${onAccounts([ACCOUNTS.outputIgst], "debit - credit")} <> document.igst_total
      OR ${onAccounts([ACCOUNTS.roundOff], "debit - credit")} <> document.round_off`),
  "the entry of a payout has its customer's account and one of money": ofEntry(`${entriesOf("credit_payout")}
    JOIN credit_notes note ON note.id = document.credit_note_id
    WHERE ${isEntryOf("credit_payout")} GROUP BY entry.id
    HAVING ${onDebtor("debit", "note.customer_id")} <> document.amount OR sum(credit) <> document.amount
      OR sum(account.party_type IS NULL AND account.type = 'asset') <> 1`),
  "the entry of a refund takes what Customer Advances held of it, and the rest of its customer's account, out of clearing":
    ofEntry(`${entriesOf("gateway_refund")}
    WHERE ${isEntryOf("gateway_refund")} GROUP BY entry.id
    HAVING ${onAccounts([ACCOUNTS.customerAdvances], "debit")} <> document.advance_amount
      OR ${onDebtor("debit", "document.customer_id")} <> document.amount - document.advance_amount
      OR sum(iif(account.system_key = ${clearingOf("document.gateway")}, credit, 0)) <> document.amount
      OR sum(credit) <> document.amount`),
  "the entry of a settlement takes the payout, the fee and its tax out of clearing":
    ofEntry(`${entriesOf("settlement")}
    WHERE ${isEntryOf("settlement")} GROUP BY entry.id
    HAVING sum(iif(account.system_key = ${clearingOf("document.gateway")}, credit, 0))
        <> net_amount + fee_amount + fee_tax_amount
      OR ${onAccounts([ACCOUNTS.gatewayCharges], "debit")} <> fee_amount
      OR ${onAccounts([ACCOUNTS.inputGst, ACCOUNTS.inputCgst, ACCOUNTS.inputSgst, ACCOUNTS.inputIgst], "debit")} <> fee_tax_amount`),
  "an entry by hand has its row, and is on an account that documents prove only to adjust tax": ofEntry(`
    SELECT entry.id FROM these entry LEFT JOIN manual_entries manual ON manual.id = entry.source_id
      AND manual.operation = entry.operation AND manual.kind = entry.voucher_type
    WHERE ${isEntryOf("manual")} AND (manual.id IS NULL OR EXISTS (
      SELECT 1 FROM journal_lines line JOIN control_accounts control ON control.id = account_id
      WHERE entry_id = entry.id AND NOT (is_head AND (tax_adjustment OR kind IN ('opening', 'expense')))))`),
  "what was made by hand has its entry": ofEach("manual_entries")(`
    SELECT id FROM these WHERE NOT EXISTS (
      SELECT 1 FROM journal_entries INDEXED BY journal_entries_source
      WHERE source_type = 'manual' AND source_id = these.id AND reversal_of IS NULL)`),
  "no two opening balances stand": `
    SELECT count(*) FROM journal_entries INDEXED BY journal_entries_source WHERE source_type = 'manual'
      AND voucher_type = 'opening' AND reversal_of IS NULL AND status = 'posted' GROUP BY NULL HAVING count(*) > 1`,
  "a customer owes in the books what its invoices, payouts and refunds that were posted say, less its payments and credit notes that were":
    ofCustomer(`
    SELECT customers.id FROM these customers
    WHERE (SELECT coalesce(sum(debit - credit), 0) FROM accounts JOIN lines_of_documents ON account_id = accounts.id
        WHERE code = '${DEBTORS_CODE}-' || customers.id)
      <> (SELECT coalesce(sum(total_amount), 0) FROM invoices
        WHERE customer_id = customers.id AND status <> 'voided' AND ${isPosted("invoice")})
      - (SELECT coalesce(sum(amount + tds_amount), 0) FROM payments
        WHERE customer_id = customers.id AND deleted_at IS NULL AND ${isPosted("payment")})
      - (SELECT coalesce(sum(total_amount), 0) FROM credit_notes
        WHERE customer_id = customers.id AND status = 'issued' AND ${isPosted("credit_note")})
      + (SELECT coalesce(sum(amount), 0) FROM credit_payouts WHERE credit_note_id IN (
        SELECT id FROM credit_notes WHERE customer_id = customers.id) AND ${isPosted("credit_payout")})
      + (SELECT coalesce(sum(amount - advance_amount), 0) FROM gateway_refunds
        WHERE customer_id = customers.id AND status = 'succeeded' AND ${isPosted("gateway_refund")})
      - (SELECT coalesce(sum(advances.amount), 0) FROM gateway_refunds JOIN advances ON refund_id = gateway_refunds.id
        WHERE customer_id = customers.id AND ${isPosted("advance")})`),
  "the entry of an advance moves its amount between its two accounts": ofAdvance(`
    SELECT advance.id FROM these advance
    LEFT JOIN journal_entries entry INDEXED BY journal_entries_source ON entry.source_type = 'advance'
      AND entry.source_id = advance.id AND reversal_of IS NULL
    LEFT JOIN unposted ON unposted.source_type = 'advance' AND unposted.source_id = advance.id
    WHERE iif(EXISTS (SELECT 1 FROM gateway_refunds WHERE id = advance.refund_id AND status = 'failed'),
        unposted.id IS NOT NULL OR coalesce(entry.status, 'voided') <> 'voided',
        (entry.id IS NULL) = (unposted.id IS NULL) OR coalesce(entry.status, 'posted') <> 'posted')
      OR (entry.id IS NOT NULL AND 2 <> (
        SELECT count(*) FROM lines_of_documents WHERE entry_id = entry.id AND (account_id, debit, credit) IN (
          VALUES (debit_account_id, amount, 0), (credit_account_id, 0, amount))))`),
  "Customer Advances holds what came in advance and is neither settled, refunded nor paid on an invoice": `
    SELECT held, moved FROM (SELECT
      (SELECT coalesce(sum(credit - debit), 0) FROM accounts JOIN lines_of_documents ON account_id = accounts.id
        WHERE system_key = '${ACCOUNTS.customerAdvances}') AS held,
      (SELECT coalesce(sum(CASE kind WHEN 'received' THEN amount WHEN 'reopened' THEN amount WHEN 'fee' THEN 0 ELSE -amount END), 0) FROM advances
        WHERE ${isPosted("advance")})
      - (SELECT coalesce(sum(amount), 0) FROM payments
        WHERE is_advance = 1 AND deleted_at IS NULL AND ${isPosted("payment")})
      - (SELECT coalesce(sum(advance_amount), 0) FROM gateway_refunds
        WHERE status = 'succeeded' AND ${isPosted("gateway_refund")}) AS moved)
    WHERE held <> moved`,
  "a live customer has one debtor account, another none": `
    SELECT customers.id FROM customers WHERE
      (SELECT count(*) FROM accounts WHERE party_type = 'customer' AND party_id = customers.id AND deleted_at IS NULL)
      <> (is_customer = 1 AND deleted_at IS NULL)`,
  "what is live has its entry, or is known to have been left out": `
    SELECT 'invoice ' || id FROM invoices WHERE ${isPosted("invoice")} + ${isLeftOut("invoice")}
      <> (status <> 'voided' AND (taxable_total <> 0 OR tax_total <> 0))
    UNION ALL
    SELECT 'payment ' || id FROM payments WHERE ${isPosted("payment")} + ${isLeftOut("payment")} <> (deleted_at IS NULL)
    UNION ALL
    SELECT 'credit_note ' || id FROM credit_notes
    WHERE ${isPosted("credit_note")} + ${isLeftOut("credit_note")} <> (status = 'issued' AND goods_only = 0)
    UNION ALL
    SELECT 'credit_payout ' || id FROM credit_payouts
    WHERE ${isPosted("credit_payout")} + ${isLeftOut("credit_payout")} <> (reversed_at IS NULL)
    UNION ALL
    SELECT 'settlement ' || id FROM settlements WHERE ${isPosted("settlement")} <> (reversed_at IS NULL)
    UNION ALL
    SELECT 'gateway_refund ' || id FROM gateway_refunds
    WHERE ${isPosted("gateway_refund")} + ${isLeftOut("gateway_refund")} <> (status = 'succeeded')`,
  "only what is live has an entry that stands": ofEntry(`
    SELECT entry.id FROM these entry${["invoice", "payment", "credit_note", "credit_payout", "gateway_refund"].map(beside).join("")}
    WHERE entry.reversal_of IS NULL
      AND entry.source_type IN ('invoice', 'payment', 'credit_note', 'credit_payout', 'gateway_refund')
      AND (entry.status = 'voided') = CASE entry.source_type WHEN 'invoice' THEN invoices.status <> 'voided'
        WHEN 'payment' THEN payments.deleted_at IS NULL WHEN 'credit_note' THEN credit_notes.status = 'issued'
        WHEN 'gateway_refund' THEN gateway_refunds.status = 'succeeded' ELSE credit_payouts.reversed_at IS NULL END`),
};
