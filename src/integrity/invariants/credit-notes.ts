import { NUMBER_PREFIXES } from "#shared/payments/document-numbers.ts";
import { isPosted } from "./entries.ts";
import { unnumbered, yearInNumber, yearOfDate } from "./numbers.ts";
import { ofEach, type Sentences } from "./sentence.ts";

const ofNote = ofEach("credit_notes");
const ofCreditedLine = ofEach("credit_note_items");
const ofInvoice = ofEach("invoices");

const live = (sum: string, where: string) => `(SELECT coalesce(sum(${sum}), 0) FROM credit_note_items item
      JOIN credit_notes note ON note.id = item.credit_note_id
      WHERE item.invoice_item_id = lines.invoice_item_id AND note.status = 'issued'${where})`;

const isCommercial = `credit_note_number LIKE '${NUMBER_PREFIXES.commercialCreditNote}/%'`;
const numbered = (series: string, which: string) =>
  unnumbered({
    ...{ series, number: "credit_note_number" },
    table: `(SELECT credit_note_number FROM credit_notes WHERE ${which})`,
  });

/** What holds of credit notes. */
export const CREDIT_NOTES: Sentences = {
  "credit note numbers run from 1 without gap in every financial year, and their counter is at the last":
    numbered("credit_note", `NOT ${isCommercial}`),
  "numbers of commercial notes run from 1 without gap in every financial year, and their counter is at the last":
    numbered("commercial_credit_note", isCommercial),
  // One of before the series has a number of the others.
  "no note with tax has a number of a commercial note": ofNote(
    `SELECT id FROM these WHERE with_tax = 1 AND ${isCommercial}`,
  ),
  "a credit note's number and financial year are those of its date, which is not before its invoice's":
    ofNote(`
    SELECT note.id FROM these note JOIN invoices ON invoices.id = invoice_id
    WHERE note.financial_year <> ${yearOfDate("note_date")}
      OR ${yearInNumber("credit_note_number")} IS NOT substr(note.financial_year, 3) OR note_date < invoice_date`),
  "a credit note has lines of its invoice, and their totals": ofNote(`
    SELECT note.id FROM these note
    LEFT JOIN credit_note_items item ON item.credit_note_id = note.id
    LEFT JOIN invoice_items line ON line.id = item.invoice_item_id
    GROUP BY note.id HAVING sum(line.invoice_id IS NOT note.invoice_id) > 0
      OR taxable_total <> sum(item.taxable_value) OR cgst_total <> sum(item.cgst_amount)
      OR sgst_total <> sum(item.sgst_amount) OR igst_total <> sum(item.igst_amount)
      OR total_amount <> taxable_total + tax_total + round_off OR note.status = 'draft'`),
  "what is credited of a line is the sum of its notes, and never above the line": ofCreditedLine(`
    SELECT DISTINCT these.invoice_item_id FROM these
    LEFT JOIN credited_lines lines ON lines.invoice_item_id = these.invoice_item_id
    LEFT JOIN invoice_items line ON line.id = these.invoice_item_id
    WHERE lines.invoice_item_id IS NULL OR line.id IS NULL
      OR (line.quantity, line.taxable_value, line.cgst_amount, line.sgst_amount, line.igst_amount)
        <> (lines.quantity, lines.taxable_value, lines.cgst_amount, lines.sgst_amount, lines.igst_amount)
      OR credited_quantity > line.quantity OR credited_taxable > line.taxable_value
      OR credited_quantity <> ${live("coalesce(item.quantity, 0)", "")}
      OR credited_taxable <> ${live("item.taxable_value", "")}
      OR untaxed_taxable <> ${live("item.taxable_value", " AND note.with_tax = 0")}
      OR credited_cgst <> ${live("item.cgst_amount", "")} OR credited_sgst <> ${live("item.sgst_amount", "")}
      OR credited_igst <> ${live("item.igst_amount", "")}`),
  "an invoice that notes with tax credited wholly agrees with them to the paisa": `
    SELECT invoices.id FROM invoices JOIN credit_notes note ON note.invoice_id = invoices.id AND note.status = 'issued'
    WHERE credit_status = 'full' GROUP BY invoices.id
    HAVING min(note.with_tax) = 1 AND (sum(note.total_amount) <> invoices.total_amount
      OR sum(note.cgst_total) <> invoices.cgst_total OR sum(note.sgst_total) <> invoices.sgst_total
      OR sum(note.igst_total) <> invoices.igst_total OR sum(note.round_off) <> invoices.round_off)`,
  "what is credited of an invoice is the sum of its notes, and of what was applied to it": ofInvoice(`
    SELECT invoices.id FROM these invoices
    WHERE taxable_credited <> (SELECT coalesce(sum(note.taxable_total), 0) FROM credit_notes note
        WHERE invoice_id = invoices.id AND note.status = 'issued')
      OR amount_credited <> (SELECT coalesce(sum(amount), 0) FROM credit_applications
        WHERE invoice_id = invoices.id AND removed_at IS NULL)`),
  "what is used of a credit note is what was applied, paid out and refunded of it, and no more than it has":
    ofNote(`
    SELECT note.id FROM these note
    WHERE applied_amount <> (SELECT coalesce(sum(amount), 0) FROM credit_applications
        WHERE credit_note_id = note.id AND removed_at IS NULL)
      OR paid_out_amount <> (SELECT coalesce(sum(amount), 0) FROM credit_payouts
        WHERE credit_note_id = note.id AND reversed_at IS NULL)
      OR gateway_refunded_amount <> (SELECT coalesce(sum(amount - advance_amount - covered_amount - (
          SELECT coalesce(sum(amount), 0) FROM credited_refunds WHERE refund_id = refund.id)), 0)
        FROM gateway_refunds refund WHERE credit_note_id = note.id AND status <> 'failed')
        + (SELECT coalesce(sum(part.amount), 0) FROM credited_refunds part JOIN gateway_refunds refund ON refund.id = refund_id
        WHERE part.credit_note_id = note.id AND status <> 'failed')
      OR applied_amount + paid_out_amount + gateway_refunded_amount > total_amount
      OR (status = 'voided' AND applied_amount + paid_out_amount + gateway_refunded_amount > 0)`),
  "an order whose invoice has unused credit of a gateway's money is owed it, unless the gateway gave it back or a refund left it": `
    SELECT sales_orders.id FROM sales_orders JOIN credit_notes note ON note.invoice_id = sales_orders.invoice_id
    WHERE needs_refund = 0 AND for_refund = 0 AND unapplied_amount > 0 AND EXISTS (
      SELECT 1 FROM payments WHERE invoice_id = note.invoice_id AND gateway IS NOT NULL AND deleted_at IS NULL)
    GROUP BY sales_orders.id HAVING sum(unapplied_amount) > (
      SELECT coalesce(sum(owed), 0) FROM uncovered_refunds_of_invoices WHERE invoice_id = sales_orders.invoice_id)`,
  "credit is applied to invoices of the note's customer and currency": `
    SELECT application.id FROM credit_applications application
    JOIN credit_notes note ON note.id = application.credit_note_id
    JOIN invoices own ON own.id = note.invoice_id JOIN invoices ON invoices.id = application.invoice_id
    WHERE removed_at IS NULL AND (
      invoices.customer_id <> note.customer_id OR own.customer_id <> note.customer_id
      OR invoices.currency <> own.currency OR invoices.status = 'voided')`,
  "no invoice has an amount due beside a credit of its own": `
    SELECT invoices.id FROM credit_notes INDEXED BY credit_notes_with_credit
    JOIN invoices ON invoices.id = invoice_id WHERE unapplied_amount > 0 AND amount_due > 0`,
  "a credit note is posted only where its invoice is": ofNote(`
    SELECT note.id FROM these note WHERE status = 'issued' AND ${isPosted("credit_note", "note.id")}
      AND NOT ${isPosted("invoice", "note.invoice_id")}`),
  "a voided invoice has no credit note that stands": ofNote(`
    SELECT note.id FROM these note JOIN invoices ON invoices.id = invoice_id
    WHERE note.status = 'issued' AND invoices.status = 'voided'`),
};
