import { type SQL, sql } from "drizzle-orm";
import type { CallCtx } from "#core/context.ts";
import { type Given, keptStatement } from "#core/sql/kept-statements.ts";
import { AnotherBatch, type Refusals } from "#core/write/atomic.ts";
import { type UnpostedReason, whyNotInBooks } from "#shared/payments/posting-warnings.ts";
import { Problem } from "#shared/problem.ts";
import { financialYearOf } from "#shared/time/financial-year.ts";
import { accounts, journalEntries, unposted } from "#tables/ledger";
import { leaveUnposted, type Source } from "../unposted/leave-unposted.ts";
import {
  inOpenFinancialYear,
  linesOf,
  openFinancialYear,
  POSTING,
  POSTINGS,
  periodOf,
  type Year,
  yearToOpen,
} from "./post.ts";

/** Documents of one type, each inserted by a statement before. */
type Posting = Pick<Source, "sourceType" | "voucherType"> & {
  /** Distinguishes the entries of one batch: `ONE_BY_ONE` where there may be many of one posting. */
  ordinal: number | SQL;
  /** A day, or SQL of each document's. */
  date: string | SQL<string>;
  /** A SELECT of `id`, `currency`, `narration`, `customer_id` and `lines`: JSON of `{of or key or id, debit, credit}`. */
  documents: SQL;
};
type Books = { operation: string; now: number; currency: string };
type YearOrNone = Record<keyof Year, string | null>;

const NO_YEAR: YearOrNone = { name: null, start: null, end: null };
const ALWAYS = sql`true`;
/** The ordinals of the entries of many documents: -1 and below. */
export const ONE_BY_ONE = sql`-row_number() OVER (ORDER BY document.id)`;

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

const isInBooks = (currency: SQL<string>) => sql`document.currency = ${currency}`;
const lines = linesOf({ lines: sql`document.lines`, customerId: sql`document.customer_id` });

const insertPostings = keptStatement(
  (given: Given<Posting & Books & YearOrNone & { period: string | SQL; when: SQL }>) =>
    sql`INSERT INTO journal_postings (${POSTING})
    SELECT ${given.operation}, ${given.ordinal}, ${given.period}, ${given.date},
      ${given.voucherType}, ${given.sourceType}, document.id, document.narration, ${given.now}, ${given.name}, ${given.start},
      ${given.end}, document.customer_id, document.lines
    FROM (${given.documents}) document WHERE ${given.when} ORDER BY document.id`,
);
const canPost = keptStatement(
  (given: Given<Pick<Posting, "date"> & Pick<Books, "currency">>) => sql`${isInBooks(given.currency)}
    AND ${inOpenFinancialYear(given.date)} AND NOT EXISTS (SELECT 1 FROM ${lines} WHERE ${accounts.isActive} IS NOT 1)`,
);
// Why a document cannot be posted is the first reason that holds.
const insertUnposted = keptStatement(
  (given: Given<Posting & Books & { otherwise: UnpostedReason }>) => sql`INSERT INTO ${unposted}
    (source_type, source_id, voucher_type, reason, created_at)
    SELECT ${given.sourceType}, document.id, ${given.voucherType}, CASE
      WHEN NOT ${isInBooks(given.currency)} THEN ${given.otherwise}
      WHEN NOT ${inOpenFinancialYear(given.date)} THEN 'no_financial_year'
      WHEN EXISTS (SELECT 1 FROM ${lines} WHERE ${accounts.id} IS NULL OR ${accounts.deletedAt} IS NOT NULL)
      THEN 'account_missing' ELSE 'account_inactive' END, ${given.now}
    FROM (${given.documents}) document WHERE document.id NOT IN (
      SELECT ${journalEntries.sourceId} FROM ${journalEntries} WHERE ${journalEntries.operation} = ${given.operation}
        AND ${journalEntries.sourceType} = ${given.sourceType} AND ${journalEntries.reversalOf} IS NULL)`,
);

/**
 * The statements that post documents, each whole or not at all: one whose account or open financial year is missing, or
 * that is in another currency, is noted with the reason. The financial year of a day is opened; that of each document's own
 * is open already.
 */
export function postDocuments(ctx: CallCtx, posting: Posting): SQL[] {
  const { date } = posting;
  const { currency } = ctx.company;
  return [
    ...(typeof date === "string" ? openFinancialYear(ctx, date) : []),
    insertion(ctx, posting, NO_YEAR, canPost({ date, currency })),
    insertUnposted({ ...posting, ...booksOf(ctx), otherwise: whyNotInBooks(currency) }),
  ];
}

/** The statement of entries that are posted, or refuse their batch. */
export function postStrictly(ctx: CallCtx, posting: Posting & { date: string }): SQL[] {
  return [insertion(ctx, posting, yearToOpen(ctx, posting.date) ?? NO_YEAR, ALWAYS)];
}

/** The statements that post a document, by default as its view says; in another currency than the books it waits for a rate. */
export function postDocument(
  ctx: CallCtx,
  source: Source & { sourceType: keyof typeof POSTINGS },
  {
    currency,
    date,
    ordinal = 0,
    document,
  }: { currency: string; date: string; ordinal?: number; document?: SQL },
  post: typeof postStrictly = postDocuments,
): SQL[] {
  const { currency: books } = ctx.company;
  if (currency !== books) return [leaveUnposted(ctx, source, whyNotInBooks(books))];
  const { sourceType, voucherType, sourceId } = source;
  const documents = () => sql`SELECT source_id AS id, currency, narration, customer_id, lines
    FROM ${sql.raw(POSTINGS[sourceType])} WHERE source_id = ${sourceId}`;
  return post(ctx, { sourceType, voucherType, ordinal, date, documents: document ?? documents() });
}

function insertion(ctx: CallCtx, posting: Posting, year: YearOrNone, when: SQL): SQL {
  const { date } = posting;
  const period = typeof date === "string" ? financialYearOf(date, ctx.company.country).short : periodOf(date);
  return insertPostings({ ...posting, ...booksOf(ctx), ...year, period, when });
}

function booksOf({ call, now, company }: CallCtx): Books {
  return { operation: call.id, now, currency: company.currency };
}

/**
 * Writes a document whose entry can be posted as a rule: its batch holds nothing for the case that it cannot, and is
 * refused then. So the document is written once more, with the reason in the entry's place.
 */
export async function writeWithEntry<T>(
  write: (post: typeof postStrictly, refusals: Refusals) => Promise<T>,
): Promise<T> {
  try {
    return await write(postStrictly, CANNOT_POST);
  } catch (error) {
    if (error instanceof AnotherBatch) return write(postDocuments, {});
    throw error;
  }
}
