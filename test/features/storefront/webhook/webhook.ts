import type { TestCompany } from "../../../support/company.ts";
import { rowsOf } from "../../commerce.ts";
import { openShop, placeOrder } from "../shop.ts";

export const events = (company: TestCompany) =>
  rowsOf(company, "SELECT type, outcome FROM gateway_events ORDER BY received_at, type");

export const invoices = async (company: TestCompany) =>
  (await rowsOf(company, "SELECT count(*) AS n FROM invoices"))[0]?.n;

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
