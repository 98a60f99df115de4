import { describe, expect, test } from "vitest";
import { must } from "../../../support/company.ts";
import { play } from "../../../support/gateways.ts";
import { expectSound } from "../../../support/oracles.ts";
import { rowsOf } from "../../commerce.ts";
import {
  captured,
  deliver,
  gatewayOrderOf,
  getOrder,
  openShop,
  type Placed,
  placeOrder,
  razorpayEvent,
} from "../shop.ts";
import { events, notesOf } from "./webhook.ts";

// Most tests share a shop, and each has an order of its own: the newest.
const shared = await openShop();

async function shopWithOrder() {
  const { company } = shared;
  const earlier = (await events(company)).length;
  const placed = await placeOrder(company);
  /** What came of the events since. */
  const outcomes = async () => (await events(company)).slice(earlier).map(({ outcome }) => outcome);
  return { ...shared, placed, outcomes, notes: await notesOf(company) };
}

/** As checkout left its payment before it kept the gateway's id of its order. */
const forget = (placed: Placed, change = "created_at = created_at") =>
  rowsOf(
    shared.company,
    `UPDATE payment_intents SET gateway_order_id = NULL, ${change} WHERE gateway_order_id = ?`,
    [gatewayOrderOf(placed)],
  );

describe("an order that the gateway's id does not find", () => {
  test("is found by the notes of the gateway's order, which a payer's browser cannot set", async () => {
    const { company, connected, placed, notes } = await shopWithOrder();
    await forget(placed);
    const event = razorpayEvent(placed, {
      order: { notes },
      payment: { notes: { ...notes, reference: "999" } },
    });
    expect((await deliver(company, connected, event)).status).toBe(200);
    expect((await getOrder(company, placed.order_id)).payment_status).toBe("paid");
    await expectSound(company);
  });

  test.each([
    ["was begun long ago", "created_at = created_at - 100000"],
    ["has failed", "status = 'failed'"],
  ])("is listed and pays nothing where the payment that it names %s", async (_what, change) => {
    const { company, connected, placed, notes, outcomes } = await shopWithOrder();
    await forget(placed, change);
    expect((await deliver(company, connected, razorpayEvent(placed, { payment: { notes } }))).status).toBe(
      200,
    );
    expect((await getOrder(company, placed.order_id)).payment_status).toBe("unpaid");
    expect(await outcomes()).toEqual(["ignored"]);
  });

  test.each([
    ["less money", { amount: 9_999 }],
    ["more money", { amount: 10_001 }],
    ["other money", { currency: "USD" }],
    ["the same money", {}],
  ])("is not found by the notes alone, for %s: the gateway's id is stored", async (_what, fields) => {
    const { company, connected, placed, notes, outcomes } = await shopWithOrder();
    const event = captured(placed, { order_id: null, notes, ...fields });
    expect((await deliver(company, connected, event)).status).toBe(200);
    expect(await outcomes()).toEqual(["ignored"]);
    expect((await getOrder(company, placed.order_id)).payment_status).toBe("unpaid");
  });

  test("is not paid by a payment that was only authorised and could not be captured", async () => {
    const { company, connected, placed, notes, outcomes } = await shopWithOrder();
    const payment = { status: "authorized", order_id: null, notes };
    const event = razorpayEvent(placed, { type: "payment.authorized", payment });
    expect((await deliver(company, connected, event)).status).toBe(200);
    expect(await outcomes()).toEqual(["ignored"]);
    expect((await getOrder(company, placed.order_id)).payment_status).toBe("unpaid");
  });
});

test("a session of stripe that can no longer be paid cancels its order, whose customer may then be deleted", async () => {
  const { company } = await openShop("stripe");
  const placed = await placeOrder(company);
  await play(company, "stripe", gatewayOrderOf(placed), "failed");
  expect((await events(company)).map(({ outcome }) => outcome).sort()).toEqual(["failed", "ignored"]);
  expect(await rowsOf(company, "SELECT status FROM payment_intents")).toEqual([{ status: "failed" }]);
  expect(await getOrder(company, placed.order_id)).toMatchObject({
    status: "cancelled",
    payment_status: "unpaid",
    invoice_url: null,
  });
  must(await company.call("DELETE", "/customers/:company/1"), 200);
  await expectSound(company);
});
