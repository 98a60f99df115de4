import { expect, test } from "vitest";
import { must, type TestCompany } from "../../support/company.ts";
import { expectSound } from "../../support/oracles.ts";
import { rowsOf } from "../commerce.ts";
import { deliver, getOrder, openShop, placeOrder, razorpayEvent } from "../storefront/shop.ts";
import { refundEvent, refundsOf } from "./refunds.ts";

async function straysOf(company: TestCompany): Promise<string[]> {
  const rows = await rowsOf(
    company,
    "SELECT gateway_refund_id AS id FROM gateway_refund_events WHERE refund_id IS NULL ORDER BY id",
  );
  return rows.map(({ id }) => String(id));
}

test("what a gateway reports of a refund before its payment is known counts once the payment is", async () => {
  const { company, connected } = await openShop();
  const placed = await placeOrder(company);
  const payment = { id: "pay_Late" };
  const refund = { payment_id: payment.id };
  for (const [id, amount, status] of [
    ["rfnd_Early", 4_000, "pending"],
    ["rfnd_Early", 4_000, "processed"],
    ["rfnd_Back", 1_000, "processed"],
    ["rfnd_Back", 1_000, "failed"],
  ])
    must(await deliver(company, connected, refundEvent({ ...refund, id, amount, status })), 200);
  must(
    await deliver(
      company,
      connected,
      refundEvent({ ...refund, id: "rfnd_Odd", amount: 0, status: "processed" }),
    ),
    200,
  );
  expect(await refundsOf(company)).toEqual([]);
  must(await deliver(company, connected, razorpayEvent(placed, { payment })), 200);
  await expect.poll(() => straysOf(company)).toEqual(["rfnd_Odd"]);
  expect(await refundsOf(company)).toEqual(["gateway succeeded 4000", "gateway failed 1000"]);
  const order = must(await company.call("GET", `/orders/:company/${placed.order_id}`), 200).body.data;
  expect(order).toMatchObject({
    ...{ payment_status: "paid", review_code: "refunded_at_gateway" },
    ...{ refund_status: "partial", refunded_amount: 40 },
  });
  expect(await getOrder(company, placed.order_id)).toMatchObject({ payment_status: "paid" });
  await expectSound(company);
});

test("a stray report ends once its refund is known otherwise, but for one of another amount", async () => {
  const { company, connected } = await openShop();
  const payment = { id: "pay_Again" };
  must(await deliver(company, connected, razorpayEvent(await placeOrder(company), { payment })), 200);
  // As they were stored before the payment was known, where no job applied them.
  const [id, stray] = [
    "rfnd_Again",
    `INSERT INTO gateway_refund_events (gateway, event_id, type, payload_sha256, gateway_refund_id, gateway_payment_id, amount,
      currency, state, received_at, gateway_account_id, kind)
      SELECT gateway, ?, 'refund.processed', '', ?, gateway_payment_id, ?, currency, 'succeeded', 1, gateway_account_id, 'refund'
      FROM gateway_captures`,
  ];
  await rowsOf(company, stray, ["evt_stored", id, 4_000]);
  await rowsOf(company, stray, ["evt_less", id, 3_000]);
  const refund = { id, payment_id: payment.id, amount: 4_000, status: "processed" };
  must(await deliver(company, connected, refundEvent(refund)), 200);
  expect(await refundsOf(company)).toEqual(["gateway succeeded 4000"]);
  expect(await rowsOf(company, "SELECT event_id FROM gateway_refund_events WHERE refund_id IS NULL")).toEqual(
    [{ event_id: "evt_less" }],
  );
  await expectSound(company);
});

test("a chargeback that began and ended before its payment is known is applied with its end at once", async () => {
  const { company, connected } = await openShop();
  for (const kind of ["chargeback", "chargeback_reversed"])
    await rowsOf(
      company,
      `INSERT INTO gateway_refund_events (gateway, event_id, type, payload_sha256, gateway_refund_id, gateway_payment_id, amount,
        currency, state, received_at, gateway_account_id, kind)
        SELECT kind, ?1, 'dispute', '', 'disp_Won', 'pay_Won', 10000, 'INR', 'succeeded', 1, id, ?1 FROM gateway_accounts`,
      [kind],
    );
  const payment = { id: "pay_Won" };
  must(await deliver(company, connected, razorpayEvent(await placeOrder(company), { payment })), 200);
  await expect.poll(() => straysOf(company)).toEqual([]);
  expect(await refundsOf(company)).toEqual(["chargeback failed 10000"]);
  await expectSound(company);
});
