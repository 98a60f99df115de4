import Stripe from "stripe";
import { expect, it } from "vitest";
import { holdsContract } from "./contract.ts";
import { call, eventsReceived, gateways, openAccount, pay, received } from "./harness.ts";
import { AMOUNT, moneyBack, newPayment, refund } from "./payments.ts";

holdsContract("stripe", {
  currency: "INR",
  states: { succeeded: "succeeded", failed: "failed", pending: "pending" },
  events: {
    made: ["refund.created", "charge.refunded"],
    waiting: ["refund.created", "charge.refunded"],
    succeeded: ["refund.updated", "charge.refund.updated"],
    failed: ["refund.updated", "charge.refund.updated", "refund.failed"],
  },
  refusals: {
    tooMuch: "Refund amount (6001) is greater than unrefunded amount on charge (6000)",
    nothingLeft: "charge_already_refunded",
    uncaptured: "successful charge",
    foreign: "resource_missing",
    takenBack: "charge_disputed",
    poor: null,
  },
  uncaptured: "failed",
  forgetsAfter: { hours: 24, isKnown: false },
  sameKey: "a refusal",
  failsByHand: true,
  chargeback: {
    kind: "chargeback",
    events: ["charge.dispute.created", "charge.dispute.funds_withdrawn"],
    reversed: ["charge.dispute.closed", "charge.dispute.funds_reinstated"],
  },
});

const SESSION: Stripe.Checkout.SessionCreateParams = {
  mode: "payment",
  success_url: "http://localhost/thanks?session={CHECKOUT_SESSION_ID}",
  cancel_url: "http://localhost/cart",
  client_reference_id: "shop:order:1",
  customer_email: "asha@example.com",
  line_items: [
    {
      quantity: 1,
      price_data: {
        currency: "inr",
        unit_amount: 35_400,
        product_data: { name: "Order SO/26-27/00001" },
      },
    },
  ],
  metadata: { company: "shop", kind: "order", ref_id: "1" },
  payment_intent_data: { metadata: { ref_id: "1" } },
};

/** Stripe's own client, speaking to the stand-in. */
function clientOf(secret: string): Stripe {
  const { hostname: host, port } = new URL(gateways.url);
  const proxied = (input: string | URL | Request, init?: RequestInit) =>
    fetch(String(input).replace(gateways.url, `${gateways.url}/stripe`), init);
  const httpClient = Stripe.createFetchHttpClient(proxied as typeof fetch);
  return new Stripe(secret, { host, port: Number(port), protocol: "http", httpClient, maxNetworkRetries: 0 });
}

it("makes a session through Stripe's own client, whose address is the payment page", async () => {
  const client = clientOf(openAccount("stripe").secret);
  const session = await client.checkout.sessions.create(SESSION);
  expect(session).toMatchObject({
    id: expect.stringMatching(/^cs_test_\w{58}$/),
    amount_total: 35_400,
    currency: "inr",
    payment_status: "unpaid",
    status: "open",
    metadata: SESSION.metadata,
    url: `${gateways.url}/pay/stripe/${session.id}`,
  });
  expect((await client.checkout.sessions.retrieve(session.id)).url).toBe(session.url);
});

it("honours an Idempotency-Key", async () => {
  const client = clientOf(openAccount("stripe").secret);
  const options = { idempotencyKey: "pi-shop-1" };
  const first = await client.checkout.sessions.create(SESSION, options);
  const second = await client.checkout.sessions.create(SESSION, options);
  expect(second.id).toBe(first.id);
  expect(new Headers(second.lastResponse.headers).get("idempotent-replayed")).toBe("true");
  const other = { ...SESSION, customer_email: "other@example.com" };
  await expect(client.checkout.sessions.create(other, options)).rejects.toMatchObject({
    type: "StripeIdempotencyError",
  });
  const stranger = clientOf(openAccount("stripe").secret);
  expect((await stranger.checkout.sessions.create(SESSION, options)).id).not.toBe(first.id);
});

it("refuses in Stripe's shape", async () => {
  const { secret } = openAccount("stripe");
  const client = clientOf(secret);
  await expect(clientOf("sk_test_guessed").checkout.sessions.retrieve("cs_1")).rejects.toMatchObject({
    type: "StripeAuthenticationError",
  });
  await expect(client.checkout.sessions.retrieve("cs_1")).rejects.toMatchObject({ code: "resource_missing" });
  const path = "/stripe/v1/checkout/sessions";
  const missing = await call(path, `Bearer ${secret}`, "mode=payment&line_items[0][quantity]=1");
  expect([missing.status, missing.body.error.code]).toEqual([400, "parameter_missing"]);
  const { body } = await call(path, `Bearer ${secret}`, "mode=payment&colour=red");
  expect(body.error.type).toBe("invalid_request_error");
});

it("signs webhooks as Stripe's own package verifies them", async () => {
  const merchant = openAccount("stripe");
  const client = clientOf(merchant.secret);
  const session = await client.checkout.sessions.create(SESSION);
  const { body } = await pay("stripe", session.id, "paid");
  expect(body.webhooks).toMatchObject([{ event: "checkout.session.completed", statuses: [200] }]);
  const [webhook] = received;
  const signature = webhook?.headers["stripe-signature"] ?? "";
  const event = client.webhooks.constructEvent(webhook?.body ?? "", signature, merchant.webhook_secret);
  expect(event).toMatchObject({
    id: expect.stringMatching(/^evt_/),
    type: "checkout.session.completed",
    livemode: false,
    data: {
      object: {
        id: session.id,
        mode: "payment",
        amount_total: 35_400,
        currency: "inr",
        payment_status: "paid",
        payment_intent: expect.stringMatching(/^pi_/),
        metadata: SESSION.metadata,
      },
    },
  });
  const respaced = JSON.stringify(JSON.parse(webhook?.body ?? ""));
  expect(() => client.webhooks.constructEvent(respaced, signature, merchant.webhook_secret)).toThrow();
});

it("completes a session unpaid before its payment fails", async () => {
  const client = clientOf(openAccount("stripe").secret);
  const failing = await client.checkout.sessions.create(SESSION);
  await pay("stripe", failing.id, "failed");
  expect(eventsReceived()).toEqual(["checkout.session.completed", "checkout.session.async_payment_failed"]);
  expect(JSON.parse(received[0]?.body ?? "").data.object.payment_status).toBe("unpaid");
});

it("replays a refusal too, for the same key, and has no payment that it gives back by itself", async () => {
  const paid = await newPayment("stripe");
  const refused = await refund(paid, AMOUNT + 1);
  const replayed = await refund(paid, AMOUNT + 1);
  expect([replayed.status, replayed.body]).toEqual([400, refused.body]);
  expect(replayed.headers.get("Idempotent-Replayed")).toBe("true");
  expect((await refund(paid, 0, "another-key-001")).status).toBe(400);
  expect((await moneyBack(paid, { source: "auto" })).status).toBe(409);
});
