import type * as z from "zod";
import type { refund } from "../../../src/features/refunds/record.ts";
import type { Refund as Ledgered } from "../../../src/sandbox/gateways/refunds.ts";
import { must, type TestCompany } from "../../support/company.ts";
import { type Connected, play } from "../../support/gateways.ts";
import type { Answer } from "../../support/http.ts";
import { gatewayOrderOf, line, placeOrder } from "../storefront/shop.ts";

export type RefundRecord = z.infer<typeof refund.schema>;
export type Shop = { company: TestCompany; connected: Connected };
type Fields = Record<string, unknown>;

export function postRefund(
  company: TestCompany,
  fields: Fields,
  headers: Record<string, string> = {},
): Promise<Answer<RefundRecord>> {
  const body = { reason: "duplicate_payment", ...fields };
  return company.call("POST", "/refunds/:company", { body, headers });
}

export async function newRefund(company: TestCompany, fields: Fields): Promise<RefundRecord> {
  return must(await postRefund(company, fields), 201).body.data;
}

export async function getRefund(company: TestCompany, id: string): Promise<RefundRecord> {
  return must(await company.call<RefundRecord>("GET", `/refunds/:company/${id}`), 200).body.data;
}

export function retry(company: TestCompany, id: string): Promise<Answer<RefundRecord>> {
  return company.call("POST", `/refunds/:company/${id}/retry`);
}

export type Paid = { captureId: string; paymentId: string; orderId: number };

/** An order of 100.00 that was paid so often; gives the newest capture, which is an advance where it was paid twice. */
export async function paidOrder(
  { company, connected }: Shop,
  outcome: "paid" | "twice" = "twice",
  currency = "INR",
): Promise<Paid> {
  const placed = await placeOrder(company, { currency });
  await play(company, connected.merchant.kind, gatewayOrderOf(placed), outcome);
  const [row] = await company.rows(
    "SELECT id, gateway_payment_id FROM gateway_captures ORDER BY id DESC LIMIT 1",
  );
  return {
    captureId: String(row?.id),
    paymentId: String(row?.gateway_payment_id),
    orderId: placed.order_id,
  };
}

/** An order of 1,180.00 with 18 percent of tax in two lines, which was paid. */
export async function taxedOrder({ company }: Shop, currency = "INR"): Promise<number> {
  const items = [
    { ...line, quantity: 2, unit_price: 300 },
    { ...line, unit_price: 400 },
  ];
  const placed = await placeOrder(company, { items, tax_amount: 180, currency });
  await play(company, "razorpay", gatewayOrderOf(placed), "paid");
  return placed.order_id;
}

/** The credit notes of an order's invoice, oldest first, in minor units. */
export function notesOf({ company }: Shop, orderId: number) {
  return company.rows(
    `SELECT reason, taxable_total, tax_total, round_off, total_amount, unapplied_amount FROM credit_notes
      WHERE invoice_id = (SELECT invoice_id FROM sales_orders WHERE id = ?) ORDER BY id`,
    orderId,
  );
}

type Payment = { id: string; payment: string; state: string };

/** The payments that came for an order, a booking or an invoice, oldest first. */
export async function paymentsOf(company: TestCompany, kind: string, id: string): Promise<Payment[]> {
  const rows = await company.rows(
    `SELECT capture.id, capture.gateway_payment_id AS payment, state FROM gateway_captures capture
      JOIN payment_intents intent ON intent.id = intent_id WHERE kind = ? AND ref_id = ? ORDER BY capture.id`,
    kind,
    id,
  );
  return rows.map((row) => ({ id: String(row.id), payment: String(row.payment), state: String(row.state) }));
}

/** The amounts that are listed as due back of an order, a booking or a capture. */
export async function dueOf(company: TestCompany, kind: string, id: string): Promise<number[]> {
  type Due = { kind: string; ref_id: string; amount: number };
  const { data } = must(await company.call<Due[]>("GET", "/refunds/:company/due"), 200).body;
  return data.filter((due) => due.kind === kind && due.ref_id === id).map(({ amount }) => amount);
}

/** What the gateway itself knows of money that went back, oldest first. */
export async function ledgerOf({ company, connected }: Shop): Promise<Ledgered[]> {
  const answer = await fetch(`${company.gatewaysUrl}/pay/refunds/${connected.merchant.account}`);
  return (await answer.json()) as Ledgered[];
}

/** What of payments went back, as their gateway itself knows. */
export async function sentBackOf(shop: Shop, ...payments: string[]): Promise<Ledgered[]> {
  return (await ledgerOf(shop)).filter(({ payment_id: id }) => payments.includes(id));
}

/** Lets a person at the gateway, or the payer's bank, give a payment's money back; ends when its events are delivered. */
export async function giveBack(
  { company, connected }: Shop,
  paymentId: string,
  body: { source: "console" | "chargeback" | "auto"; amount?: number },
): Promise<Ledgered> {
  const { refund: made } = await post(
    `${company.gatewaysUrl}/pay/accounts/${connected.merchant.account}/payments/${paymentId}`,
    body,
  );
  return made;
}

/** What becomes of the next refund of a payment at its gateway. */
export async function endNext(
  { company, connected }: Shop,
  paymentId: string | undefined,
  outcome: "pending" | "failed",
): Promise<void> {
  const account = `${company.gatewaysUrl}/pay/accounts/${connected.merchant.account}`;
  await post(`${account}/payments/${paymentId}/next-refund`, { outcome });
}

/** Ends a refund at the gateway. */
export async function endAtGateway(
  { company }: Pick<Shop, "company">,
  gatewayRefundId: string | null,
  outcome: "succeeded" | "failed" | "reversed",
): Promise<void> {
  await post(`${company.gatewaysUrl}/pay/refunds/${gatewayRefundId}`, { outcome });
}

/** Ends the refund that the gateway made last. */
export async function endLast(shop: Shop, outcome: "succeeded" | "failed"): Promise<void> {
  await endAtGateway(shop, (await ledgerOf(shop)).at(-1)?.id ?? null, outcome);
}

async function post(url: string, body: object): Promise<{ refund: Ledgered }> {
  const headers = { "Content-Type": "application/json" };
  const answer = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${url}: ${await answer.text()}`);
  return (await answer.json()) as { refund: Ledgered };
}

/** Each refund as its source, status and amount in minor units. */
export async function refundsOf(company: TestCompany): Promise<string[]> {
  const rows = await company.rows("SELECT source, status, amount FROM gateway_refunds ORDER BY id");
  return rows.map(({ source, status, amount }) => `${source} ${status} ${amount}`);
}

const REFUND = { entity: "refund", currency: "INR", status: "processed", notes: [], receipt: null };

/** An event of Razorpay about a refund that it has made, of rupees, where `refund` says nothing else. */
export const refundEvent = (refund: object, event = "refund.processed", payment: object = {}) => ({
  entity: "event",
  event,
  created_at: Math.floor(Date.now() / 1_000),
  payload: {
    refund: { entity: { ...REFUND, ...refund } },
    payment: { entity: { captured: true, ...payment } },
  },
});
