import type { CallCtx } from "#core/context.ts";
import { readList } from "#core/sql/read-records.ts";
import type { Listed, Page } from "#shared/page.ts";
import type { CustomerRow } from "./record.ts";
import type { CustomerQuery } from "./schema.ts";
import { selectCustomers } from "./snapshot.ts";

/** Live customers, newest first. */
export async function listCustomers(
  ctx: CallCtx,
  _params: unknown,
  { q, page }: CustomerQuery & { page: Page },
): Promise<Listed<CustomerRow>> {
  return readList(ctx, page, selectCustomers(page, q));
}
