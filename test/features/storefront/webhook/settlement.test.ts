import { describe, expect, test } from "vitest";
import { must, type TestCompany } from "../../../support/company.ts";
import { play } from "../../../support/gateways.ts";
import { expectSound } from "../../../support/oracles.ts";
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
  shared.company.rows(
    `UPDATE payment_intents SET gateway_order_id = NULL, ${change} WHERE gateway_order_id = ?`,
    gatewayOrderOf(placed),
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
  expect(await company.rows("SELECT status FROM payment_intents")).toEqual([{ status: "failed" }]);
  expect(await getOrder(company, placed.order_id)).toMatchObject({
    status: "cancelled",
    payment_status: "unpaid",
    invoice_url: null,
  });
  must(await company.call("DELETE", "/customers/:company/1"), 200);
  await expectSound(company);
});

// Two companies whose gateway accounts sign with the same secret, as one account of two shops does.
const secret = { webhook_secret: "one-account-of-both" };
const [mine, theirs] = [await openShop("razorpay", secret), await openShop("razorpay", secret)];

const signed = { merchant: secret } as Parameters<typeof deliver>[1];
type Ignored = { gateway_payment_id: string; amount: number; currency: string; type: string };
const ignored = async (company: TestCompany) =>
  must(await company.call<Ignored[]>("GET", "/ledger/:company/ignored-payments"), 200).body.data;
const captures = (company: TestCompany) => company.rows("SELECT gateway_payment_id FROM gateway_captures");

/** An event of another shop's order: the gateway's id is of none that this company has. */
const foreign = (placed: Placed, payment: Record<string, unknown>) =>
  captured(placed, { order_id: "order_h13898268", ...payment });

describe("one gateway account in two companies", () => {
  test("an event of the other's order is never this company's money, and both find their own", async () => {
    const placed = await placeOrder(theirs.company);
    const event = razorpayEvent(placed, { payment: { notes: await notesOf(theirs.company) } });
    for (let time = 0; time < 2; time += 1)
      expect((await deliver(mine.company, signed, event, { id: "evt_1" })).status).toBe(200);
    expect(await captures(mine.company)).toEqual([]);
    expect(await ignored(mine.company)).toMatchObject([
      {
        gateway_payment_id: event.payload.payment.entity.id,
        amount: 100,
        currency: "INR",
        type: "order.paid",
      },
    ]);
    expect((await deliver(theirs.company, signed, event)).status).toBe(200);
    expect((await getOrder(theirs.company, placed.order_id)).payment_status).toBe("paid");
    expect(await ignored(theirs.company)).toEqual([]);
    for (const { company } of [mine, theirs]) await expectSound(company);
  });

  test.each([
    ["another shop's notes", { woocommerce_order_id: "410" }, "payment.captured"],
    ["no notes", [], "payment.captured"],
    ["no notes, of a payment link", [], "payment_link.paid"],
    ["no notes, of a subscription", [], "subscription.charged"],
  ])("money with %s is answered 200 at once, listed, and not booked", async (_what, notes, type) => {
    const { company } = mine;
    const event = { ...foreign(await placeOrder(company), { notes }), event: type };
    expect((await deliver(company, signed, event)).status).toBe(200);
    const { id } = event.payload.payment.entity;
    expect((await ignored(company))[0]).toMatchObject({ gateway_payment_id: id, amount: 100 });
    expect(await captures(company)).not.toContainEqual({ gateway_payment_id: id });
    await expectSound(company);
  });

  test("a payment that several events report is one row, with the times of its first and last report", async () => {
    const { company } = mine;
    const placed = await placeOrder(company);
    const { id } = foreign(placed, {}).payload.payment.entity;
    for (const type of ["payment.authorized", "payment.captured", "order.paid"]) {
      const event = razorpayEvent(placed, { type, payment: { id, order_id: "order_h13898268" } });
      expect((await deliver(company, signed, event)).status).toBe(200);
    }
    const [row, ...others] = (await ignored(company)).filter(({ gateway_payment_id: of }) => of === id);
    const times = await company.rows(
      "SELECT received_at FROM gateway_events WHERE gateway_payment_id = ? AND amount > 0 ORDER BY received_at",
      id,
    );
    const [first, , last] = times.map(({ received_at: at }) => new Date(Number(at)).toISOString());
    expect(row).toMatchObject({ amount: 100, received_at: first, last_received_at: last });
    expect(others).toEqual([]);
  });

  test("notes that name an order of this company pay nothing: its own id at the gateway is stored", async () => {
    const { company } = mine;
    const placed = await placeOrder(company);
    const event = foreign(placed, { notes: await notesOf(company) });
    expect((await deliver(company, signed, event)).status).toBe(200);
    expect((await getOrder(company, placed.order_id)).payment_status).toBe("unpaid");
    expect((await ignored(company))[0]?.gateway_payment_id).toBe(event.payload.payment.entity.id);
  });

  test("a reference of this company that no record has yet is to come again for a minute, then listed", async () => {
    const { company } = mine;
    const notes = { company: company.slug, kind: "order", reference: "01M8J02WWTMDCD22D01799VTV9" };
    const event = foreign(await placeOrder(company), { notes });
    expect((await deliver(company, signed, event)).status).toBe(503);
    const later = { ...event, created_at: event.created_at - 61 };
    expect((await deliver(company, signed, later)).status).toBe(200);
    expect((await ignored(company))[0]?.gateway_payment_id).toBe(event.payload.payment.entity.id);
  });
});
