import { expect, test } from "vitest";
import { must, openCompany, type TestCompany } from "../../../support/company.ts";
import { expectSound } from "../../../support/oracles.ts";
import { balancesOf } from "../../captures/captures.ts";
import { settle } from "../../captures/put-back.ts";
import { getInvoice, newCustomer, newInvoice, REGISTERED } from "../../commerce.ts";
import { applyNote, getNote, newNote, payOut } from "../../credit-notes/notes.ts";
import { newPayment, postSettlement, reverse, tally, times, today } from "../../money.ts";
import { getRefund, newRefund, paidOrder } from "../../refunds/refunds.ts";
import { openLessons, soldOrder } from "../../refunds/sales.ts";
import { refusal } from "../../refusal.ts";
import { setRules } from "../../school.ts";
import { read, resolved } from "../../storefront/orders/review.ts";
import { openShop } from "../../storefront/shop.ts";

type Row = Record<string, unknown> & { id: string };

/** What is listed at a path of the ledger, newest first. */
const listed = (company: TestCompany, path: string) => company.read<Row[]>(`/ledger/:company/${path}`);

test("a payout of a gateway that never came is taken back once; its captures, refunds and reference are free again", async () => {
  const shop = await openShop();
  const { company } = shop;
  const { captureId, orderId } = await paidOrder(shop, "paid");
  const part = await newRefund(company, { order_id: orderId, amount: 40, reason: "deficiency" });
  const parts = { captures: [captureId], refunds: [part.id] };
  const payout = { payout_reference: "setl_1", net_amount: 58, fee_amount: 2, ...parts };
  const record = async () => must(await postSettlement(company, payout), 201);
  const before = await balancesOf(company);
  await record();
  await company.untilChained();
  const path = "/ledger/:company/settlements/1/reverse";
  must(await reverse(company, path), 200);
  expect(await reverse(company, path)).toMatchObject(refusal(409, "entry_reversed"));
  expect(await reverse(company, path.replace("1", "99"))).toMatchObject(refusal(404, "not_found"));
  expect(await balancesOf(company)).toEqual(before);
  expect(await getRefund(company, part.id)).toMatchObject({ settlement_id: null });
  await record();
  const day = `from=${today()}&to=${today()}`;
  expect(await listed(company, `settlements?${day}`)).toMatchObject([
    { id: "2", reversed_at: null, reversal_journal_entry_id: null },
    { id: "1", reversed_at: expect.any(String), reversal_journal_entry_id: expect.any(String) },
  ]);
  expect(await listed(company, "captures")).toMatchObject([{ settlement_id: "2" }]);
  await company.untilChained();
  expect(await company.read("/ledger/:company/self-check")).toMatchObject({ sound: true });
  for (const change of ["reversed_at = NULL", "net_amount = 1"])
    await expect(company.rows(`UPDATE settlements SET ${change}`)).rejects.toThrow("append_only");
  await expect(company.rows("UPDATE gateway_captures SET settlement_id = NULL")).rejects.toThrow(
    "append_only",
  );
  await expectSound(company);
});

test("a payout of an order's credit that is taken back leaves the order owed it, and the credit free", async () => {
  const shop = await openShop();
  const { company } = shop;
  const sale = await soldOrder(shop);
  const note = await sale.note();
  const before = await balancesOf(company);
  const order = await sale.read();
  expect(order).toMatchObject({ needs_refund: true });
  const paid = must(await payOut(company, note.id, { amount: 100, payout_date: today() }), 201).body.data;
  expect(await sale.read()).toMatchObject({ needs_refund: false });
  const path = `/credit-notes/:company/${note.id}/payouts/${paid.id}/reverse`;
  must(await reverse(company, path), 200);
  expect(await sale.read()).toEqual({ ...order, updated_at: expect.any(String) });
  expect(await balancesOf(company)).toEqual(before);
  expect(await getNote(company, note.id)).toMatchObject({ paid_out_amount: 0, unapplied_amount: 100 });
  expect(await listed(company, `credit-payouts?from=${today()}`)).toMatchObject([
    { amount: 100, reversed_at: expect.any(String), reversal_journal_entry_id: expect.any(String) },
  ]);
  // What its gateway gave back meanwhile has the note as its paper, once a payout by mistake is taken back.
  must(await payOut(company, note.id, { amount: 100, payout_date: today() }), 201);
  await sale.console();
  expect(await sale.read()).toMatchObject({ review_code: "refunded_at_gateway" });
  must(await reverse(company, path.replace(/\d+\/reverse/, "2/reverse")), 200);
  expect(await sale.read()).toMatchObject({ review_code: null, needs_refund: false });
  expect(await getNote(company, note.id)).toMatchObject({ refunded_amount: 100, unapplied_amount: 0 });
  await expectSound(company);
});

test.each([
  [true, "refund_due"],
  [false, "paid"],
])(
  "a booking whose credit was paid out by mistake (cancelled: %s) is %s again",
  async (cancelled, status) => {
    const lessons = await openLessons();
    const { company } = lessons;
    await setRules(company, { issue_invoices: true });
    const sale = await lessons.sold();
    if (cancelled) await sale.cancel();
    const note = await sale.note();
    expect(await sale.read()).toMatchObject({ payment_status: status });
    const payouts = `/credit-notes/:company/${note.id}/payouts`;
    const paid = must(await payOut(company, note.id, { amount: sale.price, payout_date: today() }), 201);
    expect(await sale.read()).toMatchObject({ payment_status: "refunded" });
    must(await reverse(company, `${payouts}/${paid.body.data.id}/reverse`), 200);
    expect(await sale.read()).toMatchObject({ payment_status: status });
    await expectSound(company);
  },
);

test("an application of credit to another invoice is taken back once; the invoice is due again", async () => {
  const company = await openCompany(REGISTERED);
  const { id: customerId } = await newCustomer(company);
  const [first, other] = [await newInvoice(company, customerId), await newInvoice(company, customerId)];
  await newPayment(company, { invoice_id: first.id, amount: 254 });
  const note = await newNote(company, first.id);
  must(await applyNote(company, note.id, other.id, 100), 200);
  const path = `/credit-notes/:company/${note.id}/applications`;
  const [applied, own] = await company.read<Row[]>(path);
  expect([applied, own]).toMatchObject([
    { invoice_id: other.id, amount: 100, removed_at: null },
    { invoice_id: first.id, amount: 100, removed_at: null },
  ]);
  const take = (row: Row | undefined) => reverse(company, `${path}/${row?.id}/reverse`);
  expect(tally(await times(2, () => take(applied)))).toEqual({ 200: 1, 409: 1 });
  expect(await take(applied)).toMatchObject(refusal(409, "entry_reversed"));
  expect(await take(own)).toMatchObject(refusal(409, "invalid_status"));
  expect(await getInvoice(company, other.id)).toMatchObject({ amount_due: 354, amount_credited: 0 });
  expect(await getNote(company, note.id)).toMatchObject({ applied_amount: 100, unapplied_amount: 254 });
  const query = `invoice_id=${other.id}&created_from=${today()}`;
  const removed = { id: applied?.id, removed_at: expect.any(String) };
  expect(await listed(company, `credit-applications?${query}`)).toMatchObject([removed]);
  await expectSound(company);
});

test("an order and a booking are owed again what staff had marked as given back", async () => {
  const shop = await openShop();
  const twice = await soldOrder(shop, "twice");
  const order = await read(shop, twice.orderId);
  await resolved(shop, twice.orderId, { action: "dismiss", outside_reference: "UTR 3" });
  must(await reverse(shop.company, `/ledger/:company/captures/${twice.captureId}/reopen`), 200);
  const now = await read(shop, twice.orderId);
  expect(now).toEqual({ ...order, updated_at: now.updated_at, reviewed_at: now.reviewed_at });
  expect(await twice.due()).toEqual([100]);
  await expectSound(shop.company);

  const lessons = await openLessons();
  const sale = await lessons.sold();
  await sale.cancel();
  const due = await sale.due();
  must(await sale.patch({ payment_status: "refunded" }), 200);
  must(await reverse(lessons.company, `/ledger/:company/captures/${sale.payments[0]?.id}/reopen`), 200);
  expect(await sale.read()).toMatchObject({ payment_status: "refund_due" });
  expect(await sale.due()).toEqual(due);
  const extra = await lessons.sold("twice");
  const before = await extra.read();
  const path = `/ledger/:company/captures/${extra.payments[1]?.id}`;
  must(await settle(lessons.company, extra.payments[1]?.id, { outside_reference: "UTR 4" }), 200);
  must(await reverse(lessons.company, `${path}/reopen`), 200);
  expect(await extra.read()).toMatchObject({ needs_review: before.needs_review, payment_status: "paid" });
  await expectSound(lessons.company);
});
