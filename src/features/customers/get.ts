import { eq } from "drizzle-orm";
import type { CallCtx } from "#platform/context.ts";
import { readOne } from "#platform/read-records.ts";
import type { CustomerParams } from "./schema.ts";
import { type CustomerRow, selectCustomer } from "./snapshot.ts";
import { customers } from "./tables.ts";

export async function getCustomer(ctx: CallCtx, { id }: CustomerParams): Promise<CustomerRow> {
  return readOne(ctx, selectCustomer(eq(customers.id, id)));
}
