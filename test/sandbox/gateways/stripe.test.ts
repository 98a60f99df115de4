import Stripe from "stripe";
import { expect, it } from "vitest";
import { holdsContract } from "./contract.ts";
import { call, eventsReceived, gateways, openAccount, pay, received } from "./harness.ts";
import { AMOUNT, moneyBack, newOrder, newPayment, refund } from "./payments.ts";

holdsContract("stripe", {
  currency: "INR",
  opens: { once: true, page: true },
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
  customer_email: "asha@example.com",
  line_items: [
    { quantity: 1, price_data: { currency: "inr", unit_amount: 35_400, product_data: { name: "Order" } } },
  ],
  metadata: { company: "shop", kind: "order", ref_id: "1" },
};

/** Stripe's own client, speaking to the stand-in. */
function packageOf(secret: string): Stripe {
  const { hostname: host, port } = new URL(gateways.url);
  const proxied = (input: string | URL | Request, init?: RequestInit) =>
    fetch(String(input).replace(gateways.url, `${gateways.url}/stripe`), init);
  const httpClient = Stripe.createFetchHttpClient(proxied as typeof fetch);
  return new Stripe(secret, { host, port: Number(port), protocol: "http", httpClient, maxNetworkRetries: 0 });
}

it.each(["asha@xn--l2bey1c2b.xn--h2brj9c", "asha@example.co"])(
  "takes the address %s",
  async (customer_email) => {
    const client = packageOf(openAccount("stripe").secret);
    expect(await client.checkout.sessions.create({ ...SESSION, customer_email })).toMatchObject({
      customer_email,
    });
  },
);

it("refuses an address without a host", async () => {
  const client = packageOf(openAccount("stripe").secret);
  for (const customer_email of ["asha", "asha@", "asha@xn--l2bey1c2b.xn--"])
    await expect(client.checkout.sessions.create({ ...SESSION, customer_email })).rejects.toThrow();
});

it("makes a session through Stripe's own client, once for an Idempotency-Key", async () => {
  const client = packageOf(openAccount("stripe").secret);
  const options = { idempotencyKey: "pi-shop-1" };
  const first = await client.checkout.sessions.create(SESSION, options);
  const { metadata } = SESSION;
  expect(first).toMatchObject({ amount_total: 35_400, currency: "inr", payment_status: "unpaid", metadata });
  expect((await client.checkout.sessions.retrieve(first.id)).url).toBe(first.url);
  const second = await client.checkout.sessions.create(SESSION, options);
  expect(second.id).toBe(first.id);
  expect(new Headers(second.lastResponse.headers).get("idempotent-replayed")).toBe("true");
  const other = { ...SESSION, customer_email: "other@example.com" };
  await expect(client.checkout.sessions.create(other, options)).rejects.toMatchObject({
    type: "StripeIdempotencyError",
  });
});

it("refuses the list of payment methods, which Stripe takes no more since 2026-09-30.endive", async () => {
  const client = packageOf(openAccount("stripe").secret);
  const former = { ...SESSION, payment_method_types: ["card"] };
  await expect(client.checkout.sessions.create(former)).rejects.toMatchObject({
    ...{ code: "parameter_unknown", param: "payment_method_types" },
  });
});

it("refuses in Stripe's shape", async () => {
  const { secret } = openAccount("stripe");
  await expect(packageOf("sk_test_guessed").checkout.sessions.retrieve("cs_1")).rejects.toMatchObject({
    type: "StripeAuthenticationError",
  });
  await expect(packageOf(secret).checkout.sessions.retrieve("cs_1")).rejects.toMatchObject({
    code: "resource_missing",
  });
  const refusalOf = async (form: string) =>
    (await call("/stripe/v1/checkout/sessions", `Bearer ${secret}`, form)).body.error;
  expect((await refusalOf("mode=payment&line_items[0][quantity]=1")).code).toBe("parameter_missing");
  expect((await refusalOf("mode=payment&colour=red")).type).toBe("invalid_request_error");
});

it("signs webhooks as Stripe's own package verifies them", async () => {
  const { order, merchant } = await newOrder("stripe");
  await pay("stripe", order, "paid");
  const { webhooks } = packageOf(merchant.secret);
  const [one] = received;
  const body = String(one?.body);
  const verified = (text: string) =>
    webhooks.constructEvent(text, String(one?.headers["stripe-signature"]), merchant.webhook_secret);
  expect(verified(body)).toMatchObject({
    ...{ id: expect.stringMatching(/^evt_/), type: "checkout.session.completed", livemode: false },
    data: { object: { id: order, payment_status: "paid", payment_intent: expect.stringMatching(/^pi_/) } },
  });
  expect(() => verified(JSON.stringify(JSON.parse(body)))).toThrow();
});

it("ends an open session once, which cannot be paid then", async () => {
  const { order, merchant } = await newOrder("stripe");
  const { sessions } = packageOf(merchant.secret).checkout;
  expect(await sessions.expire(order)).toMatchObject({ status: "expired", url: null });
  await expect.poll(eventsReceived).toEqual(["checkout.session.expired"]);
  await expect(sessions.expire(order)).rejects.toMatchObject({ type: "StripeInvalidRequestError" });
  expect((await pay("stripe", order, "paid")).status).toBe(409);
});

it("completes a session unpaid before its payment fails", async () => {
  await pay("stripe", (await newOrder("stripe")).order, "failed");
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
