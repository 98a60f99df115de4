import { randomUUID } from "node:crypto";
import type { Draw } from "./draw.ts";
import type { Shop } from "./shop.ts";
import type { Asked, Moves } from "./world.ts";

const REFUNDS = "/refunds/:company";
const TO_RETRY = `gateway_refunds WHERE status = 'failed' AND source = 'api'
  AND id NOT IN (SELECT retry_of FROM gateway_refunds WHERE retry_of IS NOT NULL)`;

/** What the staff do to give money back, and what gateways do by themselves. */
export const REFUND_MOVES: Moves<Shop> = {
  advance: {
    weight: 9,
    act: async (shop, draw) => {
      const one = await oneOf(shop, "gateway_captures WHERE advance_amount > 0");
      if (one === undefined) return;
      const amount = draw.oneIn(2) ? undefined : part(draw, one.advance_amount);
      return { path: REFUNDS, body: { capture_id: one.id, amount, reason: "duplicate_payment" } };
    },
  },
  "credit note": { weight: 9, act: refundCredit },
  again: {
    weight: 3,
    act: async (shop) => {
      const one = await oneOf(shop, TO_RETRY);
      return one && { path: `${REFUNDS}/${one.id}/retry` };
    },
  },
  console: { weight: 2, act: (shop, draw) => takeBack(shop, draw, "console") },
  chargeback: { weight: 1, act: (shop, draw) => takeBack(shop, draw, "chargeback") },
  end: {
    weight: 2,
    act: async (shop, draw) => {
      const one = draw.one(await pending(shop));
      if (one !== undefined) await end(shop, draw, one);
    },
  },
  // An event that no gateway signed.
  forged: {
    weight: 1,
    answers: ["400 invalid_signature"],
    act: async (shop) => {
      const one = await oneOf(shop, "gateway_captures");
      const entity = { id: `rfnd_${randomUUID()}`, payment_id: one?.gateway_payment_id, amount: 100 };
      const refund = { entity: { ...entity, currency: "INR", status: "processed" } };
      const headers = { "X-Razorpay-Signature": "0".repeat(64), "x-razorpay-event-id": randomUUID() };
      const body = { event: "refund.processed", payload: { refund } };
      return { path: "/storefront/:company/webhook/razorpay", body, headers, key: null };
    },
  },
};

/** Ends at the gateways all that is on its way there. */
export async function endAll(shop: Shop): Promise<void> {
  for (const one of await pending(shop)) await end(shop, shop.draw(), one);
}

async function pending(shop: Shop) {
  return (await shop.back()).filter(({ state }) => state === "pending");
}

async function end(shop: Shop, draw: Draw, { id }: { id: string }): Promise<void> {
  const outcome = draw.oneIn(4) ? "failed" : "succeeded";
  await shop.desk(`/refunds/${id}`, { outcome }).catch(() => undefined);
}

async function refundCredit(shop: Shop, draw: Draw): Promise<Asked | undefined> {
  const invoice = await oneOf(shop, "invoices WHERE amount_paid > 0 AND amount_credited < total_amount");
  if (invoice === undefined) return undefined;
  const [item] = await shop.rows("SELECT id FROM invoice_items WHERE invoice_id = ?", String(invoice.id));
  const items = [{ invoice_item_id: item?.id, amount: part(draw, invoice.taxable_total) }];
  const path = `/invoices/:company/${invoice.id}/credit-notes`;
  const issued = await shop.ask({ path, body: { reason: "sales_return", items } });
  if (issued.status !== 201) return undefined;
  return { path: REFUNDS, body: { credit_note_id: issued.body.data.id, reason: "sales_return" } };
}

async function takeBack(shop: Shop, draw: Draw, source: "console" | "chargeback"): Promise<void> {
  const one = await oneOf(shop, "gateway_captures WHERE refunded_amount < amount");
  if (one === undefined) return;
  const path = `/accounts/${shop.account(one.gateway)}/payments/${one.gateway_payment_id}`;
  await shop.desk(path, { source, amount: draw.from(1, Number(one.amount)) }).catch(() => undefined);
}

/** A part of an amount in minor units, as an amount of the API. */
function part(draw: Draw, most: unknown): number {
  return draw.from(1, Number(most)) / 100;
}

async function oneOf(shop: Shop, from: string): Promise<Record<string, unknown> | undefined> {
  return (await shop.rows(`SELECT * FROM ${from} ORDER BY random() LIMIT 1`))[0];
}
