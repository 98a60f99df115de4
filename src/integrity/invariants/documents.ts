import { unnumbered, yearInNumber, yearOfDate } from "./numbers.ts";
import { ofEach, type Sentences } from "./sentence.ts";

const ofInvoice = ofEach("invoices");
const ofPayment = ofEach("payments");

/** The state of an invoice's seller, as its tax was worked out. */
const SELLER_STATE = `CASE
      WHEN coalesce(substr(json_extract(seller, '$.gstin'), 1, 2), '99') = '99' THEN json_extract(seller, '$.state_code')
      ELSE substr(json_extract(seller, '$.gstin'), 1, 2) END`;

/** What a gateway gave back by itself of a capture, and no credit note says. */
const backOf = (capture: string) => `(SELECT coalesce(sum(owed), 0) FROM uncovered_refunds uncovered
            JOIN gateway_refunds refund ON refund.id = uncovered.id
            WHERE uncovered.capture_id = ${capture}.id AND refund.status = 'succeeded')`;

/** What holds of invoices and payments as documents. */
export const DOCUMENTS: Sentences = {
  "invoice numbers run from 1 without gap in every financial year, and their counter is at the last":
    unnumbered({
      series: "invoice",
      table: "invoices",
      number: "invoice_number",
    }),
  "payment numbers run from 1 without gap in every financial year, and their counter is at the last":
    unnumbered({
      series: "payment",
      table: "payments",
      number: "payment_number",
    }),
  "an invoice's number and financial year are those of its date": ofInvoice(`
    SELECT id FROM these WHERE financial_year <> ${yearOfDate("invoice_date")}
      OR ${yearInNumber("invoice_number")} IS NOT substr(financial_year, 3) OR due_date < invoice_date`),
  "a payment's number is of the financial year of its date": ofPayment(`
    SELECT id FROM these
    WHERE ${yearInNumber("payment_number")} IS NOT substr(${yearOfDate("payment_date")}, 3)`),
  "an invoice has lines": ofInvoice(`
    SELECT id FROM these invoices WHERE NOT EXISTS (SELECT 1 FROM invoice_items WHERE invoice_id = invoices.id)`),
  "an invoice's totals are those of its lines": ofInvoice(`
    SELECT invoices.id FROM these invoices JOIN invoice_items item ON item.invoice_id = invoices.id GROUP BY invoices.id
    HAVING taxable_total <> sum(item.taxable_value) OR discount_total <> sum(item.discount_amount)
      OR cgst_total <> sum(item.cgst_amount) OR sgst_total <> sum(item.sgst_amount)
      OR igst_total <> sum(item.igst_amount)`),
  // A storefront line's unit price follows from its value, rounded; any other line's value from its unit price.
  "a line's value is its quantity times its price, less its discount": ofInvoice(`
    SELECT item.invoice_id FROM these invoices JOIN invoice_items item ON item.invoice_id = invoices.id
    WHERE abs(item.quantity * item.unit_price - (item.taxable_value + item.discount_amount) * 100000)
      > iif(source <> 'api', item.quantity / 2 + 1, 50000)`),
  // Outside India the tax of a storefront line is what its shop stated.
  "a line's tax is that of its rate, to a paisa in each head": ofInvoice(`
    SELECT item.invoice_id FROM these invoices JOIN invoice_items item ON item.invoice_id = invoices.id
    WHERE (source = 'api' OR supply_type IS NOT NULL) AND (
      abs(item.cgst_amount * 200000 - iif(supply_type = 'intra', item.taxable_value * item.tax_rate, 0)) > 200000
      OR abs(item.igst_amount * 100000 - iif(supply_type = 'intra', 0, item.taxable_value * item.tax_rate)) > 100000)`),
  "a line's taxes fit its invoice's kind of supply": ofInvoice(`
    SELECT item.invoice_id FROM these invoices JOIN invoice_items item ON item.invoice_id = invoices.id
    WHERE iif(supply_type = 'intra', item.igst_amount = 0 AND item.sgst_amount = item.cgst_amount,
      item.cgst_amount = 0 AND item.sgst_amount = 0) = 0`),
  "an invoice's kind of supply fits its place": ofInvoice(`
    SELECT id FROM these WHERE (supply_type = 'export') <> (place_of_supply_code IS '96')
      OR (supply_type = 'intra' AND place_of_supply_code <> ${SELLER_STATE})
      OR (supply_type = 'inter' AND (place_of_supply_code IS NULL OR ${SELLER_STATE} IS NULL))`),
  "paid, withheld, credited and due make up an invoice's total": ofInvoice(`
    SELECT id FROM these
    WHERE status <> 'voided' AND amount_paid + tds_amount + amount_credited + amount_due <> total_amount`),
  "what was paid on an invoice is the sum of its live payments": ofInvoice(`
    SELECT id FROM these invoices WHERE status <> 'voided' AND (
      amount_paid <> (SELECT coalesce(sum(amount), 0) FROM payments WHERE invoice_id = invoices.id AND deleted_at IS NULL)
      OR tds_amount <> (SELECT coalesce(sum(tds_amount), 0) FROM payments WHERE invoice_id = invoices.id AND deleted_at IS NULL))`),
  // A capture that paid several invoices goes back of its newest payment first, a sibling that lends of its own documents.
  "an invoice has what its gateways gave back by themselves of its payments, and no credit note says":
    ofInvoice(`
    SELECT id FROM these invoices WHERE refunded_without_credit_note <> (
      SELECT coalesce(sum(amount - max(0, min(amount, upto - own - max(0, min(borrowed, lenders - earlier))))), 0) FROM (
        SELECT paid.amount, max(0, -capture.lent_amount) AS borrowed,
          (SELECT sum(amount) FROM payments WHERE gateway = paid.gateway AND gateway_payment_id = paid.gateway_payment_id
            AND deleted_at IS NULL AND id >= paid.id) AS upto,
          ${backOf("capture")} AS own,
          (SELECT coalesce(sum(max(0, ${backOf("sibling")} - invoiced_amount)), 0) FROM capture_siblings sibling
            WHERE of_capture_id = capture.id AND currency = capture.currency AND lent_amount > 0) AS lenders,
          (SELECT coalesce(-sum(lent_amount), 0) FROM capture_siblings sibling
            WHERE of_capture_id = capture.id AND currency = capture.currency AND lent_amount < 0 AND id < capture.id) AS earlier
        FROM payments paid JOIN gateway_captures capture USING (gateway, gateway_payment_id)
        WHERE invoice_id = invoices.id AND deleted_at IS NULL))`),
  "a payment is of its invoice's customer and currency": ofPayment(`
    SELECT payments.id FROM these payments LEFT JOIN invoices ON invoices.id = invoice_id
    WHERE (payments.customer_id = invoices.customer_id AND payments.currency = invoices.currency) IS NOT 1`),
  "a voided invoice has no live payment": ofInvoice(`
    SELECT id FROM these invoices WHERE status = 'voided'
      AND EXISTS (SELECT 1 FROM payments WHERE invoice_id = invoices.id AND deleted_at IS NULL)`),
  "an invoice belongs to a live customer": ofInvoice(`
    SELECT invoices.id FROM these invoices JOIN customers ON customers.id = customer_id
    WHERE customers.deleted_at IS NOT NULL OR customers.is_customer = 0`),
  "an invoice's particulars are of its customer": ofInvoice(`
    SELECT id FROM these WHERE json_extract(customer, '$.id') IS NOT customer_id`),
};
