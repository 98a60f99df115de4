import { randomUUID } from "node:crypto";
import Stripe from "stripe";
import { describe, expect, test } from "vitest";
import { must, openCompany } from "../../../support/company.ts";
import { type Connected, connectGateway } from "../../../support/gateways.ts";
import { announce, send } from "../../../support/http.ts";
import { expectSound, rowCounts } from "../../../support/oracles.ts";
import signatures from "../../../vectors/signatures.json" with { type: "json" };
import { refusal } from "../../refusal.ts";
import { deliver, openShop, razorpayEvent } from "../shop.ts";
import { events, invoices, postStripe, shopWithOrder } from "./webhook.ts";

describe("the signature", async () => {
  const company = await openCompany();

  test.each(signatures.razorpay_webhook)("of the vector $signature holds through the API", async (vector) => {
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
    for (const _attempt of [1, 2]) await company.change(path, { webhook_secret: "the-new-one" });
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
    const other = company;
    const { connected, placed } = await shopWithOrder();
    const before = await rowCounts(other);
    expect(await deliver(other, connected, razorpayEvent(placed))).toMatchObject(
      refusal(400, "invalid_signature"),
    );
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
  await company.change(path, { is_active: false });
  expect((await post(`/v1/storefront/${company.slug}/webhook/razorpay`)).status).toBe(404);
});

test("an event works under both base addresses, and one of 1 MiB and a byte is 413", async () => {
  const { company, connected, placed } = await shopWithOrder();
  const path = `/v1/storefront/${company.slug}/webhook/razorpay`;
  expect((await announce(1024 * 1024 + 1, path)).status).toBe(413);
  expect((await deliver(company, connected, razorpayEvent(placed), { base: "/v1" })).status).toBe(200);
  expect(await invoices(company)).toBe(1);
});

test("a payment with a fee that cannot be is taken without one", async () => {
  const { company, connected, placed } = await shopWithOrder();
  must(await deliver(company, connected, razorpayEvent(placed, { payment: { fee: -1 } })), 200);
  expect(await company.rows("SELECT amount > 0 AS is_taken, fee FROM gateway_captures")).toEqual([
    { is_taken: 1, fee: null },
  ]);
  await expectSound(company);
});

test("what is signed but no JSON or no UTF-8, or none of our business, is 200, noted and left", async () => {
  const { company, connected } = await openShop();
  const texts = ["", "not json", "[]", "null", '"text"', '{"event":5}', '{"event":"refund.created"}'];
  for (const body of [
    ...texts,
    Uint8Array.from([0x7b, 0x22, 0xff, 0xfe, 0xc3, 0x28, 0x22, 0x3a, 0x31, 0x7d]),
  ])
    expect((await deliver(company, connected, body)).status, String(body)).toBe(200);
  expect(await events(company)).toHaveLength(texts.length + 1);
  expect(new Set((await events(company)).map(({ outcome }) => outcome))).toEqual(new Set(["ignored"]));
  await expectSound(company);
});
