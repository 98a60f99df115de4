import type { CallCtx } from "#platform/context.ts";
import { readList } from "#platform/sql/read-records.ts";
import type { Listed, Page } from "#shared/page.ts";
import type { CustomerQuery } from "./schema.ts";
import { type CustomerRow, selectCustomers } from "./snapshot.ts";

/** Live customers, newest first. */
export async function listCustomers(
  ctx: CallCtx,
  _params: unknown,
  { q, page }: CustomerQuery & { page: Page },
): Promise<Listed<CustomerRow>> {
  return readList(ctx, page, selectCustomers(page, q));
}
