import { and, eq } from "drizzle-orm";
import type { WriteCtx } from "#core/context.ts";
import { columnsOf } from "#core/sql/columns.ts";
import { type Given, keptQuery } from "#core/sql/kept-statements.ts";
import { atomic, refuseIfNone } from "#core/write/atomic.ts";
import { ofOwnRecord } from "#core/write/events.ts";
import { read } from "#core/write/replay.ts";
import { renameDebtorAccount } from "#features/ledger";
import type { RecordParams } from "#shared/fields/ids.ts";
import { categoryOfGstin, parseGstin } from "#shared/gst/gstin.ts";
import { requireSamePan } from "#shared/gst/registration.ts";
import { Problem } from "#shared/problem.ts";
import { customers } from "#tables/customers";
import { duplicateCustomer } from "./duplicate.ts";
import {
  emailColumns,
  PARTICULARS,
  phoneColumns,
  type ResolvedParticulars,
  resolveParticulars,
  STORED_OTHERWISE,
  selectSeller,
  storedAddress,
} from "./particulars.ts";
import type { CustomerRow } from "./record.ts";
import type { CustomerPatch, VendorPatch } from "./schema.ts";
import { isLive, selectCustomer } from "./snapshot.ts";

const selectStored = keptQuery((db, { id }: Given<{ id: number }>) =>
  db
    .select()
    .from(customers)
    .where(and(eq(customers.id, id), isLive)),
);

/** Changes the fields sent; the debtor account's name follows the customer's. */
export async function updateCustomer(
  ctx: WriteCtx,
  { id }: RecordParams,
  patch: CustomerPatch,
): Promise<CustomerRow> {
  const here = and(eq(customers.id, id), isLive);
  const [[stored], [seller]] = await read(ctx, [selectStored({ id }), selectSeller({})]);
  if (stored === undefined) throw new Problem("not_found");
  const particulars = touchesParticulars(patch)
    ? changedParticulars(stored, patch, seller?.gstin != null)
    : {};
  const { email, phone, shipping_address: shipping, metadata } = patch;
  return atomic(
    ofOwnRecord(ctx),
    [
      ctx.db
        .update(customers)
        .set({
          ...columnsOf(customers, patch, [...PARTICULARS, ...STORED_OTHERWISE]),
          ...particulars,
          ...(email === undefined ? {} : emailColumns(email)),
          ...(phone === undefined ? {} : phoneColumns(phone)),
          ...(shipping === undefined ? {} : { shippingAddress: storedAddress(shipping) }),
          metadata: metadata && JSON.stringify(metadata),
          updatedAt: ctx.now,
        })
        .where(here),
      refuseIfNone("not_found"),
      ...(patch.name === undefined ? [] : [renameDebtorAccount(ctx, id, patch.name)]),
    ],
    selectCustomer(eq(customers.id, id)),
    { "customers.gstin": () => duplicateCustomer(ctx, particulars.gstin ?? null) },
  );
}

/** Says whether the company also buys from a customer. Such a customer, when deleted, stays as a vendor. */
export function markVendor(ctx: WriteCtx, { id }: RecordParams, patch: VendorPatch): Promise<CustomerRow> {
  return atomic(
    ctx,
    [
      ctx.db
        .update(customers)
        .set({ isVendor: Number(patch.is_vendor), updatedAt: ctx.now })
        .where(and(eq(customers.id, id), isLive)),
      refuseIfNone("not_found"),
    ],
    selectCustomer(eq(customers.id, id)),
  );
}

function touchesParticulars(patch: CustomerPatch): boolean {
  return PARTICULARS.some((field) => patch[field] !== undefined);
}

/** Whether its category is that of its GSTIN, and so no choice. */
function followsGstin({ gstin, gstCategory }: typeof customers.$inferSelect): boolean {
  return gstin !== null && categoryOfGstin(gstin) === gstCategory;
}

/** A new GSTIN brings its PAN along. */
function panOf(gstin: string | null | undefined): string | null | undefined {
  return gstin ? parseGstin(gstin)?.pan : null;
}

/**
 * The particulars that change, after all of them were checked together. The others are not written, because another
 * PATCH may be changing them.
 */
function changedParticulars(
  stored: typeof customers.$inferSelect,
  patch: CustomerPatch,
  sellerIsRegistered: boolean,
): Partial<ResolvedParticulars> {
  const resolved = resolveParticulars(
    {
      country: patch.country ?? stored.country,
      state: patch.state ?? stored.state,
      pincode: patch.pincode ?? stored.pincode,
      gstin: patch.gstin === undefined ? stored.gstin : patch.gstin,
      pan: patch.pan === undefined ? (panOf(patch.gstin) ?? stored.pan) : patch.pan,
      gst_category: patch.gst_category ?? (followsGstin(stored) ? null : stored.gstCategory),
    },
    sellerIsRegistered,
  );
  requireSamePan(resolved.gstin, patch.pan);
  const before: Record<string, unknown> = stored;
  return Object.fromEntries(Object.entries(resolved).filter(([column, value]) => before[column] !== value));
}
