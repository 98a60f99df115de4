import { and, eq } from "drizzle-orm";
import type { ReadCtx } from "#core/context.ts";
import { Problem } from "#shared/problem.ts";
import { customers } from "#tables/customers";
import { isLive } from "./snapshot.ts";

/** The 409 for a GSTIN that another live customer has, naming that customer. */
export async function duplicateCustomer(ctx: ReadCtx, gstin: string | null): Promise<Problem> {
  const select = ctx.db
    .select({ id: customers.id })
    .from(customers)
    .where(and(eq(customers.gstin, gstin ?? ""), isLive));
  const [[other]] = await ctx.database.read([select]);
  return new Problem("duplicate_customer", {
    members: { customer_id: other === undefined ? null : String(other.id) },
  });
}
