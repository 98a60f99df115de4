import { eq, sql } from "drizzle-orm";
import type * as z from "zod";
import type { WriteCtx } from "#core/context.ts";
import { atomic, refuseWhen } from "#core/write/atomic.ts";
import { read } from "#core/write/replay.ts";
import type { RecordParams } from "#shared/fields/ids.ts";
import { cleanText } from "#shared/fields/text.ts";
import { accounts, journalEntries, journalLines } from "#tables/ledger";
import { entry } from "../entries/entries.ts";
import { REVERSAL_REFUSALS, ReversalDate, reversalDay } from "../entries/reversal-date.ts";
import { reverseEntries } from "../entries/reverse.ts";
import { holdClearing } from "./clearing.ts";
import type { EntryRow } from "./write-entry.ts";

export const ReverseBody = ReversalDate.extend({
  narration: cleanText({ min: 1, max: 500 })
    .optional()
    .meta({ description: "Default: the number of the entry." }),
});

/** Takes back an entry that was made by hand, by one with its sides exchanged. */
export async function reverseJournalEntry(
  ctx: WriteCtx,
  { id }: RecordParams,
  { narration, ...asked }: z.infer<typeof ReverseBody>,
): Promise<EntryRow> {
  const { systemKey } = accounts;
  const line = { key: sql<string>`${systemKey}`, amount: journalLines.debit, field: sql<string>`'id'` };
  const [taken] = await read(ctx, [
    ctx.db
      .select(line)
      .from(journalLines)
      .innerJoin(accounts, sql`${accounts.id} = ${journalLines.accountId}`)
      .where(sql`${journalLines.entryId} = ${id} AND ${systemKey} IS NOT NULL`),
  ]);
  const clearing = await holdClearing(ctx, taken);
  const here = sql`FROM ${journalEntries} WHERE ${journalEntries.id} = ${id}`;
  const { sourceId, sourceType, status, reversalOf, entryDate } = journalEntries;
  const { day, there, held } = reversalDay(ctx, asked, entryDate, eq(journalEntries.id, id));
  const isReversed = sql`(${status} = 'voided' OR ${reversalOf} IS NOT NULL)`;
  return atomic(
    ctx,
    [
      there,
      refuseWhen(sql`EXISTS (SELECT 1 ${here} AND ${sourceType} <> 'manual')`, "entry_has_document"),
      refuseWhen(sql`EXISTS (SELECT 1 ${here} AND ${isReversed})`, "entry_reversed"),
      ...held,
      ...reverseEntries(
        ctx,
        [{ sourceType: "manual", ids: sql`SELECT ${sourceId} ${here}` }],
        day,
        narration,
      ),
      ...clearing.held,
    ],
    entry.select(sql`${reversalOf} = ${id}`),
    { ...REVERSAL_REFUSALS, ...clearing.refusals },
  );
}
