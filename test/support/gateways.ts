import { createHmac, randomBytes } from "node:crypto";
import { settingsOf } from "../../src/sandbox/demo/demo-gateways.ts";
import type { Merchant } from "../../src/sandbox/gateways/merchants.ts";
import type { Delivery, PayerAction } from "../../src/sandbox/gateways/orders.ts";
import { must, type TestCompany } from "./company.ts";

export type Kind = Merchant["kind"];
export type Played = { state: string; payment_ids: string[]; webhooks: Delivery[] };

/** An account at one of the stand-ins, connected to a company. */
export type Connected = { id: string; merchant: Merchant };

/** Opens an account at a stand-in whose webhooks reach the company, and connects it there. */
export async function connectGateway(
  company: TestCompany,
  kind: Kind,
  fields: Record<string, unknown> = {},
): Promise<Connected> {
  const word = randomBytes(8).toString("hex");
  const merchant: Merchant = {
    kind,
    company: company.slug,
    name: "Asha Traders",
    account: `account_${word}`,
    secret: `secret_${word}`,
    webhook_secret: `signing_${word}`,
    webhook_url: webhookAddress(company, kind),
  };
  await put(`${company.gatewaysUrl}/pay/merchants`, merchant);
  const answer = await company.call<{ id: string }>("POST", "/settings/:company/payment-gateways", {
    body: { mode: "test", ...settingsOf(merchant), ...fields },
  });
  return { id: must(answer, 201).body.data.id, merchant };
}

export const CHECKOUT = {
  items: [{ name: "Gift card", quantity: 1, unit_price: 354 }],
  customer: { name: "Meera", email: "meera@example.com" },
  currency: "INR",
  source_website: "shop.example.com",
  return_url: "https://shop.example.com/thanks",
  cancel_url: "https://shop.example.com/",
};

/** Places an order at the company's storefront. */
export async function checkOut(company: TestCompany, fields: object = {}) {
  const body = { ...CHECKOUT, ...fields };
  const placed = must(await company.call("POST", "/storefront/:company/checkout", { body }), 200);
  return placed.body as unknown as { order_id: number; payment_data: { gateway_order_id: string } };
}

/** Lets an account report money of what another one opened, which is of no record; gives the id of its capture. */
export async function leaveCapture(company: TestCompany, connected?: Connected): Promise<string> {
  const reporter = connected ?? (await connectGateway(company, "razorpay"));
  const set = async (id: string, body: object) =>
    must(await company.call("PATCH", `/settings/:company/payment-gateways/${id}`, { body }), 200);
  await set(reporter.id, { priority: 1_000 });
  const opener = await connectGateway(company, "razorpay");
  const { payment_data } = await checkOut(company);
  await set(opener.id, { is_active: false });
  const id = `pay_${randomBytes(7).toString("hex")}`;
  const money = { amount: 35_400, currency: "INR", status: "captured", captured: true, notes: [] };
  const entity = { id, order_id: payment_data.gateway_order_id, ...money };
  await leave(company, reporter, { event: "payment.captured", payload: { payment: { entity } } });
  return newestOf(company, "/ledger/:company/captures");
}

/** Lets an account report a payment that no record knows. */
export function leaveForeign(company: TestCompany): Promise<void> {
  const id = `pay_${randomBytes(7).toString("hex")}`;
  const money = { amount: 127_000, currency: "INR", status: "captured", captured: true, notes: [] };
  const entity = { id, order_id: `order_${randomBytes(7).toString("hex")}`, ...money };
  return leave(company, undefined, { event: "payment.captured", payload: { payment: { entity } } });
}

/** Leaves a report of a refund of a payment that the API does not know, and gives its id. */
export async function leaveReport(company: TestCompany): Promise<string> {
  const [id, payment_id] = [
    `rfnd_${randomBytes(7).toString("hex")}`,
    `pay_${randomBytes(7).toString("hex")}`,
  ];
  const entity = { id, payment_id, amount: 35_400, currency: "INR", status: "processed", notes: [] };
  const payment = { entity: { id: payment_id, captured: true } };
  await leave(company, undefined, { event: "refund.processed", payload: { refund: { entity }, payment } });
  return newestOf(company, "/refunds/:company/reports");
}

async function leave(company: TestCompany, connected: Connected | undefined, event: object): Promise<void> {
  const { merchant } = connected ?? (await connectGateway(company, "razorpay"));
  const body = new TextEncoder().encode(JSON.stringify({ ...event, created_at: 1 }));
  const headers = {
    "X-Razorpay-Signature": createHmac("sha256", merchant.webhook_secret).update(body).digest("hex"),
    "x-razorpay-event-id": `evt_${randomBytes(7).toString("hex")}`,
  };
  const path = "/storefront/:company/webhook/razorpay";
  must(await company.call("POST", path, { key: null, body, headers }), 200);
}

export async function newestOf(company: TestCompany, path: string): Promise<string> {
  return String((await company.read<{ id: string }[]>(path))[0]?.id);
}

/** Where a gateway sends the events of a company. */
function webhookAddress(company: TestCompany, kind: string): string {
  return `${company.url}/api/v1/storefront/${company.slug}/webhook/${kind}`;
}

/** Plays the payer of a gateway's order, and waits until its events were delivered. */
export async function play(
  company: TestCompany,
  kind: Kind,
  gatewayOrderId: string,
  outcome: PayerAction,
): Promise<Played> {
  const response = await fetch(`${company.gatewaysUrl}/pay/${kind}/${gatewayOrderId}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ outcome }),
  });
  if (!response.ok) throw new Error(`The payer could not pay: ${await response.text()}`);
  return (await response.json()) as Played;
}

/** The ids of the orders that an account was asked for, newest first. */
export async function ordersAt(company: TestCompany, { merchant }: Connected): Promise<string[]> {
  const answer = await fetch(`${company.gatewaysUrl}/pay/accounts/${merchant.account}/orders`);
  return (await answer.json()) as string[];
}

/** Lets the stand-in meet an account's calls and webhooks with faults: shares from 0 to 1. */
export function gatewayFaults(company: TestCompany, { merchant }: Connected, rates: Record<string, number>) {
  return put(`${company.gatewaysUrl}/pay/faults/${merchant.account}`, rates);
}

/** Sends an account's events to another address from now on. */
export function redirectEvents(company: TestCompany, { merchant }: Connected, url: string): Promise<void> {
  return put(`${company.gatewaysUrl}/pay/merchants`, { ...merchant, webhook_url: url });
}

async function put(url: string, body: object): Promise<void> {
  const response = await fetch(url, {
    method: "PUT",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${url}: ${await response.text()}`);
}
