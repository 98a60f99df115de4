import { expect, test } from "vitest";
import { must } from "../../support/company.ts";
import { check, rowsAsWritten, SCHEMA, sentences, tamper } from "../../tenancy/companies/self-check.ts";
import { line, newCustomer, newInvoice } from "../commerce.ts";
import { applyNote, byQuantity, newNote, payOut, voidNote } from "../credit-notes/notes.ts";
import { newPayment, newProduct, postSettlement, today } from "../money.ts";
import { openSeller } from "../payments/online/unpaid.ts";
import { pay } from "../storefront/orders/review.ts";
import { placeOrder } from "../storefront/shop.ts";
import { newRefund, paidOrder } from "./refunds.ts";
import { soldInvoice, soldOrder } from "./sales.ts";

const OF_NOTE = "a credit note has lines of its invoice, and their totals";
const OF_LINE = "what is credited of a line is the sum of its notes, and never above the line";

const seller = await openSeller();
const company = seller.company;
await newCustomer(company, { name: "Anil & Sons" });
const product = await newProduct(company, { track_stock: true, opening_stock: 50 });
const sold = { ...line, product_id: product.id };
const first = await newInvoice(company, seller.customerId, { items: [sold] });
const item = first.items[0]?.id;
await newNote(company, first.id, byQuantity(item, 1));
const second = await newInvoice(company, seller.customerId, { items: [sold] });
await newPayment(company, { invoice_id: second.id, amount: 354 });
const note = await newNote(company, second.id);
const third = await newInvoice(company, seller.customerId, { items: [sold] });
must(await applyNote(company, note.id, third.id, 100), 200);
must(await payOut(company, note.id, { amount: 50, payout_date: today() }), 201);
const back = await newNote(company, third.id, byQuantity(third.items[0]?.id, 3, { restock: true }));
must(await voidNote(company, back.id), 200);
await newNote(company, third.id, byQuantity(third.items[0]?.id, 3, { restock: true }));
const { captureId } = await paidOrder({ company, connected: seller.connected });
await newRefund(company, { capture_id: captureId });
await newRefund(company, { credit_note_id: (await (await soldInvoice(seller)).note()).id });
await (await soldOrder(seller)).note();
await pay(seller, await placeOrder(company), { amount: 50 });
const payout = { payout_reference: "setl_1", net_amount: 100, captures: [captureId] };
must(await postSettlement(company, payout), 201);
expect(sentences(await check(company))).toEqual([]);
const whole = await rowsAsWritten(company, [
  ...["gateway_refunds", "gateway_captures", "advances", "payment_intents", "sales_orders", "invoices"],
  ...["credit_notes", "credit_note_items", "credited_lines", "credit_applications", "credit_payouts"],
  ...["stock_movements", "journal_entries", "journal_lines"],
]);

test.each([
  [
    "a note's totals",
    "UPDATE credit_notes SET taxable_total = taxable_total + 1, total_amount = total_amount + 1 WHERE id = 1",
    OF_NOTE,
  ],
  [
    "a note's round-off",
    "UPDATE credit_notes SET round_off = round_off + 1, total_amount = total_amount + 1 WHERE id = 1",
    "the entry of a credit note says what the credit note says",
  ],
  ["a line's tax", "UPDATE credit_note_items SET cgst_amount = cgst_amount + 1 WHERE id = 1", OF_LINE],
  [
    "a line's credited quantity",
    "UPDATE credited_lines SET credited_quantity = credited_quantity + 1 WHERE invoice_item_id = 1",
    OF_LINE,
  ],
  [
    "a line's quantity",
    "UPDATE credited_lines SET quantity = quantity + 1 WHERE invoice_item_id = 1",
    OF_LINE,
  ],
  [
    "what is credited of an invoice",
    "UPDATE invoices SET taxable_credited = taxable_credited + 1 WHERE id = 1",
    "what is credited of an invoice is the sum of its notes, and of what was applied to it",
  ],
  [
    "what was applied",
    "UPDATE credit_applications SET amount = amount + 1 WHERE id = 1",
    "what is used of a credit note is what was applied, paid out and refunded of it, and no more than it has",
  ],
  [
    "what was paid out",
    "UPDATE credit_payouts SET amount = amount + 1 WHERE id = 1",
    "the entry of a payout has its customer's account and one of money",
  ],
  [
    "the stock of a voided note",
    "UPDATE stock_movements SET quantity = quantity + 1 WHERE reference_type = 'credit_note' AND reference_id = 3 AND type = 'void_restore'",
    "of a voided credit note nothing is back in stock",
  ],
  [
    "the stock of a note",
    "UPDATE stock_movements SET quantity = quantity + 1 WHERE reference_type = 'credit_note' AND reference_id = 4",
    "credit notes return no more than their invoice took",
  ],
  [
    "a note's date",
    "UPDATE credit_notes SET note_date = date(note_date, '-1 year') WHERE id = 1",
    "a credit note's number and financial year are those of its date, which is not before its invoice's",
  ],
  [
    "a note's number",
    "UPDATE credit_notes SET credit_note_number = replace(credit_note_number, '/00002', '/00009') WHERE id = 2",
    "credit note numbers run from 1 without gap in every financial year, and their counter is at the last",
  ],
  [
    "a commercial note's number on another",
    "UPDATE credit_notes SET credit_note_number = replace(credit_note_number, 'CN/', 'CCRN/') WHERE id = 2",
    "no note with tax has a number of a commercial note",
  ],
  ["a note's invoice", "UPDATE credit_notes SET invoice_id = 3 WHERE id = 1", OF_NOTE],
  [
    "a note's customer",
    "UPDATE credit_notes SET customer_id = 2 WHERE id = 2",
    "credit is applied to invoices of the note's customer and currency",
  ],
  [
    "a voided note",
    "UPDATE credit_notes SET status = 'issued', voided_at = NULL WHERE id = 3",
    "only what is live has an entry that stands",
  ],
  [
    "the entry of a note's invoice",
    "UPDATE journal_entries SET status = 'voided' WHERE source_type = 'invoice' AND source_id = 1",
    "a credit note is posted only where its invoice is",
  ],
  ["an advance without its entry", "DELETE FROM advances", "went into Customer Advances"],
  ["what came", "UPDATE gateway_captures SET amount = amount + 1", "went into Customer Advances"],
  [
    "what is invoiced",
    "UPDATE gateway_captures SET invoiced_amount = 1 WHERE advance_amount > 0",
    "a capture is invoiced as",
  ],
  [
    "what is settled",
    "UPDATE gateway_captures SET settled_amount = 1 WHERE advance_amount > 0",
    "a capture is invoiced as",
  ],
  [
    "the amount of an advance's entry",
    "UPDATE journal_lines SET debit = 2 * debit, credit = 2 * credit",
    "the entry of an advance",
  ],
  ["an advance that is paid out unseen", "UPDATE advances SET kind = 'settled'", "Customer Advances holds"],
  [
    "whose capture it is",
    "UPDATE gateway_captures SET gateway_payment_id = 'pay_' || id",
    "every event of money its capture",
  ],
  [
    "whose payment it is",
    "UPDATE payment_intents SET ref_id = '999' WHERE kind = 'invoice'",
    "a paid intent of an invoice has its invoice",
  ],
  [
    "credit that left the list of what is due without an entry",
    "UPDATE sales_orders SET needs_refund = 0, outside_reference = 'UTR1' WHERE needs_refund = 1",
    "an order whose invoice has unused credit",
  ],
  ["what went back", "UPDATE gateway_captures SET refunded_amount = 1", "a capture is refunded as"],
  [
    "what waits no more",
    "UPDATE gateway_captures SET withdrawn_amount = withdrawn_amount - 1 WHERE withdrawn_amount > 0",
    "a capture is refunded as",
  ],
  [
    "more than came",
    "UPDATE gateway_refunds SET amount = 2 * amount, advance_amount = 2 * advance_amount",
    "a capture is refunded as",
  ],
  ["whose it is", "UPDATE gateway_refunds SET gateway = 'stripe'", "a refund is of its capture's gateway"],
  [
    "an outcome that is never looked for",
    "UPDATE gateway_refunds SET status = 'created', settled_at = NULL, next_look_at = 2 * created_at",
    "a refund is of its capture's gateway",
  ],
  [
    "the accounts of an entry",
    "UPDATE gateway_refunds SET advance_amount = amount WHERE id = 2",
    "the entry of a refund takes",
  ],
  [
    "the amount of an entry",
    "UPDATE journal_lines SET debit = 2 * debit, credit = 2 * credit",
    "the entry of a refund takes",
  ],
  [
    "a refund that is no longer one",
    "UPDATE gateway_refunds SET status = 'failed', failure_code = 'by hand'",
    "only what is live has an entry that stands",
  ],
  [
    "what a note has left",
    "UPDATE credit_notes SET gateway_refunded_amount = gateway_refunded_amount - 1 WHERE gateway_refunded_amount > 0",
    "what is used of a credit note",
  ],
  [
    "what a receipt bears",
    "UPDATE gateway_refunds SET covered_amount = amount WHERE advance_amount = 0",
    "a refund is of its capture's gateway",
  ],
  [
    "what went back of an invoice",
    "UPDATE invoices SET refunded_without_credit_note = 1",
    "an invoice has what its gateways gave back",
  ],
  [
    "a payment whose money went back with a note",
    `UPDATE gateway_captures SET invoiced_amount = 0
      WHERE id = (SELECT capture_id FROM gateway_refunds WHERE credit_note_id IS NOT NULL)`,
    "no money waits of a capture that its gateway gave back with a credit note",
  ],
  ["whose account it is", "UPDATE gateway_refunds SET customer_id = NULL", "a customer owes in the books"],
  ["the day", "UPDATE gateway_refunds SET entry_date = '2020-01-01'", "an entry has its document"],
  // Nothing puts it back: it is the last.
  [
    "the payout that it was taken off",
    "INSERT INTO settled_refunds (refund_id, settlement_id) VALUES (1, 1)",
    "a payout is of its gateway's captures, less its refunds",
  ],
])("a change by hand of %s is named", async (_what, change, sentence) => {
  await tamper(company, [...whole, change]);
  const named = sentences(await check(company));
  expect(named.join()).toContain(sentence);
  expect(named).not.toContain(SCHEMA);
});
