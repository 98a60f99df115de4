import { eq, sql } from "drizzle-orm";
import type { WriteCtx } from "#core/context.ts";
import { columnsBut, columnsOf } from "#core/sql/columns.ts";
import { insertRow } from "#core/sql/json-rows.ts";
import { atomic } from "#core/write/atomic.ts";
import { ofOwnRecord } from "#core/write/events.ts";
import type { ExternalIds } from "#core/write/external-id.ts";
import { read } from "#core/write/replay.ts";
import { openDebtorAccount } from "#features/ledger";
import { requireSamePan } from "#shared/gst/registration.ts";
import { customers } from "#tables/customers";
import { duplicateCustomer } from "./duplicate.ts";
import {
  emailColumns,
  isUnknownState,
  PARTICULARS,
  phoneColumns,
  resolveParticulars,
  STORED_OTHERWISE,
  selectSeller,
  storedAddress,
} from "./particulars.ts";
import type { CustomerRow } from "./record.ts";
import type { CustomerCreate } from "./schema.ts";
import { selectCustomer } from "./snapshot.ts";

const insert = insertRow(
  customers,
  columnsBut(customers, ["id", "createdVia", "isCustomer", "isVendor", "deletedAt"]),
);

/** What callers give ids of their own to. */
export const customerIds: ExternalIds = { kind: "customer", table: customers };

/** Creates a customer with its account under Sundry Debtors. */
export async function createCustomer(
  ctx: WriteCtx,
  _params: unknown,
  body: CustomerCreate,
): Promise<CustomerRow> {
  const given = {
    country: body.country ?? ctx.company.country,
    state: body.state,
    pincode: body.pincode,
    gstin: body.gstin ?? null,
    pan: body.pan ?? null,
    gst_category: body.gst_category ?? null,
  };
  const particulars = resolveParticulars(given, isUnknownState(given) && (await sellerIsRegistered(ctx)));
  requireSamePan(particulars.gstin, body.pan);
  const here = eq(customers.operation, ctx.call.id);
  const id = sql<number>`(SELECT ${customers.id} FROM ${customers} WHERE ${here})`;
  return atomic(
    ofOwnRecord(ctx),
    [
      insert({
        operation: ctx.call.id,
        ...columnsOf(customers, body, [...PARTICULARS, ...STORED_OTHERWISE]),
        ...particulars,
        ...emailColumns(body.email ?? null),
        ...phoneColumns(body.phone ?? null),
        shippingAddress: storedAddress(body.shipping_address ?? null),
        currency: body.currency ?? ctx.company.currency,
        paymentTermsDays: body.payment_terms_days ?? 0,
        metadata: JSON.stringify(body.metadata ?? {}),
        createdAt: ctx.now,
        updatedAt: ctx.now,
      }),
      openDebtorAccount(ctx, id, body.name),
    ],
    selectCustomer(here),
    { "customers.gstin": () => duplicateCustomer(ctx, particulars.gstin) },
  );
}

async function sellerIsRegistered(ctx: WriteCtx): Promise<boolean> {
  const [[seller]] = await read(ctx, [selectSeller({})]);
  return seller?.gstin != null;
}
