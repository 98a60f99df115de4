import { expect } from "vitest";
import type * as z from "zod";
import type { listedOrder } from "../../../../src/features/storefront/orders/record.ts";
import { must, platform, type TestCompany } from "../../../support/company.ts";
import { expectSound } from "../../../support/oracles.ts";
import { captured, deliver, openShop, type Placed, placeOrder } from "../shop.ts";

export type Shop = Awaited<ReturnType<typeof openShop>>;
export type Listed = z.infer<typeof listedOrder.schema>;
export const free = (unit_price: number) => ({ name: "Free", quantity: 1, unit_price });
export const invalid = { status: 409, body: { code: "invalid_status" } };

export function resolve({ company }: Shop, id: number, body: object, headers: Record<string, string> = {}) {
  return company.call<Listed>("POST", `/orders/:company/${id}/resolve`, { body, headers });
}

/** The order as a resolution that is accepted leaves it. */
export async function resolved(shop: Shop, id: number, body: object): Promise<Listed> {
  return must(await resolve(shop, id, body), 200).body.data;
}

export async function read({ company }: Shop, id: number): Promise<Listed> {
  return must(await company.call<Listed>("GET", `/orders/:company/${id}`), 200).body.data;
}

export async function unposted({ company }: Shop) {
  return must(await company.call<object[]>("GET", "/ledger/:company/unposted"), 200).body.data;
}

/** What gateways took and is neither invoiced nor settled, newest first. */
export async function advancesOf({ company }: Shop) {
  const path = "/ledger/:company/captures?state=advance";
  return must(await company.call<object[]>("GET", path), 200).body.data;
}

export async function pay(
  { company, connected }: Shop,
  placed: Placed,
  payment: Record<string, unknown> = {},
) {
  must(await deliver(company, connected, captured(placed, payment)), 200);
}

export async function expectWhole({ company }: Shop) {
  await expectSound(company);
  const checked = must(await platform("GET", `/platform/self-check/${company.slug}`), 200).body.data;
  expect(checked).toMatchObject({ sound: true, broken: [] });
}

/** An order of 1,450.00 that is paid, with 450.00 of stated tax: 45 percent, which no slab is. */
export async function implausible(shared?: Shop) {
  const shop = shared ?? (await openShop());
  const placed = await placeOrder(shop.company, { items: [free(1_000)], tax_amount: 450 });
  await pay(shop, placed);
  expect(await read(shop, placed.order_id)).toMatchObject({ review_code: "tax_amount_implausible" });
  return { shop, placed, id: placed.order_id };
}

/** Takes the last invoice number of the year away, so that no paid order can be invoiced. */
export async function exhaust(company: TestCompany) {
  const [{ period } = {}] = await company.rows("SELECT period FROM number_series WHERE series = 'order'");
  await company.rows(
    "INSERT INTO number_series (series, period, last) VALUES ('invoice', ?, 999999)",
    String(period),
  );
  return () => company.rows("DELETE FROM number_series WHERE series = 'invoice'");
}
