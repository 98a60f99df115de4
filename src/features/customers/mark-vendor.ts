import { and, eq } from "drizzle-orm";
import type { WriteCtx } from "#core/context.ts";
import { atomic, refuseIfNone } from "#core/write/atomic.ts";
import type { RecordParams } from "#shared/fields/ids.ts";
import type { CustomerRow } from "./record.ts";
import type { VendorPatch } from "./schema.ts";
import { isLive, selectCustomer } from "./snapshot.ts";
import { customers } from "./tables.ts";

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
