import { and, type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import { Router } from "#api/operations/operation.ts";
import type { CallCtx } from "#core/context.ts";
import { amount, described, from, idText, instant, nullable, rendered } from "#core/sql/fields.ts";
import { datedIn, type Range, within } from "#core/sql/narrowed.ts";
import { readList, readNewest } from "#core/sql/read-records.ts";
import { type RowOf, record } from "#core/sql/record.ts";
import { recordVerbs } from "#core/write/collection.ts";
import { idReference } from "#shared/fields/ids.ts";
import { idBelow, type Listed, type Page } from "#shared/page.ts";
import { isoDate } from "#shared/time/dates.ts";
import { accounts, journalEntries, journalLines, manualEntries } from "#tables/ledger";

const BY_HAND = manualEntries.kind.enumValues;
const VOUCHER_TYPES = [
  ...["invoice", "receipt", "advance", "credit_note", "credit_payout", "refund", "settlement", "lesson"],
  ...BY_HAND,
] as const;
const SOURCE_TYPES = [
  ...["invoice", "payment", "advance", "credit_note", "credit_payout", "gateway_refund", "settlement"],
  ...["lesson", "lesson_receipt", "manual"],
] as const;
const STATUSES = ["posted", "voided"] as const;

const EntryQuery = z.object({
  account_id: idReference.optional().meta({ description: "Entries with a line on this account." }),
  from: isoDate.optional().meta({ description: "The first `entry_date`, inclusive. The latest first." }),
  to: isoDate.optional().meta({ description: "The last `entry_date`, inclusive. The latest first." }),
  voucher_type: z.enum(VOUCHER_TYPES).optional(),
  source_type: z.enum(SOURCE_TYPES).optional().meta({ description: "`manual`: what was made by hand." }),
  status: z.enum(STATUSES).optional(),
});
type EntryQuery = z.infer<typeof EntryQuery>;

/** What an entry by hand has, and its reversal; null of others, which are not looked for. */
function ofManual(value: SQL): SQL<string | null> {
  return sql<string | null>`iif(${journalEntries.sourceType} = 'manual', (
    SELECT ${value} FROM ${manualEntries} WHERE ${manualEntries.id} = ${journalEntries.sourceId}), NULL)`;
}
const manual = (value: SQL, words: string) =>
  from(ofManual(value), z.string().nullable().describe(`Of an entry by hand: ${words}`));

const line = record(journalLines, {
  account_id: idText,
  account_code: from(accounts.code, z.string()),
  account_name: from(accounts.name, z.string()),
  debit: described(amount, "In the currency of the books."),
  credit: described(amount, "In the currency of the books."),
  memo: from(
    ofManual(sql`${manualEntries.memos} ->> (${journalLines.position} - 1)`),
    z.string().nullable().describe("Of a line that was made by hand."),
  ),
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
      z.enum(STATUSES).meta({ description: "`voided`: reversed by a later entry." }),
    ),
    reversal_of: described(nullable(idText), "The entry that this one reverses."),
    narration: z.string().describe("What the entry is about."),
    reference_number: manual(sql`${manualEntries.referenceNumber}`, "the number of its paper."),
    supplier_name: manual(sql`${manualEntries.supplierName}`, "whom an expense was paid to."),
    supplier_gstin: manual(sql`${manualEntries.supplierGstin}`, "the GSTIN of that supplier."),
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
    sort: ({ entry_date: day, id }) => [day, id],
  })
  .get({ getJournalEntry: recordVerbs({ record: entry }).get }, "/:id", { summary: "Read a journal entry" });

/** Journal entries with their lines, newest first, or those of some days by their days. */
async function listEntries(
  ctx: CallCtx,
  _params: unknown,
  { account_id: accountId, from, to, page, ...kind }: EntryQuery & { page: Page },
): Promise<Listed<EntryRow>> {
  const { id, entryDate: column } = journalEntries;
  const days = datedIn({ column }, { from, to });
  const onAccount = sql`${journalLines.accountId} = ${accountId}`;
  if (days !== undefined) {
    const line = sql`EXISTS (SELECT 1 FROM ${journalLines} WHERE ${journalLines.entryId} = ${id} AND ${onAccount})`;
    const which = and(isOf(kind), accountId === undefined ? undefined : line);
    return readByDays(ctx, page, days, { isLatestFirst: true, which });
  }
  if (accountId === undefined) return readNewest(ctx, page, entry, isOf(kind));
  // The index of lines has the order of the list.
  const found = sql`SELECT DISTINCT ${journalLines.entryId} FROM ${journalLines}
    JOIN ${journalEntries} ON ${id} = ${journalLines.entryId}
    WHERE ${and(onAccount, sql`${journalLines.entryId} < ${idBelow(page)}`, isOf(kind))}
    ORDER BY ${journalLines.entryId} DESC LIMIT ${page.take}`;
  return readList(ctx, page, entry.select(sql`${id} IN (${found}) ORDER BY ${id} DESC`));
}

/** A page of the entries of some days, by their days, then by their ids. */
export function readByDays(
  ctx: CallCtx,
  page: Page,
  days: Range,
  { isLatestFirst, which }: { isLatestFirst: boolean; which?: SQL | undefined },
): Promise<Listed<EntryRow>> {
  const { id, entryDate } = journalEntries;
  const [day, last] = page.after ?? [null, null];
  const following = isLatestFirst
    ? within({ ...days, before: String(day) })
    : sql`${entryDate} > ${day} AND ${entryDate} < ${days.before}`;
  const [after, way] = isLatestFirst ? [sql`<`, sql`DESC`] : [sql`>`, sql`ASC`];
  const order = sql`ORDER BY ${entryDate} ${way}, ${id} ${way}`;
  const some = (condition: SQL) => sql`SELECT * FROM (
    SELECT ${id} AS id FROM ${journalEntries} WHERE ${and(condition, which)} ${order} LIMIT ${page.take})`;
  // By two searches, for the rest of a day is found by its ids only beside a day that is known.
  const found = sql`${some(sql`${entryDate} = ${day} AND ${id} ${after} ${last}`)}
    UNION ALL ${some(day === null ? within(days) : following)} LIMIT ${page.take}`;
  return readList(ctx, page, entry.select(sql`${id} IN (${found}) ${order}`));
}

/** What narrows the list to entries of a kind; those of neither sales nor payments have an index. */
function isOf({
  voucher_type: voucher,
  source_type,
  status,
}: Omit<EntryQuery, "from" | "to" | "account_id">) {
  const isByHand = BY_HAND.some((kind) => kind === voucher);
  const source = source_type ?? (isByHand ? "manual" : undefined);
  const { sourceType, voucherType } = journalEntries;
  const isIndexed = source !== undefined && source !== "invoice" && source !== "payment";
  return and(
    source && sql`${sourceType} = ${source}`,
    isIndexed ? sql`${sourceType} NOT IN ('invoice', 'payment')` : undefined,
    voucher && sql`${voucherType} = ${voucher}`,
    status && sql`${journalEntries.status} = ${status}`,
  );
}
