import { eq, sql } from "drizzle-orm";
import { openDebtorAccount } from "#features/ledger";
import type { WriteCtx } from "#platform/context.ts";
import { insertFromJson } from "#platform/sql/json-rows.ts";
import { atomic } from "#platform/write/atomic.ts";
import { read } from "#platform/write/operation-memory.ts";
import { duplicateCustomer } from "./duplicate.ts";
import { emailColumns, phoneColumns, resolveParticulars, selectSeller } from "./particulars.ts";
import type { CustomerCreate } from "./schema.ts";
import { type CustomerRow, selectCustomer } from "./snapshot.ts";
import { customers, NEW_CUSTOMER } from "./tables.ts";

const insert = insertFromJson(customers, [
  ...NEW_CUSTOMER,
  "displayName",
  "paymentTermsDays",
  "notes",
  "language",
  "metadata",
]);

/** Creates a customer with its account under Sundry Debtors. */
export async function createCustomer(
  ctx: WriteCtx,
  _params: unknown,
  body: CustomerCreate,
): Promise<CustomerRow> {
  const [[seller]] = await read(ctx, [selectSeller({})]);
  const particulars = resolveParticulars(
    {
      country: body.country ?? ctx.company.country,
      state: body.state,
      pincode: body.pincode,
      gstin: body.gstin ?? null,
      pan: body.pan ?? null,
      gst_category: body.gst_category ?? null,
    },
    seller?.gstin != null,
  );
  const here = eq(customers.operation, ctx.call.id);
  const id = sql<number>`(SELECT ${customers.id} FROM ${customers} WHERE ${here})`;
  return atomic(
    ctx,
    [
      insert([
        {
          operation: ctx.call.id,
          ...particulars,
          ...emailColumns(body.email ?? null),
          ...phoneColumns(body.phone ?? null),
          name: body.name,
          displayName: body.display_name ?? null,
          companyName: body.company_name ?? null,
          address: body.address ?? null,
          city: body.city ?? null,
          shippingAddress: body.shipping_address ? JSON.stringify(body.shipping_address) : null,
          currency: body.currency ?? ctx.company.currency,
          paymentTermsDays: body.payment_terms_days ?? 0,
          notes: body.notes ?? null,
          language: body.language ?? null,
          metadata: JSON.stringify(body.metadata ?? {}),
          createdAt: ctx.now,
          updatedAt: ctx.now,
        },
      ]),
      openDebtorAccount(ctx, id, body.name),
    ],
    selectCustomer(here),
    { "customers.gstin": () => duplicateCustomer(ctx, particulars.gstin) },
  );
}
