import { type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import { Router } from "#api/operations/operation.ts";
import type { CallCtx } from "#core/context.ts";
import { amount, described, from, idText, instant, nullable, rendered } from "#core/sql/fields.ts";
import { readList } from "#core/sql/read-records.ts";
import { type RowOf, record } from "#core/sql/record.ts";
import { recordVerbs } from "#core/write/collection.ts";
import { idReference } from "#shared/fields/ids.ts";
import { idBelow, type Listed, type Page } from "#shared/page.ts";
import { accounts, journalEntries, journalLines } from "#tables/ledger";

const EntryQuery = z.object({
  account_id: idReference.optional().meta({ description: "Entries with a line on this account." }),
});
type EntryQuery = z.infer<typeof EntryQuery>;

const line = record(journalLines, {
  account_id: idText,
  account_code: from(accounts.code, z.string()),
  account_name: from(accounts.name, z.string()),
  debit: described(amount, "In the currency of the books."),
  credit: described(amount, "In the currency of the books."),
});
const lines = sql<RowOf<typeof line>[]>`(
  SELECT json_group_array(json(line)) FROM (
    SELECT ${line.columns()} AS line
    FROM ${journalLines} JOIN ${accounts} ON ${accounts.id} = ${journalLines.accountId}
    WHERE ${journalLines.entryId} = ${journalEntries.id} ORDER BY ${journalLines.position}
  )
)`;

/** A journal entry with its lines. */
export const entry = record(
  journalEntries,
  {
    id: idText,
    entry_number: z.string(),
    entry_date: z.string(),
    voucher_type: z.string(),
    source_type: z.string().describe("What was posted."),
    source_id: idText,
    status: from(
      // A draft never outlives the batch that made it.
      sql<"posted" | "voided">`${journalEntries.status}`,
      z.enum(["posted", "voided"]).meta({ description: "`voided`: reversed by a later entry." }),
    ),
    reversal_of: described(nullable(idText), "The entry that this one reverses."),
    narration: z.string().describe("What the entry is about."),
    lines: from(
      lines,
      rendered(z.array(line.schema), (stored: RowOf<typeof line>[]) => stored.map(line.render)),
    ),
    created_at: instant,
  },
  "JournalEntry",
);
type EntryRow = RowOf<typeof entry>;

export const entryRoutes = new Router("Ledger", "/journal-entries", { record: entry })
  .list({ listJournalEntries: listEntries }, "/", {
    summary: "List the journal entries",
    description:
      "Newest first, with their lines. An entry is never changed or deleted. Another entry can reverse it.",
    query: EntryQuery,
  })
  .get({ getJournalEntry: recordVerbs({ record: entry }).get }, "/:id", { summary: "Read a journal entry" });

/** Journal entries with their lines, newest first. */
async function listEntries(
  ctx: CallCtx,
  _params: unknown,
  { account_id: accountId, page }: EntryQuery & { page: Page },
): Promise<Listed<EntryRow>> {
  return readList(ctx, page, entry.select(entriesOfPage(page, accountId)));
}

/** The entries of an account are found by its lines, whose index has the order of the list. */
function entriesOfPage(page: Page, accountId: number | undefined): SQL {
  if (accountId === undefined) {
    return sql`${journalEntries.id} < ${idBelow(page)} ORDER BY ${journalEntries.id} DESC LIMIT ${page.take}`;
  }
  const onAccount = sql`SELECT DISTINCT ${journalLines.entryId} FROM ${journalLines}
    WHERE ${journalLines.accountId} = ${accountId} AND ${journalLines.entryId} < ${idBelow(page)}
    ORDER BY ${journalLines.entryId} DESC LIMIT ${page.take}`;
  return sql`${journalEntries.id} IN (${onAccount}) ORDER BY ${journalEntries.id} DESC`;
}
