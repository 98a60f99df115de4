import { eq } from "drizzle-orm";
import type { Ctx } from "#platform/context.ts";
import { jsonQuery, parseRows } from "#platform/json.ts";
import { read } from "#platform/operation-memory.ts";
import { Problem } from "#shared/problem.ts";
import type { CustomerParams } from "./schema.ts";
import { type CustomerRow, selectCustomer } from "./snapshot.ts";
import { customers } from "./tables.ts";

export async function getCustomer(ctx: Ctx, { id }: CustomerParams): Promise<CustomerRow> {
  const [rows] = await read(ctx, [jsonQuery(ctx, selectCustomer(eq(customers.id, id)))]);
  const [customer] = parseRows(rows);
  if (customer === undefined) throw new Problem("not_found");
  return customer;
}
