import { randomUUID } from "node:crypto";
import Stripe from "stripe";
import { describe, expect, test } from "vitest";
import { must, openCompany, type TestCompany } from "../../support/company.ts";
import { type Connected, connectGateway, play } from "../../support/gateways.ts";
import { type Answer, announce, randomAddress, send } from "../../support/http.ts";
import { expectSound, rowCounts } from "../../support/oracles.ts";
import signatures from "../../vectors/signatures.json" with { type: "json" };
import { rowsOf } from "../commerce.ts";
import { tally } from "../money.ts";
import {
  deliver,
  gatewayOrderOf,
  getOrder,
  KINDS,
  openShop,
  type Placed,
  placeOrder,
  razorpayEvent,
} from "./shop.ts";

const events = (company: TestCompany) =>
  rowsOf(company, "SELECT type, outcome FROM gateway_events ORDER BY received_at, type");
const invoices = async (company: TestCompany) =>
  (await rowsOf(company, "SELECT count(*) AS n FROM invoices"))[0]?.n;

async function shopWithOrder(fields: Record<string, unknown> = {}) {
  const shop = await openShop();
  return { ...shop, placed: await placeOrder(shop.company, fields) };
}

describe.each(KINDS)("a payment through %s", (kind, currency) => {
  const open = async () => {
    const { company } = await openShop(kind);
    const placed = await placeOrder(company, { currency });
    return { company, placed, id: gatewayOrderOf(placed) };
  };

  test("turns the order into an invoice that is paid, with its page", async () => {
    const { company, placed, id } = await open();
    const { webhooks } = await play(company, kind, id, "paid");
    expect(webhooks.length).toBeGreaterThan(0);
    expect(webhooks.every((webhook) => "delivered" in webhook && webhook.delivered === true)).toBe(true);
    const order = await getOrder(company, placed.order_id);
    expect(order).toMatchObject({
      status: "invoiced",
      payment_status: "paid",
      invoice_id: "1",
      invoice_number: expect.stringMatching(/^INV\//),
      paid_at: expect.any(String),
    });
    const page = await fetch(String(order.invoice_url));
    expect(page.status).toBe(200);
    expect(await page.text()).toContain(String(order.invoice_number));
    const invoice = must(await company.call("GET", "/invoices/:company/1"), 200).body.data;
    expect(invoice).toMatchObject({
      status: "sent",
      payment_status: "paid",
      source: "storefront",
      sales_order_id: placed.order_id,
      total_amount: placed.total_amount,
      amount_paid: placed.total_amount,
      amount_due: 0,
      currency,
    });
    await expectSound(company);
  });

  test("that fails leaves the order unpaid, and a later one still counts", async () => {
    const { company, placed, id } = await open();
    await play(company, kind, id, "failed");
    expect(await getOrder(company, placed.order_id)).toMatchObject({
      payment_status: "unpaid",
      invoice_url: null,
    });
    if (kind === "stripe") return;
    await play(company, kind, id, "paid");
    expect(await getOrder(company, placed.order_id)).toMatchObject({ payment_status: "paid" });
    await expectSound(company);
  });

  test("of another amount sets the order aside for review, and makes no invoice", async () => {
    const { company, placed, id } = await open();
    await play(company, kind, id, "wrong_amount");
    expect(await getOrder(company, placed.order_id)).toMatchObject({
      status: "draft",
      payment_status: "review",
      invoice_url: null,
    });
    expect(await invoices(company)).toBe(0);
    expect(await rowsOf(company, "SELECT status FROM payment_intents")).toEqual([{ status: "mismatch" }]);
    await expectSound(company);
  });

  test("that is made twice makes one invoice, and the order needs a refund", async () => {
    const { company, placed, id } = await open();
    const { payment_ids: ids } = await play(company, kind, id, "twice");
    expect(ids.length).toBe(2);
    expect(await getOrder(company, placed.order_id)).toMatchObject({
      status: "invoiced",
      payment_status: "paid",
      needs_refund: true,
    });
    expect(await invoices(company)).toBe(1);
    await expectSound(company);
  });
});

test("an authorised payment that razorpay does not capture by itself is captured", async () => {
  const { company, placed } = await shopWithOrder();
  await play(company, "razorpay", gatewayOrderOf(placed), "authorized");
  expect(await getOrder(company, placed.order_id)).toMatchObject({ payment_status: "paid" });
  await expectSound(company);
});

const postStripe = (company: TestCompany, header: string, body: string) =>
  company.call("POST", "/storefront/:company/webhook/stripe", {
    key: null,
    body: new TextEncoder().encode(body),
    headers: { "Stripe-Signature": header },
  });

describe("the signature", () => {
  test.each(signatures.razorpay_webhook)("of the vector $signature holds through the API", async (vector) => {
    const company = await openCompany();
    await connectGateway(company, "razorpay", { webhook_secret: vector.secret });
    const post = (body: string, signature: string) =>
      company.call("POST", "/storefront/:company/webhook/razorpay", {
        key: null,
        body: new TextEncoder().encode(body),
        headers: { "X-Razorpay-Signature": signature },
      });
    expect(await post(vector.body, vector.signature)).toMatchObject({ status: 200, body: { success: true } });
    expect((await post(vector.body, vector.signature.toUpperCase())).status).toBe(200);
    const reserialised = JSON.stringify(JSON.parse(vector.body), null, 1);
    for (const [body, signature] of [
      [reserialised, vector.signature],
      [`${vector.body} `, vector.signature],
      [vector.body, vector.signature.replace(/.$/, (last) => (last === "0" ? "1" : "0"))],
      [vector.body, ""],
      [vector.body, "zz"],
      [vector.body, vector.signature.slice(2)],
    ] as const) {
      const before = await rowCounts(company);
      expect(await post(body, signature)).toMatchObject({ status: 400, body: { code: "invalid_signature" } });
      expect(await rowCounts(company)).toEqual(before);
    }
  });

  test("of stripe, as its own package makes it, is good for 300 s, and any of several may match", async () => {
    const { company, connected } = await openShop("stripe");
    const secret = connected.merchant.webhook_secret;
    const statusAt = async (seconds: number, others = "") => {
      const payload = JSON.stringify({ id: `evt_${randomUUID()}`, type: "charge.updated", livemode: false });
      const timestamp = Math.floor(Date.now() / 1_000) + seconds;
      const header = Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp });
      return (await postStripe(company, header.replace(",", `${others},`), payload)).status;
    };
    expect(await statusAt(0)).toBe(200);
    // To the second it is proved where the clock stands still, in test/workerd.
    expect(await statusAt(-270)).toBe(200);
    expect(await statusAt(-302)).toBe(400);
    expect(await statusAt(360)).toBe(400);
    expect(await statusAt(0, `,v1=${"0".repeat(64)},v0=abc,v1=short`)).toBe(200);
    expect((await postStripe(company, "", "{}")).status).toBe(400);
    expect((await postStripe(company, "t=abc,v1=00", "{}")).status).toBe(400);
  });

  test("made with the secret before the last change counts for three more days", async () => {
    const { company, connected } = await openShop();
    const path = `/settings/:company/payment-gateways/${connected.id}`;
    // The same change sent again is none.
    for (const _attempt of [1, 2])
      must(await company.call("PATCH", path, { body: { webhook_secret: "the-new-one" } }), 200);
    const newer: Connected = {
      ...connected,
      merchant: { ...connected.merchant, webhook_secret: "the-new-one" },
    };
    const ping = () => ({ event: "payment.created", at: Math.random() });
    expect((await deliver(company, connected, ping())).status).toBe(200);
    expect((await deliver(company, newer, ping())).status).toBe(200);
    await company.clock(3 * 86_400 + 60);
    expect((await deliver(company, connected, ping())).status).toBe(400);
    expect((await deliver(company, newer, ping())).status).toBe(200);
  });

  test("of one company is refused at another", async () => {
    const { company: other } = await openShop();
    const { connected, placed } = await shopWithOrder();
    const before = await rowCounts(other);
    expect(await deliver(other, connected, razorpayEvent(placed))).toMatchObject({
      status: 400,
      body: { code: "invalid_signature" },
    });
    expect(await rowCounts(other)).toEqual(before);
  });
});

test("a webhook of an unknown company, an unknown kind or a gateway that is not connected is 404", async () => {
  const { company, connected } = await openShop();
  const post = (path: string) => send("POST", path, { body: {} });
  expect((await post("/v1/storefront/nobody/webhook/razorpay")).status).toBe(404);
  expect((await post("/v1/storefront/no%2Fbody/webhook/razorpay")).status).toBe(404);
  expect((await post(`/v1/storefront/${company.slug}/webhook/bitcoin`)).status).toBe(404);
  expect((await post(`/v1/storefront/${company.slug}/webhook/stripe`)).status).toBe(404);
  const path = `/settings/:company/payment-gateways/${connected.id}`;
  must(await company.call("PATCH", path, { body: { is_active: false } }), 200);
  expect((await post(`/v1/storefront/${company.slug}/webhook/razorpay`)).status).toBe(404);
});

test("one address may send 1,200 events a minute; another is not concerned", async () => {
  const { company } = await openShop();
  const post = (address: string) =>
    send("POST", `/v1/storefront/${company.slug}/webhook/bitcoin`, {
      body: {},
      headers: { "CF-Connecting-IP": address },
    });
  const [address, other] = [randomAddress(), randomAddress()];
  const answers: Answer[] = [];
  while (answers.length < 1_250)
    answers.push(...(await Promise.all(Array.from({ length: 50 }, () => post(address)))));
  expect(tally(answers)).toEqual({ 404: 1_200, 429: 50 });
  expect(Number(answers.at(-1)?.headers.get("Retry-After"))).toBeGreaterThan(0);
  expect((await post(other)).status).toBe(404);
});

test("an event works under both base addresses, and one of 1 MiB and a byte is 413", async () => {
  const { company, connected, placed } = await shopWithOrder();
  const path = `/v1/storefront/${company.slug}/webhook/razorpay`;
  expect((await announce(1024 * 1024 + 1, path)).status).toBe(413);
  expect((await deliver(company, connected, razorpayEvent(placed), { base: "/v1" })).status).toBe(200);
  expect(await invoices(company)).toBe(1);
});

test("what is signed but no JSON, or none of our business, is 200, noted and left", async () => {
  const { company, connected } = await openShop();
  for (const body of ["", "not json", "[]", "null", '"text"', '{"event":5}', '{"event":"refund.created"}'])
    expect((await deliver(company, connected, body)).status, body).toBe(200);
  expect(new Set((await events(company)).map(({ outcome }) => outcome))).toEqual(new Set(["ignored"]));
  await expectSound(company);
});

describe("one effect each", () => {
  const paid = async (company: TestCompany, placed: Placed) => {
    expect(await invoices(company)).toBe(1);
    expect(await rowsOf(company, "SELECT count(*) AS n FROM payments")).toEqual([{ n: 1 }]);
    expect((await getOrder(company, placed.order_id)).payment_status).toBe("paid");
    await expectSound(company);
  };

  test("the same event twice: the second is told to be a duplicate", async () => {
    const { company, connected, placed } = await shopWithOrder();
    const event = razorpayEvent(placed);
    expect((await deliver(company, connected, event, { id: "evt_1" })).body).toEqual({ success: true });
    expect((await deliver(company, connected, event, { id: "evt_1" })).body).toEqual({
      success: true,
      duplicate: true,
    });
    await paid(company, placed);
  });

  test("the same event ten times in parallel", async () => {
    const { company, connected, placed } = await shopWithOrder();
    const event = razorpayEvent(placed);
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => deliver(company, connected, event, { id: "evt_1" })),
    );
    expect(tally(answers)).toEqual({ 200: 10 });
    await paid(company, placed);
  });

  test("the same event under ten ids, which razorpay does not sign", async () => {
    const { company, connected, placed } = await shopWithOrder();
    const event = razorpayEvent(placed);
    const answers = await Promise.all(Array.from({ length: 10 }, () => deliver(company, connected, event)));
    expect(tally(answers)).toEqual({ 200: 10 });
    await paid(company, placed);
    expect((await getOrder(company, placed.order_id)).needs_refund).toBe(false);
  });

  test("an old event under the id of one that is still to come does not keep that one out", async () => {
    const { company, connected, placed } = await shopWithOrder();
    const early = { event: "payment.created", created_at: 1 };
    await deliver(company, connected, early, { id: "evt_stolen" });
    expect((await deliver(company, connected, razorpayEvent(placed), { id: "evt_stolen" })).body).toEqual({
      success: true,
    });
    await paid(company, placed);
  });

  test("order.paid and payment.captured in parallel, ten rounds", async () => {
    const { company, connected } = await openShop();
    for (let round = 1; round <= 10; round += 1) {
      const placed = await placeOrder(company);
      const event = razorpayEvent(placed);
      const captured = razorpayEvent(placed, {
        type: "payment.captured",
        payment: event.payload.payment.entity,
      });
      const answers = await Promise.all([
        deliver(company, connected, event),
        deliver(company, connected, captured),
      ]);
      expect(tally(answers)).toEqual({ 200: 2 });
      expect(await invoices(company)).toBe(round);
      expect((await getOrder(company, placed.order_id)).needs_refund).toBe(false);
    }
    await expectSound(company);
  });

  test("failed after paid is still paid; failed before paid converts", async () => {
    const { company, connected, placed } = await shopWithOrder();
    const failed = razorpayEvent(placed, { type: "payment.failed" });
    expect((await deliver(company, connected, failed)).status).toBe(200);
    expect((await getOrder(company, placed.order_id)).payment_status).toBe("unpaid");
    await deliver(company, connected, razorpayEvent(placed));
    await deliver(company, connected, razorpayEvent(placed, { type: "payment.failed" }));
    await paid(company, placed);
  });

  test("the event during an outage of the database is 5xx, and its redelivery converts", async () => {
    const { company, connected, placed } = await shopWithOrder();
    const event = razorpayEvent(placed);
    await company.faults({ kind: "reset_before" });
    expect((await deliver(company, connected, event, { id: "evt_1" })).status).toBe(503);
    await company.faults();
    expect((await deliver(company, connected, event, { id: "evt_1" })).body).toEqual({ success: true });
    await paid(company, placed);
  });

  test("a commit whose answer is lost is found by the redelivery", async () => {
    const { company, connected, placed } = await shopWithOrder();
    const event = razorpayEvent(placed);
    await company.faults({ kind: "reset_after", writes_only: true, times: 1 });
    expect((await deliver(company, connected, event, { id: "evt_1" })).status).toBe(200);
    expect((await deliver(company, connected, event, { id: "evt_1" })).body.duplicate).toBe(true);
    await paid(company, placed);
  });
});

describe("no money, no invoice", () => {
  test.each([
    ["a paisa less was paid", { order: { amount: 9_999, amount_paid: 9_999 } }],
    ["the order is not paid in full", { order: { amount_paid: 5_000, amount_due: 5_000 } }],
    ["another currency was paid", { payment: { currency: "USD" } }],
  ])("%s: the order is set aside", async (_what, fields) => {
    const { company, connected, placed } = await shopWithOrder();
    expect((await deliver(company, connected, razorpayEvent(placed, fields))).status).toBe(200);
    expect((await getOrder(company, placed.order_id)).payment_status).toBe("review");
    expect(await invoices(company)).toBe(0);
    await deliver(company, connected, razorpayEvent(placed));
    // What came first is owed back.
    expect(await getOrder(company, placed.order_id)).toMatchObject({
      payment_status: "paid",
      needs_refund: true,
    });
    await expectSound(company);
  });

  test("a payment whose payer bears the gateway's fee is more than the order, and counts", async () => {
    const { company, connected, placed } = await shopWithOrder();
    const event = razorpayEvent(placed, { type: "payment.captured", payment: { amount: 10_236 } });
    await deliver(company, connected, event);
    expect((await getOrder(company, placed.order_id)).payment_status).toBe("paid");
    await expectSound(company);
  });

  test("a payment that was only authorised and cannot be captured is none", async () => {
    const { company, connected, placed } = await shopWithOrder();
    const event = razorpayEvent(placed, { type: "payment.authorized", payment: { status: "authorized" } });
    expect((await deliver(company, connected, event)).status).toBe(200);
    expect(await invoices(company)).toBe(0);
  });

  test("a live event at an account in test mode is ignored", async () => {
    const { company, connected } = await openShop("stripe");
    const placed = await placeOrder(company);
    const body = JSON.stringify({
      id: "evt_live",
      type: "checkout.session.completed",
      livemode: true,
      created: Math.floor(Date.now() / 1_000),
      data: {
        object: {
          id: gatewayOrderOf(placed),
          mode: "payment",
          payment_status: "paid",
          amount_total: 10_000,
          currency: "inr",
          payment_intent: "pi_1",
        },
      },
    });
    const secret = connected.merchant.webhook_secret;
    const header = Stripe.webhooks.generateTestHeaderString({ payload: body, secret });
    const answer = await postStripe(company, header, body);
    expect(answer.status).toBe(200);
    expect(await invoices(company)).toBe(0);
    expect(await events(company)).toEqual([{ type: "checkout.session.completed", outcome: "ignored" }]);
  });
});

describe("an event before checkout has kept the gateway's id of its order", () => {
  const forgotten = async () => {
    const shop = await shopWithOrder();
    await rowsOf(shop.company, "UPDATE payment_intents SET gateway_order_id = NULL");
    const notes = { company: shop.company.slug, kind: "order", ref_id: String(shop.placed.order_id) };
    return { ...shop, notes };
  };

  test("finds the order by what the gateway was told to remember", async () => {
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

  test("is to come again while it is young, and is left when it is not", async () => {
    const { company, connected, placed, notes } = await forgotten();
    const event = razorpayEvent(placed, { payment: { notes: { ...notes, company: "other" } } });
    expect((await deliver(company, connected, event, { id: "evt_1" })).status).toBe(503);
    expect(await events(company)).toEqual([]);
    const old = { ...event, created_at: event.created_at - 601 };
    expect((await deliver(company, connected, old)).status).toBe(200);
    expect(await events(company)).toEqual([{ type: "order.paid", outcome: "unknown_intent" }]);
  });
});

test("a payment of an order whose customer is gone is parked: 200, kept, and the order set aside", async () => {
  const { company, connected, placed } = await shopWithOrder();
  await rowsOf(company, "UPDATE sales_orders SET status = 'cancelled'");
  must(await company.call("DELETE", "/customers/:company/1"), 200);
  expect((await deliver(company, connected, razorpayEvent(placed))).status).toBe(200);
  expect(await events(company)).toEqual([{ type: "order.paid", outcome: "parked" }]);
  expect(await getOrder(company, placed.order_id)).toMatchObject({
    payment_status: "review",
    invoice_id: null,
  });
  await expectSound(company);
});
