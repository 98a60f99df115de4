import { sql } from "drizzle-orm";
import type { CallCtx } from "#platform/context.ts";
import { readList } from "#platform/sql/read-records.ts";
import { idBelow, type Listed, type Page } from "#shared/page.ts";
import { type AccountRow, selectAccounts } from "./snapshot.ts";
import { accounts } from "./tables.ts";

/** The chart of accounts with balances, newest first. */
export async function listAccounts(
  ctx: CallCtx,
  _params: unknown,
  { page }: { page: Page },
): Promise<Listed<AccountRow>> {
  const tail = sql`${accounts.id} < ${idBelow(page)} ORDER BY ${accounts.id} DESC LIMIT ${page.take}`;
  return readList(ctx, page, selectAccounts(tail));
}
