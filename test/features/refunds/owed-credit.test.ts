import { afterEach, describe, expect, test } from "vitest";
import { must } from "../../support/company.ts";
import { leaveCapture } from "../../support/gateways.ts";
import { expectSound } from "../../support/oracles.ts";
import { pagesOf } from "../../support/pages.ts";
import { newInvoice } from "../commerce.ts";
import { applyNote, payOut, voidNote } from "../credit-notes/notes.ts";
import { typesOf } from "../events/events.ts";
import { today } from "../money.ts";
import { openSeller } from "../payments/online/unpaid.ts";
import { refusal } from "../refusal.ts";
import { resolve } from "../storefront/orders/review.ts";
import { endAtGateway, giveBack, newRefund, paidOrder } from "./refunds.ts";
import { allDue, newestRefund, openLessons, soldInvoice, soldOrder, withFaults } from "./sales.ts";

const seller = await openSeller();
const company = seller.company;
afterEach(() => expectSound(company));

const due = () => allDue(company);
async function owed(query = "needs_refund=true"): Promise<string[]> {
  return (await company.read<{ id: string }[]>(`/orders/:company?${query}`)).map(({ id }) => id);
}
const order = () => soldOrder(seller);

describe("a credit note by hand of an order that a gateway paid is owed back until it is", () => {
  test("refunded, with the order or the note", async () => {
    const sale = await order();
    const told = (await typesOf(company, "type=order.refund_needed")).length;
    const note = await sale.note(40);
    expect(await owed()).toEqual([sale.id]);
    expect(await due()).toEqual([`order ${sale.id} 40`]);
    expect(await typesOf(company, "type=order.refund_needed")).toHaveLength(told + 1);
    const sent = await sale.refund({ reason: "deficiency" });
    expect(sent).toMatchObject({ status: "succeeded", amount: 40, credit_note_id: note.id });
    expect(await owed()).toEqual([]);
    expect(await owed("refund_status=partial")).toEqual([sale.id]);
    const rest = await sale.note();
    await newRefund(company, { credit_note_id: rest.id, reason: "cancellation" });
    expect(await owed()).toEqual([]);
    expect(await owed("refund_status=refunded")).toEqual([sale.id]);
  });

  test("paid out, applied or voided", async () => {
    const sale = await order();
    const out = await sale.note(30);
    const applied = await sale.note(20);
    const voided = await sale.note(10);
    expect(await due()).toEqual([`order ${sale.id} 60`]);
    must(await payOut(company, out.id, { amount: 30, payout_date: today() }), 201);
    expect(await due()).toEqual([`order ${sale.id} 30`]);
    const other = await newInvoice(company, sale.customerId);
    must(await applyNote(company, applied.id, other.id, 20), 200);
    expect(await owed()).toEqual([sale.id]);
    must(await voidNote(company, voided.id), 200);
    expect(await owed()).toEqual([]);
    must(await company.call("POST", `/invoices/:company/${other.id}/void`), 200);
    expect(await owed()).toEqual([sale.id]);
    await newRefund(company, { credit_note_id: applied.id, reason: "cancellation" });
    expect(await owed()).toEqual([]);
  });

  test("a refund that issues its own note is on its way: it is owed only where it fails", async () => {
    const sale = await order();
    const told = (await typesOf(company, "type=order.refund_needed")).length;
    await sale.refund({ amount: 40, reason: "deficiency" });
    expect(await owed()).toEqual([]);
    expect(await typesOf(company, "type=order.refund_needed")).toHaveLength(told);
    await withFaults(seller, { refund_refused: 1 }, () => sale.refund({ amount: 30, reason: "deficiency" }));
    expect(await due()).toEqual([`order ${sale.id} 30`]);
    await sale.refund({ reason: "deficiency" });
    expect(await owed()).toEqual([]);
  });
});

describe("what is on its way is owed no more, and owed again where it fails:", () => {
  test("money that came twice", async () => {
    const twice = await soldOrder(seller, "twice");
    expect(await owed()).toEqual([twice.id]);
    const { gateway_refund_id: id } = await withFaults(seller, { refund_pending: 1 }, () => twice.refund());
    expect(await owed()).toEqual([]);
    expect(await due()).toEqual([]);
    await endAtGateway(seller, id, "failed");
    expect(await owed()).toEqual([twice.id]);
    await twice.refund();
  });

  test("credit that its gateway's console gave back, and that staff dismissed", async () => {
    const sale = await order();
    const made = await sale.console(50);
    await sale.note(40);
    must(await resolve(seller, sale.orderId, { action: "dismiss", outside_reference: "Console" }), 200);
    expect(await owed()).toEqual([]);
    await endAtGateway(seller, made.id, "failed");
    expect(await due()).toEqual([`order ${sale.id} 40`]);
    expect(await owed()).toEqual([sale.id]);
    await expectSound(company);
    await sale.refund();
  });

  test("credit of an order whose two payments its console gave back, where the first of these fails", async () => {
    const sale = await soldOrder(seller, "twice");
    await sale.note(30);
    const first = await sale.console(undefined, 0);
    await sale.console(undefined, 1);
    expect(await owed()).toEqual([]);
    await endAtGateway(seller, first.id, "failed");
    expect(await due()).toEqual([`order ${sale.id} 30`]);
    expect(await owed()).toEqual([sale.id]);
    await expectSound(company);
    await sale.refund();
  });
});

test("unused credit of an invoice without an order is listed as the note's, as far as a gateway has its money", async () => {
  const note = await (await soldInvoice(seller)).note();
  expect(await due()).toEqual([`credit_note ${note.id} 354`]);
  await newRefund(company, { credit_note_id: note.id, reason: "cancellation", amount: 54 });
  expect(await due()).toEqual([`credit_note ${note.id} 300`]);
  await newRefund(company, { credit_note_id: note.id, reason: "cancellation" });
  expect(await due()).toEqual([]);
});

test.each([100, 60])(
  "credit of %d was paid out before its payment was charged back: staff end the review of what no note can cover",
  async (paidOut) => {
    const sale = await order();
    const notes = [await sale.note(paidOut)];
    must(await payOut(company, notes[0]?.id ?? "", { amount: paidOut, payout_date: today() }), 201);
    await giveBack(seller, sale.paymentId, { source: "chargeback", amount: 10_000 });
    const { id } = await newestRefund(company);
    const end = (sent: object) => company.call("POST", `/refunds/:company/${id}/dismiss`, { body: sent });
    if (paidOut < 100) {
      expect(await end({ note: "Early" })).toMatchObject(refusal(422, "credit_note_required"));
      notes.push(await sale.note(100 - paidOut));
    }
    expect(await sale.read()).toMatchObject({ review_code: "refunded_at_gateway" });
    expect(await end({ note: "" })).toMatchObject({ status: 422, body: { errors: [{ field: "note" }] } });
    const { data } = must(await end({ note: "Asked for by letter" }), 200).body;
    expect(data).toMatchObject({ needs_review: false, reviewed_at: expect.any(String) });
    expect(await sale.read()).toMatchObject({ review_code: null, needs_refund: false });
    const [audited] = await company.rows("SELECT action, note FROM audit_log ORDER BY id DESC LIMIT 1");
    expect(audited).toEqual({ action: "dismissRefundReview", note: "Asked for by letter" });
    for (const { id: note } of notes)
      expect(await voidNote(company, note)).toMatchObject(refusal(409, "credit_in_use"));
    expect(await end({ note: "Again" })).toMatchObject({ status: 409, body: { code: "invalid_status" } });
    const { open } = await company.read<{ open: { ids: string[] }[] }>("/ledger/:company/self-check");
    expect(open.flatMap(({ ids }) => ids)).not.toContain(String(id));
  },
);

test("a refund that needs no review has none to end", async () => {
  const body = { note: "None" };
  const { id } = await (await order()).refund({ reason: "sales_return" });
  expect(await company.call("POST", `/refunds/:company/${id}/dismiss`, { body })).toMatchObject(
    refusal(409, "invalid_status"),
  );
});

type Due = {
  kind: "order" | "booking" | "capture";
  ref_id: string;
  amount: number;
  capture_id: string | null;
};

test("orders, bookings and captures whose money is due back are listed, and one call sends each back", async () => {
  const lessons = await openLessons();
  const { company, shop } = lessons;
  const listed = async () => must(await company.call<Due[]>("GET", "/refunds/:company/due"), 200).body.data;
  expect(await listed()).toEqual([]);
  const { orderId, captureId } = await paidOrder(shop);
  await paidOrder(shop, "paid");
  const cancelled = await lessons.sold();
  await cancelled.cancel();
  const twice = await lessons.sold("twice");
  const stray = await leaveCapture(company);

  const due = await listed();
  const shown = due.map(({ kind, ref_id, amount }) => `${kind} ${ref_id} ${amount}`);
  expect(shown.toSorted()).toEqual(
    [
      `booking ${cancelled.id} ${cancelled.price}`,
      `capture ${Number(stray) - 1} ${twice.price}`,
      `capture ${stray} 354`,
      `order ${orderId} 100`,
    ].toSorted(),
  );
  expect(due.find(({ kind }) => kind === "order")?.capture_id).toBe(captureId);
  expect((await pagesOf<Due>(company, "/refunds/:company/due", { limit: "1" })).flat()).toEqual(due);

  for (const { kind, ref_id } of due.filter(({ ref_id }) => ref_id !== stray))
    expect((await newRefund(company, { [`${kind}_id`]: ref_id })).status).toBe("succeeded");
  expect((await listed()).map(({ ref_id }) => ref_id)).toEqual([stray]);
  await expectSound(company);
});
