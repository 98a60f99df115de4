import { createHmac, randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { gatewayFaults, play } from "../../../support/gateways.ts";
import { expectSound } from "../../../support/oracles.ts";
import { untilQuiet } from "../../../support/round-trips.ts";
import { endAtGateway, giveBack, ledgerOf, paidOrder, refundsOf } from "../../refunds/refunds.ts";
import { gatewayOrderOf, getOrder, openShop, placeOrder } from "../shop.ts";
import { postStripe } from "./webhook.ts";

const shop = await openShop("stripe");
const { company, connected } = shop;
const id = () => `evt_${randomBytes(12).toString("hex")}`;

/** Delivers an event as stripe signs it. */
function deliver(event: object) {
  const body = JSON.stringify(event);
  const time = Math.floor(Date.now() / 1_000);
  const signature = createHmac("sha256", connected.merchant.webhook_secret).update(`${time}.${body}`);
  return postStripe(company, `t=${time},v1=${signature.digest("hex")}`, body);
}

/** A thin event: it names what it is about, and says nothing of it. */
const thin = (type: string, url: string, fields: object = {}) => ({
  id: id(),
  object: "v2.core.event",
  type: `v1.${type}`,
  livemode: false,
  created: new Date().toISOString(),
  related_object: { id: url.split("/").at(-1), type: "object", url },
  ...fields,
});

/** From here on the endpoint of the shop gets no event but those of the test. */
const silence = () => gatewayFaults(company, connected, { lost_event: 1 });

describe("a thin event", () => {
  const pay = async () => {
    await silence();
    const placed = await placeOrder(company);
    const session = gatewayOrderOf(placed);
    await play(company, "stripe", session, "paid");
    return { placed, event: thin("checkout.session.completed", `/v1/checkout/sessions/${session}`) };
  };
  const statusOf = async (order: number) => (await getOrder(company, order)).payment_status;

  test("of a session pays its order, once, and is to come again while stripe does not answer", async () => {
    const { placed, event } = await pay();
    await gatewayFaults(company, connected, { refused_call: 1 });
    const early = await deliver(event);
    expect([early.status, early.headers.get("Retry-After")]).toEqual([503, "60"]);
    expect(await statusOf(placed.order_id)).toBe("unpaid");
    await silence();
    for (const duplicate of [{}, { duplicate: true }])
      expect(await deliver(event)).toMatchObject({ status: 200, body: { success: true, ...duplicate } });
    expect(await statusOf(placed.order_id)).toBe("paid");
    await expectSound(company);
  });

  test.each([
    ["is of the other mode", { livemode: true }],
    ["leads elsewhere", { related_object: { url: "/v1/../v2/core/events/evt_1" } }],
    ["is of a type that is not read", { type: "v1.customer.created" }],
  ])("that %s asks stripe nothing, and pays nothing", async (_what, fields) => {
    const { placed, event } = await pay();
    await gatewayFaults(company, connected, { refused_call: 1 });
    expect((await deliver({ ...event, ...fields })).status).toBe(200);
    expect(await statusOf(placed.order_id)).toBe("unpaid");
  });

  test("of a refund and of a dispute is booked as they stand", async () => {
    await gatewayFaults(company, connected, {});
    const { paymentId } = await paidOrder(shop, "paid");
    await silence();
    const before = (await refundsOf(company)).length;
    const refund = await giveBack(shop, paymentId, { source: "console", amount: 4_000 });
    expect((await deliver(thin("refund.created", `/v1/refunds/${refund.id}`))).status).toBe(200);
    const taken = await giveBack(shop, paymentId, { source: "chargeback", amount: 6_000 });
    const dispute = (type: string) => deliver(thin(`charge.dispute.${type}`, `/v1/disputes/${taken.id}`));
    expect((await dispute("funds_withdrawn")).status).toBe(200);
    expect((await refundsOf(company)).slice(before)).toEqual([
      "gateway succeeded 4000",
      "chargeback succeeded 6000",
    ]);
    await endAtGateway(shop, taken.id, "reversed");
    expect((await dispute("funds_reinstated")).status).toBe(200);
    expect((await refundsOf(company)).at(-1)).toBe("chargeback failed 6000");
    await expectSound(company);
  });

  test("of the end of a dispute counts as soon as that of its begin came, which it overtook", async () => {
    await gatewayFaults(company, connected, {});
    const { paymentId } = await paidOrder(shop, "paid");
    await silence();
    const before = await refundsOf(company);
    const taken = await giveBack(shop, paymentId, { source: "chargeback", amount: 6_000 });
    await endAtGateway(shop, taken.id, "reversed");
    const dispute = (type: string) => deliver(thin(`charge.dispute.${type}`, `/v1/disputes/${taken.id}`));
    expect((await dispute("funds_reinstated")).status).toBe(200);
    expect(await refundsOf(company)).toEqual(before);
    // The job of the stray report finds nothing.
    await untilQuiet(company);
    expect((await dispute("funds_withdrawn")).status).toBe(200);
    await expect.poll(() => refundsOf(company)).toEqual([...before, "chargeback failed 6000"]);
    await expectSound(company);
  });
});

const refunded = (payment_intent: string, api_version: string, created = Date.now()) => ({
  ...{ id: id(), object: "event", type: "charge.refunded", livemode: false, api_version },
  created: Math.floor(created / 1_000),
  data: { object: { id: "ch_1", object: "charge", payment_intent, refunded: true } },
});

const ofAnother = (type: string, url: string) => (created: number) =>
  thin(type, url, { created: new Date(created).toISOString(), context: "acct_another" });

test.each([
  ["a session", ofAnother("checkout.session.completed", "/v1/checkout/sessions/cs_test_gone")],
  ["a refund", ofAnother("refund.created", "/v1/refunds/re_gone")],
  ["a dispute", ofAnother("charge.dispute.funds_withdrawn", "/v1/disputes/du_gone")],
  ["a charge", (created: number) => refunded("pi_gone", "2024-09-30.acacia", created)],
])(
  "an event of %s that stripe does not know is to come again for a minute, and is ignored then",
  async (_what, event) => {
    await silence();
    const before = await refundsOf(company);
    for (const [age, status] of [
      [30_000, 503],
      [61_000, 200],
      [2 * 60 * 60_000, 200],
    ] as const) {
      const sent = event(Date.now() - age);
      expect((await deliver(sent)).status).toBe(status);
      const stored = "SELECT outcome FROM gateway_events WHERE event_id = ?";
      expect(await company.rows(stored, sent.id)).toEqual(status === 200 ? [{ outcome: "ignored" }] : []);
      await gatewayFaults(company, connected, { refused_call: 1 });
      const silent = await deliver(event(Date.now() - age));
      expect(silent.status).toBe(503);
      await silence();
    }
    expect(await refundsOf(company)).toEqual(before);
  },
);

test("charge.refunded of an endpoint before 2024-10-28 reports each refund of its payment, once", async () => {
  await gatewayFaults(company, connected, {});
  const { paymentId } = await paidOrder(shop, "paid");
  await silence();
  const before = (await refundsOf(company)).length;
  for (const amount of [3_000, 2_000]) await giveBack(shop, paymentId, { source: "console", amount });
  const later = await deliver(refunded(paymentId, "2024-10-28.acacia"));
  expect([later.status, (await refundsOf(company)).length]).toEqual([200, before]);
  const event = refunded(paymentId, "2024-09-30.acacia");
  for (const duplicate of [{}, { duplicate: true }])
    expect(await deliver(event)).toMatchObject({ status: 200, body: { success: true, ...duplicate } });
  expect((await deliver(refunded(paymentId, "2019-12-03"))).status).toBe(200);
  expect((await refundsOf(company)).slice(before)).toEqual([
    "gateway succeeded 3000",
    "gateway succeeded 2000",
  ]);
  expect((await ledgerOf(shop)).filter((one) => one.payment_id === paymentId)).toHaveLength(2);
  await expectSound(company);
});
