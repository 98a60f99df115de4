import type { AddressInfo } from "node:net";
import { afterAll, expect, test, vi } from "vitest";
import { serve } from "../../../../src/sandbox/server/node-handler.ts";
import { must, type TestCompany } from "../../../support/company.ts";
import { type Connected, gatewayFaults, play, redirectEvents } from "../../../support/gateways.ts";
import { expectSound } from "../../../support/oracles.ts";
import {
  deliver,
  gatewayOrderOf,
  getOrder,
  KINDS,
  openShop,
  orderState,
  type Placed,
  placeOrder,
  razorpayEvent,
} from "../shop.ts";
import { notesOf } from "../webhook/webhook.ts";

const MINUTE = 60;
const DAY = 24 * 60 * MINUTE;
const nowhere = await serve(() => new Response(), 0);
afterAll(() => {
  nowhere.close();
  nowhere.closeAllConnections();
});

/** Lets an account's events go where they are taken and forgotten. */
function loseEvents(company: TestCompany, connected: Connected): Promise<void> {
  return redirectEvents(company, connected, `http://127.0.0.1:${(nowhere.address() as AddressInfo).port}`);
}

/** The order is unpaid until its payment is asked about, after a quarter of an hour. */
async function expectFoundByAsking(company: TestCompany, { order_id }: Placed): Promise<void> {
  const status = async () => (await getOrder(company, order_id)).payment_status;
  expect(await status()).toBe("unpaid");
  await company.clock(16 * MINUTE);
  await company.sweep(async () => (await status()) === "paid");
  await expectSound(company);
}

/** Sets the clock on, which lets the company look once, and waits until that has put the first payment off. */
async function lookInVain(company: TestCompany, seconds: number): Promise<void> {
  const nextLook = async () => (await company.rows("SELECT next_look_at FROM payment_intents"))[0];
  const before = await nextLook();
  await company.clock(seconds);
  await vi.waitUntil(async () => (await nextLook())?.next_look_at !== before?.next_look_at, {
    timeout: 15_000,
    interval: 100,
  });
}

test.each(KINDS)(
  "a payment through %s whose events never came is found by asking",
  async (kind, currency) => {
    const { company, connected } = await openShop(kind);
    await loseEvents(company, connected);
    const placed = await placeOrder(company, { currency });
    await play(company, kind, gatewayOrderOf(placed), "paid");
    await expectFoundByAsking(company, placed);
  },
);

test("money whose event names no order of the gateway is found by asking", async () => {
  const { company, connected } = await openShop();
  await loseEvents(company, connected);
  const placed = await placeOrder(company);
  const { payment_ids } = await play(company, "razorpay", gatewayOrderOf(placed), "paid");
  const payment = { id: payment_ids[0], order_id: null, notes: await notesOf(company) };
  const event = razorpayEvent(placed, { type: "payment.captured", payment });
  expect((await deliver(company, connected, event)).status).toBe(200);
  await expectFoundByAsking(company, placed);
  expect(must(await company.call("GET", "/ledger/:company/ignored-payments"), 200).body.data).toEqual([]);
});

test.each(KINDS.filter(([kind]) => kind !== "stripe"))(
  "a payment through %s that failed first is asked about as any other",
  async (kind, currency) => {
    const { company, connected } = await openShop(kind);
    const placed = await placeOrder(company, { currency });
    await play(company, kind, gatewayOrderOf(placed), "failed");
    expect((await getOrder(company, placed.order_id)).status).toBe("draft");
    await loseEvents(company, connected);
    await play(company, kind, gatewayOrderOf(placed), "paid");
    await expectFoundByAsking(company, placed);
  },
);

test("an order that is not paid within a day is cancelled, and paid after all it is invoiced", async () => {
  const { company } = await openShop();
  const placed = await placeOrder(company);
  await lookInVain(company, 16 * MINUTE);
  expect((await getOrder(company, placed.order_id)).status).toBe("draft");

  await company.clock(DAY + MINUTE);
  await company.sweep(async () => (await getOrder(company, placed.order_id)).status === "cancelled");
  await play(company, "razorpay", gatewayOrderOf(placed), "paid");
  expect(await orderState(company, placed.order_id)).toBe("invoiced paid");
  await expectSound(company);
});

test("no answer of a gateway does not mean unpaid: the order waits until it answers, or three days", async () => {
  const { company, connected } = await openShop();
  const [paid, unpaid] = [await placeOrder(company), await placeOrder(company)];
  await loseEvents(company, connected);
  await play(company, "razorpay", gatewayOrderOf(paid), "twice");
  await gatewayFaults(company, connected, { refused_call: 1 });
  await lookInVain(company, DAY + MINUTE);
  // One silence is enough for the account: the second order was not asked about, and is still due.
  expect(
    await company.rows(
      "SELECT status, next_look_at > created_at + 86400000 AS later FROM payment_intents ORDER BY id",
    ),
  ).toEqual([
    { status: "created", later: 1 },
    { status: "created", later: 0 },
  ]);
  expect((await getOrder(company, paid.order_id)).status).toBe("draft");

  await gatewayFaults(company, connected, {});
  await company.clock(DAY + 120 * MINUTE);
  await company.sweep(async () => (await getOrder(company, unpaid.order_id)).status === "cancelled");
  await expect.poll(async () => (await getOrder(company, paid.order_id)).needs_refund).toBe(true);
  expect((await getOrder(company, paid.order_id)).status).toBe("invoiced");

  const last = await placeOrder(company);
  await gatewayFaults(company, connected, { refused_call: 1 });
  await company.clock(4 * DAY + 180 * MINUTE);
  await company.sweep(async () => (await getOrder(company, last.order_id)).status === "cancelled");
  await expectSound(company);
});
