import { describe, expect, test } from "vitest";
import { decode, verifies } from "#core/secrets/signatures.ts";
import { emailKinds } from "#providers/email";
import { GATEWAYS, type GatewayAccount } from "#providers/payment";
import signatures from "../vectors/signatures.json" with { type: "json" };
import { accountAt, answerWith, asked, useGateway } from "./gateway-calls.ts";

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
    const signature = decode(vector.signature, "hex");
    expect(await verifies("SHA-256", vector.key_secret, signature, signed)).toBe(true);
    expect(await verifies("SHA-256", vector.key_secret, signature, `${signed} `)).toBe(false);
  },
);

test.each(signatures.standard_webhooks)(
  "a signature after Standard Webhooks, which resend's are, verifies for 300 s and no second more",
  async (vector) => {
    const receive = (body: string, seconds: number, signature = vector.signature) =>
      emailKinds.resend.receive?.(
        {
          params: {},
          method: "POST",
          url: "",
          headers: new Headers({
            "svix-id": vector.id,
            "svix-timestamp": vector.timestamp,
            "svix-signature": signature,
          }),
          body: bytes(body),
          receivedAt: (Number(vector.timestamp) + seconds) * 1_000,
        },
        { api_key: "demo", from_email: "shop@mail.example", webhook_secret: vector.secret },
      );
    for (const seconds of [0, 300, -300])
      expect(await receive(vector.payload, seconds)).toEqual({ unread: "form" });
    expect(await receive(vector.payload, 0, `v1,b2xkZXI= ${vector.signature}`)).toEqual({ unread: "form" });
    for (const seconds of [301, -301]) expect(await receive(vector.payload, seconds)).toBeUndefined();
    expect(await receive(`${vector.payload} `, 0)).toBeUndefined();
    for (const wrong of ["", "v1,", vector.signature.replace("v1", "v2")])
      expect(await receive(vector.payload, 0, wrong)).toBeUndefined();
  },
);

test("no secret and no signature match nothing", async () => {
  const { secret, body, signature } = signatures.razorpay_webhook[0] ?? {
    secret: "",
    body: "",
    signature: "",
  };
  const matches = (key: string, given: string) => verifies("SHA-256", key, decode(given, "hex"), body);
  expect(await matches(secret, signature)).toBe(true);
  expect(await matches("", signature)).toBe(false);
  for (const broken of ["", "0", "zz", signature.slice(1), `${signature}00`])
    expect(await matches(secret, broken)).toBe(false);
});

describe("paypal, which itself says whether it sent an event", () => {
  // Parsed and written again, none of this would stay as it is.
  const raw =
    '{ "id" : "WH-1",\n "amount":12.50, "n":1.0, "name":"\\u00e9\\/x", "n":2, "big":12345678901234567890 }';
  const headers = new Headers(
    ["auth-algo", "cert-url", "transmission-id", "transmission-sig", "transmission-time"].map((name) => [
      `PAYPAL-${name}`,
      `the "${name}"`,
    ]),
  );
  useGateway();
  const verify = (body = raw) =>
    GATEWAYS.paypal.verify(accountAt("paypal"), [], { headers, body: bytes(body), receivedAt: 0 });

  test("is given the body back byte for byte, beside the transmission's headers", async () => {
    answerWith(Response.json({ verification_status: "SUCCESS" }));
    expect(await verify()).toBe(true);
    const question = asked[0]?.body ?? "";
    expect(question.endsWith(`,"webhook_event":${raw}}`)).toBe(true);
    expect(JSON.parse(question)).toMatchObject({
      auth_algo: 'the "auth-algo"',
      transmission_id: 'the "transmission-id"',
      webhook_id: "WEBHOOK",
    });
  });

  test("is not believed about a body that puts a question of its own", async () => {
    answerWith(Response.json({ verification_status: "SUCCESS" }));
    const foreign = '{"id":"WH-2"},"webhook_id":"OF ANOTHER","webhook_event":{"id":"WH-2"}';
    expect(await verify(foreign)).toBe(false);
  });

  test("is believed only when it says SUCCESS; without an answer the event is to come again", async () => {
    answerWith(Response.json({ verification_status: "FAILURE" }));
    expect(await verify()).toBe(false);
    answerWith(Response.json({ name: "VALIDATION_ERROR" }, { status: 400 }));
    expect(await verify()).toBe(false);
    answerWith(Response.json({}, { status: 503 }));
    await expect(verify()).rejects.toMatchObject({ retry: true });
    answerWith(new TypeError("reset"));
    await expect(verify()).rejects.toMatchObject({ retry: true });
  });

  test("is not even asked about what lacks a header", async () => {
    answerWith(Response.json({ verification_status: "SUCCESS" }));
    const without = new Headers(headers);
    without.delete("PAYPAL-transmission-sig");
    const delivery = { headers: without, body: bytes(raw), receivedAt: 0 };
    expect(await GATEWAYS.paypal.verify(accountAt("paypal"), [], delivery)).toBe(false);
    expect(asked).toEqual([]);
  });
});
