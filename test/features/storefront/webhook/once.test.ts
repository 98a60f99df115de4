import { describe, expect, test } from "vitest";
import type { TestCompany } from "../../../support/company.ts";
import { connectGateway } from "../../../support/gateways.ts";
import { expectSound } from "../../../support/oracles.ts";
import { tally } from "../../money.ts";
import {
  cutOff,
  deliver,
  getOrder,
  openShop,
  type Placed,
  placeOrder,
  razorpayEvent,
  storedUnder,
} from "../shop.ts";
import { invoicesOf, ONE } from "./webhook.ts";

const shop = await openShop();

/** An order in the shop of all these tests, and an id for its event. */
async function order() {
  const placed = await placeOrder(shop.company);
  return { ...shop, placed, id: `evt_${placed.order_id}` };
}

describe("one effect each", () => {
  const paid = async (company: TestCompany, placed: Placed) => {
    expect(await invoicesOf(company, placed)).toEqual(ONE);
    expect(await company.rows("SELECT id FROM payments WHERE invoice_id IS NULL")).toEqual([]);
    expect((await getOrder(company, placed.order_id)).payment_status).toBe("paid");
    await expectSound(company);
  };

  test("the same event under ten ids, which razorpay does not sign", async () => {
    const { company, connected, placed } = await order();
    const event = razorpayEvent(placed);
    const answers = await Promise.all(Array.from({ length: 10 }, () => deliver(company, connected, event)));
    expect(tally(answers)).toEqual({ 200: 10 });
    await paid(company, placed);
    expect((await getOrder(company, placed.order_id)).needs_refund).toBe(false);
  });

  test("an old event under the id of one that is still to come does not keep that one out", async () => {
    const { company, connected, placed, id } = await order();
    const early = { event: "payment.created", created_at: 1 };
    await deliver(company, connected, early, { id });
    expect((await deliver(company, connected, razorpayEvent(placed), { id })).body).toEqual({
      success: true,
    });
    await paid(company, placed);
  });

  test("sixteen reports of one payment at once, each of more: one that comes too late is to be sent again", async () => {
    const { company, placed } = await order();
    // What another account opened: its money is of the account that reports it.
    const connected = await connectGateway(company, "razorpay", { priority: 1_000 });
    const { entity } = razorpayEvent(placed).payload.payment;
    const reports = Array.from({ length: 16 }, (_, index) => {
      const payment = { ...entity, amount: entity.amount + index };
      return razorpayEvent(placed, { type: "payment.captured", payment });
    });
    const answers = await Promise.all(reports.map((event) => deliver(company, connected, event)));
    const late = answers.filter(({ status }) => status !== 200);
    expect(late.map(({ status, headers }) => [status, headers.get("Retry-After")])).toEqual(
      late.map(() => [503, "60"]),
    );
    for (const event of reports) expect((await deliver(company, connected, event)).status).toBe(200);
    const captured = "SELECT amount FROM gateway_captures WHERE gateway_payment_id = ?";
    expect(await company.rows(captured, entity.id)).toEqual([{ amount: entity.amount + 15 }]);
    await expectSound(company);
  });

  test("failed after paid is still paid; failed before paid converts", async () => {
    const { company, connected, placed } = await order();
    const failed = razorpayEvent(placed, { type: "payment.failed" });
    expect((await deliver(company, connected, failed)).status).toBe(200);
    expect((await getOrder(company, placed.order_id)).payment_status).toBe("unpaid");
    await deliver(company, connected, razorpayEvent(placed));
    await deliver(company, connected, razorpayEvent(placed, { type: "payment.failed" }));
    await paid(company, placed);
  });

  test("the event during an outage of the database is 5xx, and its redelivery converts", async () => {
    const { company, connected, placed, id } = await order();
    const event = razorpayEvent(placed);
    await company.faults({ kind: "reset_before" });
    expect((await deliver(company, connected, event, { id })).status).toBe(503);
    await company.faults();
    expect((await deliver(company, connected, event, { id })).body).toEqual({ success: true });
    await paid(company, placed);
  });

  test("a commit whose answer is lost is found by the redelivery", async () => {
    const { company, connected, placed, id } = await order();
    const event = razorpayEvent(placed);
    await company.faults({ kind: "reset_after", writes_only: true, times: 1 });
    expect((await deliver(company, connected, event, { id })).status).toBe(200);
    expect((await deliver(company, connected, event, { id })).body.duplicate).toBe(true);
    await paid(company, placed);
  });

  test("a duplicate whose first attempt was cut off is answered as one, without an alarm", async () => {
    const { company, connected, placed, id } = await order();
    const event = razorpayEvent(placed);
    await company.faults(...cutOff("gateway_events"));
    const cut = deliver(company, connected, event, { id });
    await expect.poll(() => company.faultsMet(), { interval: 5 }).toBe(2);
    // Another isolate stores it first.
    await company.rows(
      `INSERT INTO gateway_events (gateway, event_id, type, payload_sha256, outcome, received_at)
        VALUES ('razorpay', ?, 'order.paid', ?, 'ignored', 1)`,
      ...storedUnder(id, event),
    );
    expect((await cut).body).toEqual({ success: true, duplicate: true });
    expect(await company.faultsMet()).toBe(2);
  });
});
