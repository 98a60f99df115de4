import { type SQL, sql } from "drizzle-orm";
import type { CallCtx } from "#core/context.ts";
import { type Given, keptStatement } from "#core/sql/kept-statements.ts";
import { AnotherBatch, type Refusals } from "#core/write/atomic.ts";
import { takeNumber, takenNumber } from "#core/write/number-series.ts";
import { NUMBER_PREFIXES } from "#shared/payments/document-numbers.ts";
import { financialYearOf } from "#shared/time/financial-year.ts";
import { accounts } from "../accounts/tables.ts";
import {
  type Columns,
  type Entry,
  entryColumns,
  inOpenFinancialYear,
  type Lines,
  linesInsert,
  markPosted,
  openFinancialYear,
  type Posting,
  postEntry,
  SERIES,
  sidesOf,
} from "./post.ts";
import { journalEntries } from "./tables.ts";

type Post = (ctx: CallCtx, posting: Posting) => SQL[];

// Each NULL that these two insert is refused by the table.
const insertEntry = keptStatement(
  (given: Given<Columns>) => sql`INSERT INTO ${journalEntries} (${entryColumns()})
    VALUES (${given.operation}, ${given.ordinal}, ${given.number},
      CASE WHEN ${inOpenFinancialYear(given.date)} THEN ${given.date} END, ${given.voucherType}, ${given.sourceType},
      ${given.sourceId}, NULL, ${given.narration}, ${given.now})`,
);
const insertLines = keptStatement((given: Given<Entry & Lines>) =>
  linesInsert(given, sql`AND ${accounts.isActive} = 1`),
);

const cannotPost = () => new AnotherBatch();
const CANNOT_POST: Refusals = {
  "journal_entries.entry_date": cannotPost,
  "journal_lines.account_id": cannotPost,
};

/**
 * Writes a document whose entry can be posted as a rule: its batch holds nothing for the case that it cannot, and is
 * refused then. So the document is written once more, with the reason in the entry's place.
 */
export async function writeWithEntry<T>(write: (post: Post, refusals: Refusals) => Promise<T>): Promise<T> {
  try {
    return await write(postAtOnce, CANNOT_POST);
  } catch (error) {
    if (error instanceof AnotherBatch) return write(postEntry, {});
    throw error;
  }
}

function postAtOnce(ctx: CallCtx, posting: Posting): SQL[] {
  const { ordinal, date, customerId } = posting;
  const lines = sidesOf(posting.lines);
  if (lines === null) return [];
  const period = financialYearOf(date, ctx.company.country).short;
  const entry = { operation: ctx.call.id, ordinal };
  const { voucherType, sourceType, sourceId, narration } = posting;
  const number = takenNumber(SERIES, period, NUMBER_PREFIXES.journal);
  return [
    ...openFinancialYear(ctx, date),
    takeNumber(SERIES, period),
    insertEntry({
      ...entry,
      ...{ number, date, voucherType, sourceType, sourceId, narration, now: ctx.now },
    }),
    insertLines({ ...entry, lines, customerId }),
    markPosted(entry),
  ];
}
