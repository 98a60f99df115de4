import { describe, expect, test } from "vitest";
import { must, type TestCompany } from "../../../support/company.ts";
import { play } from "../../../support/gateways.ts";
import { expectSound } from "../../../support/oracles.ts";
import { rowsOf } from "../../commerce.ts";
import { tally } from "../../money.ts";
import {
  deliver,
  gatewayOrderOf,
  getOrder,
  openShop,
  type Placed,
  placeOrder,
  razorpayEvent,
} from "../shop.ts";
import { invoicesOf, notesOf } from "./webhook.ts";

// Most tests share a shop, and each has an order of its own: the newest.
let earlier = 0;
const shared = await openShop();

/** What came of the events since the newest order that shopWithOrder made. */
const outcomes = async (company: TestCompany) =>
  (
    await rowsOf(company, "SELECT outcome FROM gateway_events WHERE received_at > ? ORDER BY outcome", [
      company === shared.company ? earlier : 0,
    ])
  ).map(({ outcome }) => outcome);
const intent = async (company: TestCompany) =>
  (await rowsOf(company, "SELECT status, gateway_order_id FROM payment_intents ORDER BY id DESC LIMIT 1"))[0];
async function shopWithOrder() {
  const { company } = shared;
  earlier = Number(
    (await rowsOf(company, "SELECT max(received_at) AS latest FROM gateway_events"))[0]?.latest,
  );
  const placed = await placeOrder(company);
  return { ...shared, placed, notes: await notesOf(company) };
}
const captured = (placed: Placed, payment: Record<string, unknown> = {}) =>
  razorpayEvent(placed, { type: "payment.captured", payment });

describe("an order that the gateway's id does not find", () => {
  test("is found by the notes of the gateway's order, which a payer's browser cannot set", async () => {
    const { company, connected, placed, notes } = await shopWithOrder();
    await rowsOf(company, "UPDATE payment_intents SET gateway_order_id = NULL WHERE gateway_order_id = ?", [
      gatewayOrderOf(placed),
    ]);
    const event = razorpayEvent(placed, {
      order: { notes },
      payment: { notes: { ...notes, reference: "999" } },
    });
    expect((await deliver(company, connected, event)).status).toBe(200);
    expect((await getOrder(company, placed.order_id)).payment_status).toBe("paid");
    await expectSound(company);
  });

  test.each([
    ["less money", { amount: 9_999 }],
    ["more money", { amount: 10_001 }],
    ["other money", { currency: "USD" }],
    ["the same money", {}],
  ])("is not found by the notes alone, for %s: the gateway's id is stored", async (_what, fields) => {
    const { company, connected, placed, notes } = await shopWithOrder();
    const event = captured(placed, { order_id: null, notes, ...fields });
    expect((await deliver(company, connected, event)).status).toBe(200);
    expect(await outcomes(company)).toEqual(["ignored"]);
    expect((await getOrder(company, placed.order_id)).payment_status).toBe("unpaid");
  });

  test("is not paid by a payment that was only authorised and could not be captured", async () => {
    const { company, connected, placed, notes } = await shopWithOrder();
    const payment = { status: "authorized", order_id: null, notes };
    const event = razorpayEvent(placed, { type: "payment.authorized", payment });
    expect((await deliver(company, connected, event)).status).toBe(200);
    expect(await outcomes(company)).toEqual(["ignored"]);
    expect((await getOrder(company, placed.order_id)).payment_status).toBe("unpaid");
  });
});

test("two payments of one order at once make one invoice, and the order needs a refund", async () => {
  const { company, connected, placed } = await shopWithOrder();
  const answers = await Promise.all([1, 2, 3].map(() => deliver(company, connected, captured(placed))));
  expect(tally(answers)).toEqual({ 200: 3 });
  expect(await outcomes(company)).toEqual(["duplicate_payment", "duplicate_payment", "paid"]);
  expect(await getOrder(company, placed.order_id)).toMatchObject({ status: "invoiced", needs_refund: true });
  expect(await invoicesOf(company, placed)).toEqual({ invoices: 1, payments: 1 });
  await expectSound(company);
});

test("a session of stripe that can no longer be paid cancels its order, whose customer may then be deleted", async () => {
  const { company } = await openShop("stripe");
  const placed = await placeOrder(company);
  await play(company, "stripe", gatewayOrderOf(placed), "failed");
  expect(await outcomes(company)).toEqual(["failed", "ignored"]);
  expect((await intent(company))?.status).toBe("failed");
  expect(await getOrder(company, placed.order_id)).toMatchObject({
    status: "cancelled",
    payment_status: "unpaid",
    invoice_url: null,
  });
  must(await company.call("DELETE", "/customers/:company/1"), 200);
  await expectSound(company);
});
