import { expect, test } from "vitest";
import { must } from "../../support/company.ts";
import { play } from "../../support/gateways.ts";
import { check, rowsAsWritten, sentences, tamper } from "../../tenancy/companies/self-check.ts";
import { newNote } from "../credit-notes/notes.ts";
import { today } from "../money.ts";
import { newUnpaid, opened, openSeller } from "../payments/online/unpaid.ts";
import { newRefund, paidOrder } from "./refunds.ts";

// Puts back what the change before has changed.

const seller = await openSeller();
const company = seller.company;
const { captureId } = await paidOrder({ company, connected: seller.connected });
await newRefund(company, { capture_id: captureId });
const unpaid = await newUnpaid(seller);
await play(company, "razorpay", await opened(seller, unpaid), "paid");
const note = await newNote(company, unpaid.invoice.id);
await newRefund(company, { credit_note_id: note.id });
const payout = { gateway: "razorpay", settled_on: today(), payout_reference: "setl_1", net_amount: 100 };
const body = { ...payout, captures: [captureId] };
must(await company.call("POST", "/ledger/:company/settlements", { body }), 201);
expect(sentences(await check(company))).toEqual([]);
const whole = await rowsAsWritten(company, [
  "gateway_refunds",
  "gateway_captures",
  "credit_notes",
  "invoices",
  "journal_lines",
]);

test.each([
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
    "UPDATE credit_notes SET gateway_refunded_amount = gateway_refunded_amount - 1",
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
  expect(sentences(await check(company)).join()).toContain(sentence);
});
