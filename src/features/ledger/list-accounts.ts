import { sql } from "drizzle-orm";
import type { Ctx } from "#platform/context.ts";
import { jsonQuery, parseRows } from "#platform/json.ts";
import { read } from "#platform/operation-memory.ts";
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
  const [rows] = await read(ctx, [jsonQuery(ctx, selectAccounts(tail))]);
  return parseRows(rows);
}
