import { afterEach, expect, test } from "vitest";
import { must } from "../../support/company.ts";
import { expectSound } from "../../support/oracles.ts";
import { balancesOf } from "../captures/captures.ts";
import { refusal } from "../refusal.ts";
import { setRules } from "../school.ts";
import { deliver } from "../storefront/shop.ts";
import { endAtGateway, refundEvent } from "./refunds.ts";
import { NOTHING_LEFT, newestRefund, openLessons, openOf } from "./sales.ts";

const lessons = await openLessons();
const { company, shop } = lessons;
await setRules(company, { issue_invoices: false });
afterEach(() => expectSound(company));

const cancellation = { reason: "cancellation" };
const REFUNDED = { payment_status: "refunded" };

test("a gateway gave a receipt's money back: once staff mark it refunded, the books say so once", async () => {
  const before = await balancesOf(company);
  const sale = await lessons.sold();
  await sale.console();
  expect(await newestRefund(company)).toMatchObject({ source: "gateway", needs_review: true });
  expect(await sale.read()).toMatchObject({ payment_status: "paid", needs_review: true });
  expect(await sale.post(cancellation)).toMatchObject(NOTHING_LEFT);
  must(await sale.patch(REFUNDED), 200);
  expect(await balancesOf(company)).toEqual(before);
  expect(await newestRefund(company)).toMatchObject({ needs_review: false });
  expect(await sale.read()).toMatchObject({ payment_status: "refunded", needs_review: false });
  expect(await openOf(company)).toEqual([]);
});

test("what staff have marked as refunded first, and its gateway reports after that, went back once", async () => {
  const before = await balancesOf(company);
  const sale = await lessons.sold();
  await sale.cancel();
  must(await sale.patch(REFUNDED), 200);
  const made = await sale.console();
  expect(await newestRefund(company)).toMatchObject({
    source: "gateway",
    amount: sale.price,
    needs_review: false,
  });
  expect(await balancesOf(company)).toEqual(before);
  expect(await sale.read()).toMatchObject({ payment_status: "refunded", needs_review: false });
  expect(await openOf(company)).toEqual([]);
  await expectSound(company);

  await endAtGateway(shop, made.id, "failed");
  expect(await sale.read()).toMatchObject({ payment_status: "refund_due", refunded_amount: 0 });
  expect(await sale.refund(cancellation)).toMatchObject({ amount: sale.price });
  expect(await balancesOf(company)).toEqual(before);
});

test("while it is on its way, nothing else goes back", async () => {
  const sale = await lessons.sold();
  const payment_id = sale.payments[0]?.payment;
  const entity = { id: "rfnd_Pending", payment_id, amount: 4_000, status: "pending" };
  must(await deliver(company, shop.connected, refundEvent(entity, "refund.created")), 200);
  for (const answer of [await sale.patch(REFUNDED), await sale.post(cancellation)])
    expect(answer).toMatchObject(refusal(409, "refund_in_progress"));
});

test("its invoice may be issued instead: the customer owes what the gateway gave back", async () => {
  const owed = (await balancesOf(company))["Sundry Debtors"] ?? 0;
  const sale = await lessons.sold();
  await sale.console();
  must(await company.call("POST", `/settings/:company/bookings/${sale.id}/invoice`, { body: {} }), 200);
  expect((await balancesOf(company))["Sundry Debtors"]).toBe(owed + sale.price);
  expect(await newestRefund(company)).toMatchObject({ needs_review: true });
});
