import { createHash, createHmac, randomBytes } from "node:crypto";
import type * as z from "zod";
import type { CheckoutResult } from "../../../src/features/storefront/checkout/schema.ts";
import type { order as orderRecord } from "../../../src/features/storefront/orders/record.ts";
import { must, openCompany, type TestCompany } from "../../support/company.ts";
import { type Connected, connectGateway, type Kind } from "../../support/gateways.ts";
import type { Answer } from "../../support/http.ts";
import type { FaultRule } from "../../support/libsql/faults.ts";
import { getInvoice, REGISTERED } from "../commerce.ts";
import { visit } from "../invoices/page/hosted.ts";
import { newProduct } from "../money.ts";

/** An account of a gateway, as a company connects it. */
export const razorpay = {
  kind: "razorpay",
  mode: "test",
  credentials: { key_id: "rzp_test_1234", key_secret: "demo-key-secret-5678" },
  webhook_secret: "demo-webhook-9012",
};

export type Placed = Omit<z.infer<typeof CheckoutResult>, "payment_data"> & {
  payment_data: { gateway_order_id: string };
};
type Shop = { company: TestCompany; connected: Connected };
export type OrderRecord = z.infer<typeof orderRecord.schema>;
type Fields = Record<string, unknown>;

/** The kinds of gateway and a currency that each takes. */
export const KINDS: [Kind, string][] = [
  ["razorpay", "INR"],
  ["stripe", "INR"],
  ["paypal", "USD"],
];
export const shopper = {
  name: "Meera Nair",
  email: "meera@example.com",
  phone: "+91 98470 12345",
  state: "Karnataka",
  pincode: "560001",
  country: "IN",
};
export const line = { name: "Gift card", quantity: 1, unit_price: 100 };
export const order = {
  customer: shopper,
  currency: "INR",
  source_website: "shop.example.com",
  return_url: "https://shop.example.com/thanks",
  cancel_url: "https://shop.example.com/basket",
};

/** A company with one gateway connected, of a kind that takes the currency. */
export async function openShop(kind: Kind = "razorpay", fields: Fields = {}) {
  const company = await openCompany(REGISTERED);
  return { company, connected: await connectGateway(company, kind, fields) };
}

/** Checks out; by default one free line of 100.00. */
export function postCheckout(
  company: TestCompany,
  fields: Fields = {},
  headers: Record<string, string> = {},
): Promise<Answer & { body: Placed }> {
  const body = { ...order, items: [line], ...fields };
  return company.call("POST", "/storefront/:company/checkout", { body, headers }) as Promise<
    Answer & { body: Placed }
  >;
}

export async function placeOrder(company: TestCompany, fields: Fields = {}): Promise<Placed> {
  const answer = await postCheckout(company, fields);
  must(answer, 200);
  return answer.body;
}

export async function getOrder(company: TestCompany, id: number): Promise<OrderRecord> {
  return must(await company.call<OrderRecord>("GET", `/storefront/:company/order/${id}`), 200).body.data;
}

/** A line of one piece of a new product of the catalogue, which says what it costs. */
export async function productLine(company: TestCompany, fields: Fields = {}, quantity = 1) {
  const { id } = await newProduct(company, { selling_price: 100, ...fields });
  return { name: "x", quantity, unit_price: 1, product_id: Number(id) };
}

/** Checks out so many times. */
export async function placeOrders(company: TestCompany, count: number, fields: Fields = {}) {
  const placed: Placed[] = [];
  while (placed.length < count) placed.push(await placeOrder(company, fields));
  return placed as [Placed, Placed, Placed, Placed, Placed];
}

/** Pays an order, and gives it with its invoice. */
export async function paidFor({ company, connected }: Shop, placed: Placed) {
  must(await deliver(company, connected, razorpayEvent(placed)), 200);
  const order = await getOrder(company, placed.order_id);
  return { order, invoice: await getInvoice(company, String(order.invoice_id)) };
}

/** Checks out and pays; gives the order, its invoice and the invoice's page. */
export async function bought(shop: Shop, fields: Fields = {}) {
  const sold = await paidFor(shop, await placeOrder(shop.company, fields));
  return { ...sold, page: await visit(new URL(String(sold.order.invoice_url)).pathname) };
}

/** How an order and its payment stand, such as `invoiced paid`. */
export async function orderState(company: TestCompany, id: number): Promise<string> {
  const { status, payment_status: payment } = await getOrder(company, id);
  return `${status} ${payment}`;
}

/** What an event about it is made from. */
type Asked = Pick<Placed, "total_amount" | "currency" | "payment_data">;

export const gatewayOrderOf = ({ payment_data }: Pick<Placed, "payment_data">) =>
  payment_data.gateway_order_id;

/** A razorpay event about an order, as the gateway would word it. */
export function razorpayEvent(
  placed: Asked,
  fields: { type?: string; payment?: Fields; order?: Fields } = {},
) {
  const { type = "order.paid" } = fields;
  const amount = Math.round(placed.total_amount * 100);
  const orderId = gatewayOrderOf(placed);
  const payment = {
    id: `pay_${randomBytes(7).toString("hex")}`,
    entity: "payment",
    order_id: orderId,
    amount,
    currency: placed.currency,
    status: type === "payment.failed" ? "failed" : "captured",
    captured: type !== "payment.failed",
    notes: [],
    ...fields.payment,
  };
  const entity = {
    id: orderId,
    entity: "order",
    amount,
    amount_paid: amount,
    amount_due: 0,
    currency: placed.currency,
    ...fields.order,
  };
  return {
    entity: "event",
    event: type,
    created_at: Math.floor(Date.now() / 1_000),
    payload: {
      payment: { entity: payment },
      ...(type === "order.paid" ? { order: { entity } } : {}),
    },
  };
}

/** The event of a payment that was captured. */
export const captured = (placed: Asked, payment: Fields = {}) =>
  razorpayEvent(placed, { type: "payment.captured", payment });

export type Posted = Answer & { body: { success: boolean; duplicate?: boolean } };

/** Under these a first write to a table is cut off and the next one waits: a refusal of it says nothing of the first. */
export function cutOff(table: string): FaultRule[] {
  const once = { writes_only: true, times: 1, about: table };
  return [
    { kind: "reset_before", ...once },
    { kind: "delay", delay_ms: 2_000, ...once },
  ];
}

/** The id that an event of razorpay is stored under, and the hash of its bytes. */
export function storedUnder(id: string, event: object): [id: string, hash: string] {
  const hash = createHash("sha256").update(JSON.stringify(event)).digest("hex");
  return [`${id}:${hash}`, hash];
}

/** Delivers an event to a company's webhook, signed as razorpay signs. */
export async function deliver(
  company: TestCompany,
  { merchant }: Pick<Connected, "merchant">,
  event: object | string | Uint8Array<ArrayBuffer>,
  { id = `evt_${randomBytes(7).toString("hex")}`, base = "/api/v1" } = {},
): Promise<Posted> {
  const text = typeof event === "string" ? event : JSON.stringify(event);
  const body = event instanceof Uint8Array ? event : new TextEncoder().encode(text);
  const signature = createHmac("sha256", merchant.webhook_secret).update(body).digest("hex");
  return company.call("POST", "/storefront/:company/webhook/razorpay", {
    key: null,
    base,
    body,
    headers: { "X-Razorpay-Signature": signature, "x-razorpay-event-id": id },
  }) as Promise<Posted>;
}
