import { ACCOUNTS } from "#shared/payments/books.ts";
import { clearingOf, isLeftOut, isPosted, onAccounts } from "./entries.ts";
import { unnumbered } from "./numbers.ts";
import { ofEach, type Sentences } from "./sentence.ts";

const ofEntry = ofEach("journal_entries");
const ofLessonEarning = ofEach("lesson_earnings");
const ofLessonSale = ofEach("lesson_sales");

const LINES = `JOIN lines_of_documents line ON line.entry_id = entry.id JOIN accounts account ON account.id = line.account_id`;

/** What holds of the money for lessons. */
export const LESSONS: Sentences = {
  "a package that was bought with an order or a booking is as paid as that is": `
    SELECT id FROM booking_packages WHERE status = 'active' AND (
      EXISTS (SELECT 1 FROM sales_orders WHERE sales_orders.id = order_id AND status <> 'invoiced')
      OR EXISTS (SELECT 1 FROM bookings WHERE bookings.id = booking_id AND payment_status <> 'paid'))`,
  "a package has used as many sessions as it has bookings that stand": `
    SELECT id FROM booking_packages WHERE sessions_used <> (
      SELECT count(*) FROM bookings WHERE booking_package_id = booking_packages.id
        AND status NOT IN ('cancelled', 'expired'))`,
  "only a booking that is confirmed or over is paid, and one whose money is due back is cancelled, waits for it or was to be refunded": `
    SELECT id FROM bookings WHERE (payment_status = 'paid' AND status NOT IN ('confirmed', 'completed', 'no_show')
      AND total_amount > 0) OR (payment_status = 'refund_due' AND status <> 'cancelled' AND NOT EXISTS (
        SELECT 1 FROM payment_intents intent JOIN gateway_captures capture ON capture.intent_id = intent.id
        LEFT JOIN gateway_refunds ON capture_id = capture.id WHERE intent.kind = 'booking' AND intent.ref_id = bookings.id
          AND (gateway_refunds.id IS NOT NULL OR capture.advance_amount > 0)))`,
  "a booking that is paid has the document of its money, over its price": `
    SELECT bookings.id FROM bookings
    LEFT JOIN lesson_sales sale ON sale.id = (SELECT max(id) FROM lesson_sales WHERE booking_id = bookings.id)
    LEFT JOIN invoices ON invoices.id = sale.invoice_id LEFT JOIN lesson_receipts receipt ON receipt.id = sale.receipt_id
    WHERE bookings.payment_status = 'paid' AND bookings.total_amount > 0
      AND coalesce(invoices.total_amount, receipt.amount) IS NOT bookings.total_amount`,
  "a booking whose money was paid back has no document that stands, unless all of it was credited": `
    SELECT bookings.id FROM bookings JOIN lesson_sales ON booking_id = bookings.id AND ended_by IS NULL
    LEFT JOIN invoices ON invoices.id = invoice_id
    WHERE bookings.payment_status IN ('unpaid', 'refunded') AND (invoices.id IS NULL OR taxable_credited <> taxable_total)`,
  "a sale of lessons is what its document says before tax, and ends with it": ofLessonSale(`
    SELECT sale.id FROM these sale LEFT JOIN invoices ON invoices.id = sale.invoice_id
    LEFT JOIN invoice_items item ON item.invoice_id = sale.invoice_id AND item.position = sale.line
    LEFT JOIN lesson_receipts receipt ON receipt.id = sale.receipt_id
    WHERE sale.amount IS NOT coalesce(item.taxable_value, receipt.taxable_amount)
      OR sale.ended_by IS NOT coalesce(invoices.voided_by, receipt.ended_by)`),
  "a receipt has its sale": ofEach("lesson_receipts")(
    "SELECT id FROM these receipt WHERE id NOT IN (SELECT receipt_id FROM lesson_sales WHERE receipt_id IS NOT NULL)",
  ),
  "what was earned of a sale is the sum of its earnings, none of one that ended": ofLessonSale(`
    SELECT id FROM these sale WHERE earned_amount <> (
        SELECT coalesce(sum(amount), 0) FROM lesson_earnings WHERE sale_id = sale.id AND removed_by IS NULL)
      OR (ended_by IS NOT NULL AND earned_amount <> 0)`),
  "what was credited of a sale before it was earned is the sum of its notes": ofLessonSale(`
    SELECT id FROM these sale WHERE credited_amount <> (
        SELECT coalesce(sum(unearned_amount), 0) FROM invoice_items
        JOIN credit_note_items item ON item.invoice_item_id = invoice_items.id
        JOIN credit_notes note ON note.id = item.credit_note_id AND note.status = 'issued'
        WHERE invoice_items.invoice_id = sale.invoice_id AND invoice_items.position = sale.line)`),
  "a lesson that earned was given, and is of the sale": ofLessonEarning(`
    SELECT earning.id FROM these earning JOIN lesson_sales sale ON sale.id = earning.sale_id
    LEFT JOIN bookings ON bookings.id = earning.booking_id
    WHERE earning.removed_by IS NULL AND earning.booking_id IS NOT NULL AND (
      bookings.status NOT IN ('confirmed', 'completed', 'no_show')
      OR (bookings.id IS NOT sale.booking_id AND bookings.booking_package_id IS NOT sale.package_id))`),
  "the entry of a receipt says what the receipt says": ofEntry(`
    SELECT entry.id FROM these entry JOIN lesson_receipts receipt ON receipt.id = entry.source_id ${LINES}
    WHERE entry.source_type = 'lesson_receipt' AND entry.reversal_of IS NULL GROUP BY entry.id
    HAVING sum(debit) <> receipt.amount OR entry.entry_date <> receipt.receipt_date
      OR ${onAccounts([ACCOUNTS.unearnedLessonIncome], "credit")} <> receipt.taxable_amount
      OR ${onAccounts([ACCOUNTS.outputCgst], "credit")} <> receipt.cgst_amount
      OR ${onAccounts([ACCOUNTS.outputSgst], "credit")} <> receipt.sgst_amount
      OR ${onAccounts([ACCOUNTS.outputIgst], "credit")} <> receipt.igst_amount
      OR (receipt.gateway IS NOT NULL AND receipt.amount <> sum(iif(account.system_key IN (
        '${ACCOUNTS.customerAdvances}', ${clearingOf("receipt.gateway")}), debit, 0)))`),
  "the entry of an earning moves it from Unearned Lesson Income to Lesson Income": ofEntry(`
    SELECT entry.id FROM these entry JOIN lesson_earnings earning ON earning.id = entry.source_id ${LINES}
    WHERE entry.source_type = 'lesson' AND entry.reversal_of IS NULL GROUP BY entry.id
    HAVING sum(debit) <> earning.amount OR ${onAccounts([ACCOUNTS.unearnedLessonIncome], "debit")} <> earning.amount
      OR ${onAccounts([ACCOUNTS.lessonIncome], "credit")} <> earning.amount OR entry.entry_date <> earning.entry_date`),
  "a receipt and an earning that stand have their entry, or are known to have been left out; others have none": `
    SELECT 'receipt ' || id FROM lesson_receipts
    WHERE ${isPosted("lesson_receipt", "lesson_receipts.id")} + ${isLeftOut("lesson_receipt", "lesson_receipts.id")} <> (ended_by IS NULL)
    UNION ALL
    SELECT 'earning ' || id FROM lesson_earnings
    WHERE ${isPosted("lesson", "lesson_earnings.id")} + ${isLeftOut("lesson", "lesson_earnings.id")}
      <> (removed_by IS NULL AND amount > 0)`,
  "Unearned Lesson Income is what was sold of lessons and is neither earned nor credited yet": `
    SELECT held, owed FROM (
      SELECT (SELECT coalesce(sum(credit - debit), 0) FROM lines_of_documents
          WHERE account_id = (SELECT id FROM accounts WHERE system_key = '${ACCOUNTS.unearnedLessonIncome}')) AS held,
        (SELECT coalesce(sum(amount), 0) FROM lesson_sales WHERE ended_by IS NULL AND iif(invoice_id IS NULL,
          ${isPosted("lesson_receipt", "receipt_id")}, ${isPosted("invoice", "invoice_id")}))
        - (SELECT coalesce(sum(amount), 0) FROM lesson_earnings
          WHERE removed_by IS NULL AND ${isPosted("lesson", "lesson_earnings.id")})
        - (SELECT coalesce(sum(unearned_amount), 0) FROM credit_note_items
          JOIN credit_notes ON credit_notes.id = credit_note_id AND status = 'issued'
          WHERE unearned_amount > 0 AND ${isPosted("credit_note", "credit_notes.id")}) AS owed
    ) WHERE held <> owed`,
  "receipt numbers run from 1 without gap in every financial year, and their counter is at the last":
    unnumbered({
      series: "lesson_receipt",
      table: "lesson_receipts",
      number: "receipt_number",
    }),
  "numbers of refund vouchers run from 1 without gap in every financial year, and their counter is at the last":
    unnumbered({
      series: "lesson_refund",
      table: "(SELECT refund_number FROM lesson_receipts WHERE refund_number IS NOT NULL)",
      number: "refund_number",
    }),
};
