import { afterEach, describe, expect, test } from "vitest";
import { must, type TestCompany } from "../../support/company.ts";
import { play } from "../../support/gateways.ts";
import { expectSound } from "../../support/oracles.ts";
import { balancesOf } from "../captures/captures.ts";
import { newInvoice } from "../commerce.ts";
import { applyNote, getNote, newNote, payOut, voidNote } from "../credit-notes/notes.ts";
import { newPayment, refund, tally, today } from "../money.ts";
import { newUnpaid, opened, openSeller } from "../payments/online/unpaid.ts";
import { refusal } from "../refusal.ts";
import { endAtGateway, getRefund, ledgerOf, newRefund, postRefund, refundsOf } from "./refunds.ts";
import { saleOf, soldInvoice, soldOrder, withFaults } from "./sales.ts";

const seller = await openSeller();
const company = seller.company;
afterEach(() => expectSound(company));

const takeBack = (payment: string) => refund(company, payment);

/** An invoice of 354.00 that two payments of the gateway paid: 100.00, then 254.00. */
async function paidByTwo() {
  const unpaid = await newUnpaid(seller);
  const byHand = await newPayment(company, { invoice_id: unpaid.invoice.id, amount: 254 });
  await play(company, "razorpay", await opened(seller, unpaid), "paid");
  must(await takeBack(byHand.id), 200);
  await play(company, "razorpay", await opened(seller, unpaid), "paid");
  return saleOf(seller, "invoice", unpaid.invoice.id);
}

async function owedBy(company: TestCompany): Promise<number> {
  const [row] = await company.rows(`
    SELECT sum(debit - credit) AS owed FROM journal_lines JOIN accounts ON accounts.id = account_id
      WHERE party_type = 'customer'`);
  return Number(row?.owed ?? 0);
}

describe("credit of a note goes back through the payment of its invoice", () => {
  test("whole, with its entry: the customer owes nothing, and nothing is left of the note", async () => {
    const note = await (await soldInvoice(seller)).note();
    expect(await owedBy(company)).toBe(-35_400);
    const sent = await newRefund(company, { credit_note_id: note.id, reason: "cancellation" });
    expect(sent).toMatchObject({ status: "succeeded", amount: 354, credit_note_id: note.id });
    expect(sent.journal_entry_id).toEqual(expect.any(String));
    expect(await company.read(`/ledger/:company/journal-entries/${sent.journal_entry_id}`)).toMatchObject({
      ...{ voucher_type: "refund", source_type: "gateway_refund", source_id: sent.id, entry_date: today() },
    });
    expect(await owedBy(company)).toBe(0);
    expect((await balancesOf(company))["Razorpay Clearing"]).toBeUndefined();
    expect(await getNote(company, note.id)).toMatchObject({ refunded_amount: 354, unapplied_amount: 0 });
    expect(await voidNote(company, note.id)).toMatchObject({ status: 409, body: { code: "credit_in_use" } });
    expect((await postRefund(company, { credit_note_id: note.id })).status).toBe(422);
  });

  test("a payout and refunds together take no more than the note has", async () => {
    const note = await (await soldInvoice(seller)).note();
    must(await payOut(company, note.id, { amount: 100, payout_date: today() }), 201);
    expect(await postRefund(company, { credit_note_id: note.id, amount: 300 })).toMatchObject(
      refusal(422, "credit_exhausted", { unapplied_amount: 254 }),
    );
    const answers = await Promise.all([
      postRefund(company, { credit_note_id: note.id, amount: 200 }),
      postRefund(company, { credit_note_id: note.id, amount: 200 }),
      payOut(company, note.id, { amount: 200, payout_date: today() }),
    ]);
    expect(tally(answers)).toEqual({ 201: 1, 422: 2 });
  });

  test("no more of a payment goes back than its invoice was paid with", async () => {
    const { invoice } = await newUnpaid(seller);
    await newPayment(company, { invoice_id: invoice.id, amount: 354 });
    const note = await newNote(company, invoice.id);
    expect(await postRefund(company, { credit_note_id: note.id })).toMatchObject(
      refusal(422, "refund_exceeds_payment", { refundable_amount: 0 }),
    );
    const part = await (await soldInvoice(seller)).note(100);
    // With its share of the invoice's round-off.
    expect(await newRefund(company, { credit_note_id: part.id })).toMatchObject({ amount: 118.01 });
    expect((await ledgerOf(seller)).at(-1)).toMatchObject({ amount: 11_801 });
  });

  test("an invoice that several payments paid has a refund of each, the oldest first", async () => {
    const note = await (await paidByTwo()).note();
    const first = await newRefund(company, { credit_note_id: note.id, amount: 300 });
    expect(first).toMatchObject({ amount: 100, status: "succeeded" });
    expect(first.sibling_ids).toHaveLength(1);
    const second = await getRefund(company, first.sibling_ids[0] ?? "");
    expect(second).toMatchObject({ amount: 200, status: "succeeded", sibling_ids: [first.id] });
    expect((await refundsOf(company)).slice(-2)).toEqual(["api succeeded 10000", "api succeeded 20000"]);
  });
});

/** An order of 100.00 that a gateway paid once, and the payment of its invoice. */
async function order() {
  const sale = await soldOrder(seller);
  const [row] = await company.rows("SELECT id FROM payments WHERE invoice_id = ?", sale.invoiceId);
  return { sale, payment: String(row?.id) };
}

const inUse = (...notes: { id: string }[]) => ({
  ...{ status: 409, body: { code: "has_credit_notes", credit_note_ids: notes.map(({ id }) => id) } },
});

describe("a payment whose money went back by a credit note is not taken back", () => {
  test("refunded through its gateway, whole or in part", async () => {
    const { sale, payment } = await order();
    const part = await sale.note(40);
    await newRefund(company, { credit_note_id: part.id });
    expect(await takeBack(payment)).toMatchObject(inUse(part));
    const rest = await sale.note();
    await newRefund(company, { credit_note_id: rest.id });
    expect(await takeBack(payment)).toMatchObject(inUse(part, rest));
    expect(await sale.due()).toEqual([]);
    expect(await sale.sent()).toBe(100);
  });

  test("being refunded; once that failed it is", async () => {
    const { sale, payment } = await order();
    const note = await sale.note();
    const sent = await withFaults(seller, { refund_pending: 1 }, () =>
      newRefund(company, { credit_note_id: note.id }),
    );
    expect(await takeBack(payment)).toMatchObject(inUse(note));
    await endAtGateway(seller, sent.gateway_refund_id, "failed");
    must(await takeBack(payment), 200);
    expect(await sale.due()).toEqual([100]);
    await sale.refund();
    expect(await sale.due()).toEqual([]);
  });

  test("paid out by hand", async () => {
    const { sale, payment } = await order();
    const note = await sale.note();
    must(await payOut(company, note.id, { amount: 100, payout_date: today() }), 201);
    expect(await takeBack(payment)).toMatchObject(inUse(note));
    expect(await sale.due()).toEqual([]);
  });

  test("applied to another invoice", async () => {
    const { sale, payment } = await order();
    const note = await sale.note();
    const other = await newInvoice(company, sale.customerId);
    must(await applyNote(company, note.id, other.id, 60), 200);
    expect(await takeBack(payment)).toMatchObject(inUse(note));
    must(await company.call("POST", `/invoices/:company/${other.id}/void`), 200);
    must(await takeBack(payment), 200);
  });
});

test("of two payments, the one that still has its money at the gateway is taken back", async () => {
  const { invoiceId, ...sale } = await paidByTwo();
  const note = await sale.note(50);
  await newRefund(company, { credit_note_id: note.id });
  const paid = await company.rows(
    "SELECT id FROM payments WHERE invoice_id = ? AND deleted_at IS NULL",
    invoiceId,
  );
  const [first = "", second = ""] = paid.map(({ id }) => String(id));
  expect(await takeBack(first)).toMatchObject(inUse(note));
  must(await takeBack(second), 200);
});

test("a payment by hand that bounced is taken back: its customer owes what was given back", async () => {
  const { invoice } = await newUnpaid(seller);
  const payment = await newPayment(company, { invoice_id: invoice.id, amount: 354 });
  const note = await newNote(company, invoice.id);
  must(await payOut(company, note.id, { amount: 354, payout_date: today() }), 201);
  must(await takeBack(payment.id), 200);
});
