import { randomUUID } from "node:crypto";
import Stripe from "stripe";
import { describe, expect, test } from "vitest";
import { must, openCompany } from "../../../support/company.ts";
import { type Connected, connectGateway } from "../../../support/gateways.ts";
import { rowCounts } from "../../../support/oracles.ts";
import signatures from "../../../vectors/signatures.json" with { type: "json" };
import { refusal } from "../../refusal.ts";
import { deliver, openShop, razorpayEvent } from "../shop.ts";
import { postStripe, shopWithOrder } from "./webhook.ts";

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
    const other = company;
    const { connected, placed } = await shopWithOrder();
    const before = await rowCounts(other);
    expect(await deliver(other, connected, razorpayEvent(placed))).toMatchObject(
      refusal(400, "invalid_signature"),
    );
    expect(await rowCounts(other)).toEqual(before);
  });
});
