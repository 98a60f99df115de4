import { describe, expect, test } from "vitest";
import { must, type TestCompany } from "../../../support/company.ts";
import { connectGateway } from "../../../support/gateways.ts";
import { expectSound } from "../../../support/oracles.ts";
import {
  captured,
  deliver,
  getOrder,
  line,
  openShop,
  orderState,
  placeOrder,
  razorpayEvent,
} from "../shop.ts";
import { invoicesOf } from "./webhook.ts";

const shared = await openShop();
const PAID = { payment_status: "paid", needs_refund: false };

const outcomesOf = async (company: TestCompany) =>
  (await company.rows("SELECT outcome FROM gateway_events ORDER BY outcome")).map(({ outcome }) => outcome);

test.each([
  ["a test account", "a live one", { mode: "live" }],
  ["another account", "its own", {}],
])("the secret of %s settles no order of %s: its event is quarantined", async (_what, _whose, fields) => {
  const { company, connected: own } = await openShop("razorpay", { ...fields, priority: 1 });
  const other = await connectGateway(company, "razorpay");
  const placed = await placeOrder(company);
  const event = razorpayEvent(placed);
  expect((await deliver(company, other, event)).status).toBe(200);
  const failed = razorpayEvent(placed, { type: "payment.failed" });
  expect((await deliver(company, other, failed)).status).toBe(200);
  expect(await outcomesOf(company)).toEqual(["ignored", "quarantined"]);
  expect(await getOrder(company, placed.order_id)).toMatchObject({
    ...{ status: "draft", payment_status: "unpaid", needs_refund: false },
  });
  // The money is of the account that reports it, until the order's own account says otherwise.
  const captures = `SELECT outcome, intent_id, gateway_account_id AS account, amount, advance_amount FROM gateway_captures`;
  expect(await company.rows(captures)).toEqual([
    {
      outcome: "quarantined",
      intent_id: null,
      account: Number(other.id),
      amount: 10_000,
      advance_amount: 10_000,
    },
  ]);
  await expectSound(company);
  expect((await deliver(company, own, event)).status).toBe(200);
  expect((await getOrder(company, placed.order_id)).payment_status).toBe("paid");
  expect(await company.rows(captures)).toEqual([
    { outcome: "paid", intent_id: 1, account: Number(own.id), amount: 10_000, advance_amount: 0 },
  ]);
  expect((await deliver(company, other, event)).status).toBe(200);
  expect(await getOrder(company, placed.order_id)).toMatchObject(PAID);
  expect(await company.rows(captures)).toHaveLength(1);
  await expectSound(company);
});

test("two accounts that sign with the same secret each settle their own orders", async () => {
  const { company, connected } = await openShop("razorpay", {
    priority: 1,
    webhook_secret: "shared-by-both",
  });
  const first = await placeOrder(company);
  await connectGateway(company, "razorpay", { priority: 0, webhook_secret: "shared-by-both" });
  const second = await placeOrder(company);
  const signed = { merchant: { ...connected.merchant, webhook_secret: "shared-by-both" } };
  for (const placed of [first, second]) {
    expect((await deliver(company, signed, razorpayEvent(placed))).status).toBe(200);
    expect((await getOrder(company, placed.order_id)).payment_status).toBe("paid");
  }
  await expectSound(company);
});

describe("a payment that two orders name", () => {
  test.each([
    ["paid", {}, "invoiced"],
    ["still waits for review", { amount: 20_000 }, "advance"],
  ])(
    "is of the first, which it %s; the second waits for review, until its own comes",
    async (_what, fields, state) => {
      const { company, connected } = shared;
      const [first, second] = [
        await placeOrder(company),
        await placeOrder(company, { items: [{ ...line, quantity: 2 }] }),
      ];
      const payment = { id: `pay_of_${first.order_id}`, ...fields };
      await deliver(company, connected, captured(first, payment));
      const before = await company.rows(
        "SELECT * FROM gateway_captures WHERE gateway_payment_id = ?",
        payment.id,
      );
      expect(before).toMatchObject([{ state }]);
      const again = captured(second, { ...payment, amount: 20_000 });
      expect((await deliver(company, connected, again)).status).toBe(200);
      expect(await orderState(company, second.order_id)).toBe("draft review");
      expect(await invoicesOf(company, second)).toEqual({ invoices: 0, payments: 0 });
      expect(
        await company.rows("SELECT * FROM gateway_captures WHERE gateway_payment_id = ?", payment.id),
      ).toEqual(before);
      await expectSound(company);
      await deliver(company, connected, captured(second));
      expect(await getOrder(company, second.order_id)).toMatchObject(PAID);
      await deliver(company, connected, again);
      expect(await getOrder(company, second.order_id)).toMatchObject(PAID);
      await expectSound(company);
    },
  );

  test("is dismissed of the second with a reference, and cancels it", async () => {
    const { company, connected } = shared;
    const [first, second] = [await placeOrder(company), await placeOrder(company)];
    const payment = { id: `pay_of_${first.order_id}` };
    for (const placed of [first, second]) await deliver(company, connected, captured(placed, payment));
    const path = `/orders/:company/${second.order_id}`;
    expect((await company.call("GET", path)).body.data).toMatchObject({ review_code: "effect_refused" });
    for (const action of ["invoice", "refund"])
      expect((await company.call("POST", `${path}/resolve`, { body: { action } })).status).toBeGreaterThan(
        400,
      );
    const body = { action: "dismiss", outside_reference: payment.id };
    const { data } = must(await company.call<object>("POST", `${path}/resolve`, { body }), 200).body;
    expect(data).toMatchObject({ status: "cancelled", needs_refund: false });
    await expectSound(company);
  });
});
