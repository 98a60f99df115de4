import { type SQL, sql } from "drizzle-orm";
import type { CallCtx } from "#core/context.ts";
import { readList } from "#core/sql/read-records.ts";
import { idBelow, type Listed, type Page } from "#shared/page.ts";
import type { EntryQuery } from "./schema.ts";
import { type EntryRow, selectEntries } from "./snapshot.ts";
import { journalEntries, journalLines } from "./tables.ts";

/** Journal entries with their lines, newest first. */
export async function listEntries(
  ctx: CallCtx,
  _params: unknown,
  { account_id: accountId, page }: EntryQuery & { page: Page },
): Promise<Listed<EntryRow>> {
  return readList(ctx, page, selectEntries(entriesOfPage(page, accountId)));
}

/** The entries of an account are found by its lines, whose index has the order of the list. */
function entriesOfPage(page: Page, accountId: number | undefined): SQL {
  if (accountId === undefined) {
    return sql`WHERE ${journalEntries.id} < ${idBelow(page)} ORDER BY ${journalEntries.id} DESC LIMIT ${page.take}`;
  }
  const onAccount = sql`SELECT DISTINCT ${journalLines.entryId} FROM ${journalLines}
    WHERE ${journalLines.accountId} = ${accountId} AND ${journalLines.entryId} < ${idBelow(page)}
    ORDER BY ${journalLines.entryId} DESC LIMIT ${page.take}`;
  return sql`WHERE ${journalEntries.id} IN (${onAccount}) ORDER BY ${journalEntries.id} DESC`;
}
