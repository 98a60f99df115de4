import { sql } from "drizzle-orm";
import type { Ctx } from "#platform/context.ts";
import { readAll } from "#platform/read-records.ts";
import { idBelow, type Page } from "#shared/page.ts";
import { type AccountRow, selectAccounts } from "./account-snapshot.ts";
import { accounts } from "./tables.ts";

/** The chart of accounts with balances, newest first. */
export async function listAccounts(
  ctx: Ctx,
  _params: unknown,
  { page }: { page: Page },
): Promise<AccountRow[]> {
  const tail = sql`${accounts.id} < ${idBelow(page)} ORDER BY ${accounts.id} DESC LIMIT ${page.take}`;
  return readAll(ctx, selectAccounts(tail));
}
