import { expect, test } from "vitest";
import { must } from "../../../support/company.ts";
import { expectSound } from "../../../support/oracles.ts";
import { balancesOf } from "../../captures/captures.ts";
import { setClock } from "../../commerce.ts";
import { typesOf } from "../../events/events.ts";
import { adjust, newProduct, reverse, tally, times } from "../../money.ts";
import { openLessons } from "../../refunds/sales.ts";
import { refusal } from "../../refusal.ts";
import { newBooking, openSchool, setRules, staffPatch } from "../../school.ts";

type Row = Record<string, unknown> & { id: string };
const PAID = { status: "confirmed", payment_status: "paid", payment_mode_id: 2 };

/** A school in the middle of October with a lesson in November that staff marked as paid. */
async function paidByHand(rules = { issue_invoices: false }) {
  const school = await openSchool();
  const { company } = school;
  await setRules(company, rules);
  await setClock(company, "2026-10-15T06:00:00Z");
  const { id } = await newBooking(school, { booking_date: "2026-11-24", start_time: "10:00" });
  const mark = async (body: object) => must(await staffPatch(company, id, body), 200).body.data;
  await mark(PAID);
  const receipts = (query = "") => company.read<Row[]>(`/ledger/:company/receipts${query}`);
  const take = (back: string, body = {}) =>
    reverse(company, `/ledger/:company/receipts/${back}/reverse`, body);
  return { company, id, mark, receipts, take };
}

test("a receipt that staff recorded by mistake is taken back once, on its day; its booking is unpaid and may be paid", async () => {
  const { company, id, mark, receipts, take } = await paidByHand();
  await setClock(company, "2026-11-10T06:00:00Z");
  const day = { reversal_date: "2026-10-15" };
  expect(await take("1", { reversal_date: "2026-10-14" })).toMatchObject(refusal(422, "validation_failed"));
  expect(tally(await times(2, () => take("1", day)))).toEqual({ 200: 1, 409: 1 });
  expect(await take("1")).toMatchObject(refusal(409, "entry_reversed"));
  expect(await balancesOf(company, "2026-10-31")).toEqual({});
  expect(await mark({ ...PAID, payment_mode_id: 1 })).toMatchObject({ payment_status: "paid" });
  expect(await balancesOf(company, "2026-11-10")).toMatchObject({ Cash: 75 });
  expect(await typesOf(company, `resource=booking&record_id=${id}`)).toEqual([
    ...["booking.requested", "booking.confirmed", "booking.paid", "booking.unpaid", "booking.paid"],
  ]);
  const [second, first] = await receipts();
  expect(second).toMatchObject({ id: "2", amount: 75, has_ended: false, reversed_at: null });
  expect(first).toMatchObject({ id: "1", has_ended: true, reversed_at: expect.any(String) });
  expect(first).toMatchObject({ refund_number: null, reversal_journal_entry_id: expect.any(String) });
  expect(await receipts("?to=2026-10-31")).toEqual([first]);
  await expectSound(company);
});

test.each([
  ["a booking", "completed", "paid"],
  ["a cancelled booking", "cancelled", "refund_due"],
])(
  "%s that was marked as refunded by mistake has its money again, by a new receipt beside the refund voucher",
  async (_what, status, payment_status) => {
    const { company, id, mark, receipts } = await paidByHand();
    await setClock(company, "2026-11-24T12:00:00Z");
    await mark({ status });
    await mark({ payment_status: "refunded" });
    expect(await balancesOf(company, "2026-11-24")).toEqual({});
    expect(await mark({ payment_status: "paid", payment_mode_id: 2 })).toMatchObject({ payment_status });
    expect(await balancesOf(company, "2026-11-24")).toMatchObject({ Bank: 75 });
    const [again] = await receipts();
    expect(again).toMatchObject({ booking_id: id, receipt_date: "2026-11-24", has_ended: false });
    await expectSound(company);
  },
);

test("a payment that was taken back is recorded anew by the booking; a void leaves the booking unpaid", async () => {
  const { company, id, mark } = await paidByHand({ issue_invoices: true });
  must(await company.call("POST", "/payments/:company/1/refund"), 200);
  expect((await balancesOf(company)).Bank).toBe(undefined);
  const cash = { payment_status: "paid", payment_mode_id: 1 };
  const answers = await times(2, () => staffPatch(company, id, cash));
  expect(answers.map(({ status }) => status)).toContain(200);
  for (const { status, body } of answers) expect([200, 409], JSON.stringify(body)).toContain(status);
  expect(await balancesOf(company)).toMatchObject({ Cash: 75 });
  must(await company.call("POST", "/invoices/:company/1/void?reversal_date=2026-10-15"), 200);
  expect(await company.read(`/settings/:company/bookings/${id}`)).toMatchObject({ payment_status: "unpaid" });
  expect(await balancesOf(company)).toEqual({});
  expect(await mark(PAID)).toMatchObject({ payment_status: "paid", invoice_id: "2" });
  await expectSound(company);
});

test("a receipt of a gateway's money is not taken back, nor one that has ended", async () => {
  const lessons = await openLessons();
  const { company } = lessons;
  await setRules(company, { issue_invoices: false });
  const sale = await lessons.sold();
  const take = () => reverse(company, "/ledger/:company/receipts/1/reverse");
  expect(await take()).toMatchObject(refusal(409, "invalid_status"));
  must(await sale.patch({ status: "cancelled" }), 409);
  await sale.cancel();
  must(await sale.patch({ payment_status: "refunded" }), 200);
  expect(await take()).toMatchObject(refusal(409, "entry_reversed"));
  expect(await reverse(company, "/ledger/:company/receipts/9/reverse")).toMatchObject({ status: 404 });
  must(await sale.patch({ payment_status: "paid" }), 409);
  await expectSound(company);
});

test("movements of stock are listed, of all products or one", async () => {
  const { company } = await openLessons();
  const [lamp, other] = [
    await newProduct(company, { track_stock: true, opening_stock: 10 }),
    await newProduct(company, { track_stock: true, opening_stock: 1 }),
  ];
  await adjust(company, lamp.id, { adjustment_type: "decrease", quantity: 3, reason: "broken" });
  const list = (query = "") => company.read<Row[]>(`/ledger/:company/stock-movements${query}`);
  const [newest] = await list(`?product_id=${lamp.id}`);
  expect(newest).toMatchObject({ type: "adjust_decrease", quantity: -3, balance_after: 7, reason: "broken" });
  const products = async (query: string) => (await list(query)).map(({ product_id: id }) => id);
  expect(await products("")).toEqual([lamp.id, other.id, lamp.id]);
});
