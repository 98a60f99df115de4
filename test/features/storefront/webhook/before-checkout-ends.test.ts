import { describe, expect, test } from "vitest";
import { expectSound } from "../../../support/oracles.ts";
import { rowsOf } from "../../commerce.ts";
import { deliver, gatewayOrderOf, getOrder, razorpayEvent } from "../shop.ts";
import { events, notesOf, shopWithOrder } from "./webhook.ts";

describe("an event before checkout has kept the gateway's id of its order", () => {
  const forgotten = async () => {
    const shop = await shopWithOrder();
    await rowsOf(shop.company, "UPDATE payment_intents SET gateway_order_id = NULL");
    return { ...shop, notes: await notesOf(shop.company) };
  };

  test("finds the order by what the gateway was given to keep", async () => {
    const { company, connected, placed, notes } = await forgotten();
    expect((await deliver(company, connected, razorpayEvent(placed, { payment: { notes } }))).status).toBe(
      200,
    );
    expect((await getOrder(company, placed.order_id)).payment_status).toBe("paid");
    expect(await rowsOf(company, "SELECT gateway_order_id AS id FROM payment_intents")).toEqual([
      { id: gatewayOrderOf(placed) },
    ]);
    await expectSound(company);
  });

  test.each([
    ["was begun long ago", "created_at = created_at - 100000"],
    ["has failed", "status = 'failed'"],
  ])("is listed and pays nothing where the payment that it names %s", async (_what, change) => {
    const { company, connected, placed, notes } = await forgotten();
    await rowsOf(company, `UPDATE payment_intents SET ${change}`);
    expect((await deliver(company, connected, razorpayEvent(placed, { payment: { notes } }))).status).toBe(
      200,
    );
    expect((await getOrder(company, placed.order_id)).payment_status).toBe("unpaid");
    expect(await events(company)).toMatchObject([{ outcome: "ignored" }]);
  });

  test("is to come again for a minute while its order may be being made, and then is left", async () => {
    const { company, connected, placed, notes } = await forgotten();
    const event = razorpayEvent(placed, { type: "payment.captured", payment: { notes, amount: 1 } });
    expect((await deliver(company, connected, event, { id: "evt_1" })).status).toBe(503);
    expect(await events(company)).toEqual([]);
    const old = { ...event, created_at: event.created_at - 61 };
    expect((await deliver(company, connected, old)).status).toBe(200);
    expect(await events(company)).toEqual([{ type: "payment.captured", outcome: "ignored" }]);
  });
});
