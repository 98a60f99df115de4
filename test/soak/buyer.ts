import { expect } from "vitest";
import { CHECKOUT } from "../support/gateways.ts";
import { type readCredentials, signed } from "./started.ts";

/** Checks out, pays as a script does, and opens the invoice. */
export async function buy(credentials: Awaited<ReturnType<typeof readCredentials>>, currency: string) {
  const headers = signed(credentials.secret_key);
  const storefront = `${credentials.base_url}/storefront/${credentials.company}`;
  const body = JSON.stringify({
    ...CHECKOUT,
    items: [{ name: "Gift card", quantity: 1, unit_price: 20 }],
    customer: { name: "Asha", email: "asha@example.com" },
    currency,
  });
  const placed = await json(fetch(`${storefront}/checkout`, { method: "POST", headers, body }));
  const { gateway, order_id, payment_data } = placed;
  const page = `${credentials.sandbox_url}/pay/${gateway}/${payment_data.gateway_order_id}`;
  await json(fetch(page, { method: "POST", headers, body: JSON.stringify({ outcome: "paid" }) }));
  const order = await json(fetch(`${storefront}/order/${order_id}`, { headers }));
  return { gateway, invoiced: (await fetch(order.data.invoice_url)).status };
}

/** Waits until the buyer has so many notices of it: the demo companies have their notifications on. */
export async function expectThanks(sandbox: string, times: number): Promise<void> {
  const subjects = async () => {
    const { data } = await json(fetch(`${sandbox}/messages?to=asha@example.com`));
    return (data as { subject: string }[]).filter(({ subject }) =>
      subject.startsWith("Thank you for your order"),
    );
  };
  await expect.poll(async () => (await subjects()).length, { timeout: 40_000 }).toBe(times);
}

async function json(answer: Promise<Response>) {
  const response = await answer;
  expect(response.status).toBe(200);
  return JSON.parse(await response.text());
}
