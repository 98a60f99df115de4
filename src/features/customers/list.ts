import type { Ctx } from "#platform/context.ts";
import { jsonQuery, parseRows } from "#platform/json.ts";
import { read } from "#platform/operation-memory.ts";
import type { Page } from "#shared/page.ts";
import type { CustomerQuery } from "./schema.ts";
import { type CustomerRow, selectCustomers } from "./snapshot.ts";

/** Live customers, newest first. */
export async function listCustomers(
  ctx: Ctx,
  _params: unknown,
  { q, page }: CustomerQuery & { page: Page },
): Promise<CustomerRow[]> {
  const [rows] = await read(ctx, [jsonQuery(ctx, selectCustomers(page, q))]);
  return parseRows(rows);
}
