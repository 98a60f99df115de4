import { expect, test } from "vitest";
import { hmacMatches } from "#platform/signatures.ts";
import { GATEWAYS, type GatewayAccount } from "#providers/payment";
import signatures from "../vectors/signatures.json" with { type: "json" };

const bytes = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(new TextEncoder().encode(text));
const account: GatewayAccount = { mode: "test", credentials: {}, address: "" };

test.each(signatures.stripe_header)(
  "stripe's header of the vector verifies for 300 s and no second more",
  async (vector) => {
    const verify = (body: string, seconds: number, secret = vector.secret) =>
      GATEWAYS.stripe.verify(account, [secret], {
        headers: new Headers({ "Stripe-Signature": `t=${vector.timestamp},v1=${vector.v1}` }),
        body: bytes(body),
        receivedAt: (vector.timestamp + seconds) * 1_000,
      });
    for (const seconds of [0, 299, 300, -300]) expect(await verify(vector.body, seconds)).toBe(true);
    for (const seconds of [301, -301]) expect(await verify(vector.body, seconds)).toBe(false);
    expect(await verify(vector.body, 0, "another secret")).toBe(false);
    expect(await verify(JSON.stringify(JSON.parse(vector.body)), 0)).toBe(false);
  },
);

test.each(signatures.razorpay_webhook)("razorpay's signature of the vector verifies", async (vector) => {
  const verify = (body: string, secrets: string[]) =>
    GATEWAYS.razorpay.verify(account, secrets, {
      headers: new Headers({ "X-Razorpay-Signature": vector.signature }),
      body: bytes(body),
      receivedAt: 0,
    });
  expect(await verify(vector.body, [vector.secret])).toBe(true);
  expect(await verify(vector.body, ["new", vector.secret])).toBe(true);
  expect(await verify(vector.body, ["new"])).toBe(false);
  expect(await verify(vector.body, [])).toBe(false);
  expect(await verify(`${vector.body}\n`, [vector.secret])).toBe(false);
});

test.each(signatures.razorpay_payment)(
  "razorpay's signature of a payment is made of its order and payment",
  async (vector) => {
    const signed = `${vector.order_id}|${vector.payment_id}`;
    expect(await hmacMatches(vector.key_secret, vector.signature, signed)).toBe(true);
    expect(await hmacMatches(vector.key_secret, vector.signature, `${signed} `)).toBe(false);
  },
);

test("no secret and no signature match nothing", async () => {
  const { secret, body, signature } = signatures.razorpay_webhook[0] ?? {
    secret: "",
    body: "",
    signature: "",
  };
  expect(await hmacMatches(secret, signature, body)).toBe(true);
  expect(await hmacMatches("", signature, body)).toBe(false);
  for (const broken of ["", "0", "zz", signature.slice(1), `${signature}00`])
    expect(await hmacMatches(secret, broken, body)).toBe(false);
});
