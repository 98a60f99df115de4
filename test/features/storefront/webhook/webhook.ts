import type { TestCompany } from "../../../support/company.ts";
import { openShop, type Placed, placeOrder } from "../shop.ts";

export const events = (company: TestCompany) =>
  company.rows("SELECT type, outcome FROM gateway_events ORDER BY received_at, type");

export const invoices = async (company: TestCompany) =>
  (await company.rows("SELECT count(*) AS n FROM invoices"))[0]?.n;

/** What a gateway was given to recognise the payment of the newest order by. */
export async function notesOf(company: TestCompany) {
  const [intent] = await company.rows("SELECT operation FROM payment_intents ORDER BY id DESC LIMIT 1");
  return { company: company.slug, kind: "order", reference: String(intent?.operation) };
}

/** How many invoices an order has, and how many payments they have. */
export async function invoicesOf(company: TestCompany, { order_id }: Placed) {
  const [counts] = await company.rows(
    `SELECT count(DISTINCT invoice.id) AS invoices, count(payment.id) AS payments
      FROM invoices invoice LEFT JOIN payments payment ON payment.invoice_id = invoice.id
      WHERE invoice.sales_order_id = ?`,
    order_id,
  );
  return counts;
}
export const NONE = { invoices: 0, payments: 0 };
export const ONE = { invoices: 1, payments: 1 };

export async function shopWithOrder(fields: Record<string, unknown> = {}) {
  const shop = await openShop();
  return { ...shop, placed: await placeOrder(shop.company, fields) };
}

export const postStripe = (company: TestCompany, header: string, body: string) =>
  company.call("POST", "/storefront/:company/webhook/stripe", {
    key: null,
    body: new TextEncoder().encode(body),
    headers: { "Stripe-Signature": header },
  });
