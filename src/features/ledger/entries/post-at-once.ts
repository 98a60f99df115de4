import { type SQL, sql } from "drizzle-orm";
import type { CallCtx } from "#core/context.ts";
import { type Given, keptStatement } from "#core/sql/kept-statements.ts";
import { AnotherBatch, type Refusals } from "#core/write/atomic.ts";
import { Problem } from "#shared/problem.ts";
import { financialYearOf } from "#shared/time/financial-year.ts";
import { type Entry, type Lines, type Posting, postEntry, sidesOf, yearToOpen } from "./post.ts";

type Post = (ctx: CallCtx, posting: Posting) => SQL[];
type Values = Entry &
  Lines &
  Pick<Posting, "voucherType" | "sourceType" | "sourceId" | "date" | "narration"> &
  Record<"name" | "start" | "end", string | null> & { period: string; now: number };

const insertPosting = keptStatement(
  (
    given: Given<Values>,
  ) => sql`INSERT INTO journal_postings (operation, ordinal, period, entry_date, voucher_type, source_type,
      source_id, narration, created_at, year_name, year_start, year_end, customer_id, lines)
    VALUES (${given.operation}, ${given.ordinal}, ${given.period}, ${given.date}, ${given.voucherType}, ${given.sourceType},
      ${given.sourceId}, ${given.narration}, ${given.now}, ${given.name}, ${given.start}, ${given.end},
      ${given.customerId}, ${given.lines})`,
);

const cannotPost = () => new AnotherBatch();
const CANNOT_POST: Refusals = {
  "journal_entries.entry_date": cannotPost,
  "journal_lines.account_id": cannotPost,
};
/** What it means that `postStrictly` refused its batch. */
export const STRICTLY_POSTED: Refusals = {
  "journal_entries.entry_date": () => new Problem("no_financial_year"),
  "journal_lines.account_id": () => new Problem("account_inactive"),
};

/**
 * Writes a document whose entry can be posted as a rule: its batch holds nothing for the case that it cannot, and is
 * refused then. So the document is written once more, with the reason in the entry's place.
 */
export async function writeWithEntry<T>(write: (post: Post, refusals: Refusals) => Promise<T>): Promise<T> {
  try {
    return await write(postStrictly, CANNOT_POST);
  } catch (error) {
    if (error instanceof AnotherBatch) return write(postEntry, {});
    throw error;
  }
}

/** The statement of an entry that is posted, or refuses its batch. */
export function postStrictly(ctx: CallCtx, posting: Posting): SQL[] {
  const { ordinal, date, customerId } = posting;
  const lines = sidesOf(posting.lines);
  if (lines === null) return [];
  const { voucherType, sourceType, sourceId, narration } = posting;
  return [
    insertPosting({
      ...{
        operation: ctx.call.id,
        ordinal,
        date,
        voucherType,
        sourceType,
        sourceId,
        narration,
        customerId,
        lines,
      },
      ...(yearToOpen(ctx, date) ?? { name: null, start: null, end: null }),
      period: financialYearOf(date, ctx.company.country).short,
      now: ctx.now,
    }),
  ];
}
