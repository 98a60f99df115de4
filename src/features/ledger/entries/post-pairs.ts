import { type SQL, sql } from "drizzle-orm";
import type { CallCtx } from "#core/context.ts";
import { type Given, keptStatement } from "#core/sql/kept-statements.ts";
import { lastNumber, numberText, takeNumbers } from "#core/write/number-series.ts";
import { NUMBER_PREFIXES } from "#shared/payments/document-numbers.ts";
import { type UnpostedReason, whyNotInBooks } from "#shared/payments/posting-warnings.ts";
import { financialYearOf } from "#shared/time/financial-year.ts";
import { accounts, journalEntries, journalLines, unposted } from "#tables/ledger";
import { entryColumns, inOpenFinancialYear, lineColumns, openFinancialYear, periodOf } from "./post.ts";

const SERIES = "journal";

/** `date`: a day, or SQL of each document's. */
type Values = { sourceType: string; date: string | SQL<string>; documents: SQL };
/** The currency of the books. */
type Books = { currency: string };
/** Why a document in another currency has no entry. */
type Otherwise = { otherwise: UnpostedReason };
type Mine = { operation: string; sourceType: string };

/** The entries that a call posts one by one have ordinals of 0 and above. */
const mine = ({ operation, sourceType }: Given<Mine>) =>
  sql`${journalEntries.operation} = ${operation} AND ${journalEntries.ordinal} < 0 AND ${journalEntries.sourceType} = ${sourceType}`;
const isInBooks = (currency: SQL<string>) => sql`document.currency = ${currency}`;
const areActive = sql`NOT EXISTS (SELECT 1 FROM ${accounts}
  WHERE ${accounts.id} IN (document.debit_account_id, document.credit_account_id) AND ${accounts.isActive} = 0)`;

const found = keptStatement(
  ({ documents, date, currency }: Given<Pick<Values, "documents" | "date"> & Books>) =>
    sql`FROM (${documents}) document WHERE ${isInBooks(currency)} AND ${inOpenFinancialYear(date)} AND ${areActive}`,
);
const insertEntries = keptStatement(
  (given: Given<Values & Mine & { found: SQL; number: SQL; now: number }>) =>
    sql`INSERT INTO ${journalEntries} (${entryColumns()})
      SELECT ${given.operation}, -row_number() OVER (ORDER BY document.id), ${given.number}, ${given.date},
        ${given.sourceType}, ${given.sourceType}, document.id, NULL, document.narration, ${given.now} ${given.found}`,
);
const insertLines = keptStatement(
  (given: Given<Mine & { documents: SQL }>) => sql`INSERT INTO ${journalLines} (${lineColumns()})
    SELECT ${journalEntries.id}, side.column1, iif(side.column1 = 1, document.debit_account_id, document.credit_account_id),
      iif(side.column1 = 1, document.amount, 0), iif(side.column1 = 1, 0, document.amount)
    FROM ${journalEntries} CROSS JOIN (${given.documents}) document ON document.id = ${journalEntries.sourceId}
    CROSS JOIN (VALUES (1), (2)) side WHERE ${mine(given)}`,
);
const markPosted = keptStatement(
  (given: Given<Mine>) => sql`UPDATE ${journalEntries} SET status = 'posted' WHERE ${mine(given)}`,
);
const insertUnposted = keptStatement(
  (given: Given<Values & Mine & Books & Otherwise & { now: number }>) => sql`INSERT INTO ${unposted}
    (source_type, source_id, voucher_type, reason, created_at)
    SELECT ${given.sourceType}, document.id, ${given.sourceType}, CASE WHEN NOT ${isInBooks(given.currency)} THEN ${given.otherwise}
      WHEN NOT ${inOpenFinancialYear(given.date)} THEN 'no_financial_year' ELSE 'account_inactive' END, ${given.now}
    FROM (${given.documents}) document WHERE document.id NOT IN (
      SELECT ${journalEntries.sourceId} FROM ${journalEntries} WHERE ${mine(given)})`,
);

/**
 * The statements that post an entry of two lines for each of a call's documents of one type. A document that cannot be
 * posted is noted with the reason. `documents` is a SELECT of `id`, `currency`, `narration`, `amount`, `debit_account_id` and
 * `credit_account_id`. The financial year of a day is opened; that of each document's own is open already.
 */
export function postPairs(ctx: CallCtx, { sourceType, date, documents }: Values): SQL[] {
  const isOneDay = typeof date === "string";
  const period = isOneDay ? financialYearOf(date, ctx.company.country).short : periodOf(date);
  const own = { operation: ctx.call.id, sourceType };
  const { currency } = ctx.company;
  const postable = found({ documents, date, currency });
  const place = sql`count(*) OVER (PARTITION BY ${period})
    - row_number() OVER (PARTITION BY ${period} ORDER BY document.id)`;
  const number = numberText(
    NUMBER_PREFIXES.journal,
    period,
    sql<number>`${lastNumber(SERIES, period)} - (${place})`,
  );
  return [
    ...(isOneDay ? openFinancialYear(ctx, date) : []),
    takeNumbers(SERIES, period, postable),
    insertEntries({ ...own, date, documents, found: postable, number, now: ctx.now }),
    insertLines({ ...own, documents }),
    markPosted(own),
    insertUnposted({ ...own, date, documents, currency, otherwise: whyNotInBooks(currency), now: ctx.now }),
  ];
}
