import { expect, inject, test } from "vitest";
import { hostedCheckout } from "../../../../src/features/gateway-payments/intents/hosted-checkout.ts";
import { play } from "../../../support/gateways.ts";
import { newVisit } from "../../school.ts";
import { AT, openWithGateway, PAGES } from "../bookings/gateway-school.ts";
import { submit, visit } from "./visitor.ts";

const DATA = { key_id: "rzp_live_1", razorpay_order_id: "order_1", amount: 7_500, currency: "INR" };
const ADDRESSES = { callbackUrl: "https://api.example.com/paid", cancelUrl: "https://api.example.com/" };

/** The directives of an answer's policy, by name. */
function policyOf({ headers }: { headers: Headers }): Record<string, string> {
  const directives = (headers.get("Content-Security-Policy") ?? "").split("; ");
  return Object.fromEntries(directives.map((one) => one.split(/ (.*)/).slice(0, 2)));
}

async function openedVisit(fields: object = PAGES) {
  const { school } = await openWithGateway("razorpay");
  return { school, ...(await newVisit(school, { ...AT, ...fields })) };
}

test("Razorpay's origins stand in the policy of the pay page, and of no other page", async () => {
  const { path } = await openedVisit();
  const { origin } = new URL(inject("service").gatewaysUrl);
  const pay = policyOf(await visit(`${path}/pay`));
  expect(pay).toMatchObject({
    "script-src": `'self' ${origin} https://cdn.razorpay.com`,
    "frame-src": `${origin} ${origin}`,
    "frame-ancestors": "'none'",
  });
  for (const other of ["", "/move", "?paid=0"]) {
    const policy = policyOf(await visit(path + other));
    expect(policy).toMatchObject({ "default-src": "'none'", "script-src": "'self'" });
    expect(policy["frame-src"]).toBe(undefined);
  }
});

test("outside of a sandbox the origins are Razorpay's own", () => {
  const services = { addressOf: (_: string, own: string) => own };
  const { action, script, sources } = hostedCheckout({ services } as never, DATA, ADDRESSES);
  expect(action).toBe("https://api.razorpay.com/v1/checkout/embedded");
  expect(script).toBe("https://checkout.razorpay.com/v1/checkout.js");
  expect(sources.split("; ")).toEqual([
    "script-src 'self' https://checkout.razorpay.com https://cdn.razorpay.com",
    "frame-src https://api.razorpay.com https://checkout.razorpay.com",
    "connect-src 'self' https://api.razorpay.com https://lumberjack.razorpay.com",
    "img-src 'self' data: https://*.razorpay.com",
  ]);
});

test("who is led on from a booking finds the payment that it opened, and a look opens no other", async () => {
  const { school, path } = await openedVisit();
  const [intent] = await school.company.rows("SELECT gateway_order_id FROM payment_intents");
  for (const _ of [1, 2]) {
    const { status, text } = await visit(`${path}/pay`);
    expect(status).toBe(200);
    expect(text).toContain(`name="order_id" value="${intent?.gateway_order_id}"`);
    expect(text).toContain('name="prefill[email]" value="mia@example.com"');
    expect(text).toMatch(/<script src="[^"]+\/v1\/checkout\.js" async/);
  }
  expect(await school.company.rows("SELECT count(*) AS n FROM payment_intents")).toEqual([{ n: 1 }]);
  await play(school.company, "razorpay", String(intent?.gateway_order_id), "paid");
  const paid = await fetch(`${inject("service").url}${path}/pay`, { redirect: "manual" });
  expect({ status: paid.status, to: paid.headers.get("Location") }).toEqual({
    status: 303,
    to: expect.stringMatching(`${path}$`),
  });
});

test("where no payment was opened yet, or its hold is over, the page itself is shown with its button", async () => {
  const { school, path, booking } = await openedVisit({});
  expect((await visit(`${path}/pay`)).text).toContain("Pay now");
  await submit(`${path}/pay`, { once: "1" });
  expect((await visit(`${path}/pay`)).text).toContain('name="order_id"');
  await school.company.rows("UPDATE bookings SET hold_expires_at = 1 WHERE id = ?", booking.id);
  expect((await visit(`${path}/pay`)).text).toContain("has run out");
});
