import { sql } from "drizzle-orm";
import * as z from "zod";
import type { WriteCtx } from "#core/context.ts";
import { refuseWhen } from "#core/write/atomic.ts";
import { idReference } from "#shared/fields/ids.ts";
import { money, moneyToWire } from "#shared/fields/numbers.ts";
import { cleanText } from "#shared/fields/text.ts";
import { ACCOUNTS } from "#shared/payments/books.ts";
import { fieldProblem, Problem } from "#shared/problem.ts";
import { isoDate } from "#shared/time/dates.ts";
import { accounts, journalEntries, journalLines } from "#tables/ledger";
import { type EntryRow, type Line, writeEntry } from "./write-entry.ts";

const SMALLEST = 0.01;
export const paid = money({ min: SMALLEST });
export const reference = cleanText({ min: 1, max: 100 }).optional().meta({ description: "Of its paper." });

const side = z.object({
  account_id: idReference.optional().meta({ description: "Or `account_code`." }),
  account_code: z.string().min(1).max(20).optional().meta({ description: "In place of `account_id`." }),
  debit: paid.optional().meta({ description: "Or `credit`." }),
  credit: paid.optional().meta({ description: "Or `debit`." }),
});
type Side = z.infer<typeof side>;
const isWhole = ({ account_id: id, account_code: code, debit, credit }: Side) =>
  (id === undefined) !== (code === undefined) && (debit === undefined) !== (credit === undefined);
const WHOLE = {
  path: ["account_id"],
  params: { code: "exactly_one" },
  error: "or account_code is required, and debit or credit; not both of either",
};

export const JournalEntryBody = z.object({
  entry_date: isoDate.meta({ description: "Not after today." }),
  narration: cleanText({ min: 1, max: 500 }).meta({ description: "What the entry is about." }),
  lines: z
    .array(side.extend({ memo: cleanText({ min: 1, max: 200 }).optional() }).refine(isWhole, WHOLE))
    .min(2)
    .max(100),
  reference_number: reference,
  tax_adjustment: z.boolean().optional().meta({
    description: "Whether lines may be on the accounts of input and output tax. Default: false.",
  }),
});

/** Writes an entry that staff made out. Throws 422 where it does not balance. */
export async function createJournalEntry(
  ctx: WriteCtx,
  _params: unknown,
  { entry_date: date, narration, lines, ...body }: z.infer<typeof JournalEntryBody>,
): Promise<EntryRow> {
  const difference = moneyToWire(excessOf(lines));
  if (difference !== 0) throw new Problem("entry_unbalanced", { members: { difference } });
  return writeEntry(ctx, {
    kind: "journal",
    day: { date, field: "entry_date" },
    narration,
    lines: linesOf(lines),
    taxAdjustment: body.tax_adjustment ? 1 : 0,
    referenceNumber: body.reference_number,
  });
}

export const OpeningBalances = z.object({
  as_of: isoDate.meta({ description: "Before the first other entry of each account." }),
  lines: z.array(side.refine(isWhole, WHOLE)).min(1).max(1_000).meta({
    description: "What each account had. The difference goes to Opening Balance Equity.",
  }),
});

/** Records what accounts had when the books began here. */
export async function createOpeningBalances(
  ctx: WriteCtx,
  _params: unknown,
  { as_of: date, lines: given }: z.infer<typeof OpeningBalances>,
): Promise<EntryRow> {
  const lines = linesOf(given);
  const excess = excessOf(given);
  const equity = { field: "lines", key: ACCOUNTS.openingBalanceEquity };
  // By the days, for few entries are as early; an account without a line is not looked for among them.
  const earlier = sql`SELECT 1 FROM ${journalEntries} INDEXED BY journal_entries_date CROSS JOIN ${journalLines}
    WHERE ${journalEntries.entryDate} <= ${date} AND ${journalEntries.status} = 'posted'
      AND ${journalEntries.reversalOf} IS NULL AND ${journalEntries.voucherType} <> 'opening'
      AND ${journalLines.entryId} = ${journalEntries.id} AND ${journalLines.accountId} = ${accounts.id}`;
  const isLate = sql`EXISTS (SELECT 1 FROM json_each(${JSON.stringify(lines)}) AS line JOIN ${accounts}
    ON ${accounts.id} = line.value ->> '$.id' OR ${accounts.code} = line.value ->> '$.code'
    WHERE EXISTS (SELECT 1 FROM ${journalLines} WHERE ${journalLines.accountId} = ${accounts.id}) AND EXISTS (${earlier}))`;
  return writeEntry(ctx, {
    kind: "opening",
    day: { date, field: "as_of" },
    narration: "Opening balances",
    lines: [...lines, { ...equity, debit: Math.max(0, -excess), credit: Math.max(0, excess) }],
    guards: [refuseWhen(isLate, "opening_too_late")],
    refusals: {
      opening_too_late: () =>
        fieldProblem("as_of", "too_big", "must be before the first other entry of each account"),
    },
  });
}

function linesOf(sides: readonly (Side & { memo?: string | undefined })[]): Line[] {
  return sides.map(({ account_id: id, account_code: code, ...side }, place) => ({
    ...{ id, code, ...side },
    field: `lines[${place}].${id === undefined ? "account_code" : "account_id"}`,
  }));
}

/** By how much debits are above credits. */
function excessOf(sides: readonly Side[]): number {
  return sides.reduce((sum, { debit = 0, credit = 0 }) => sum + debit - credit, 0);
}
