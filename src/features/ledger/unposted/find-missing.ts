import { type SQL, sql } from "drizzle-orm";
import type { CallCtx } from "#core/context.ts";
import { jsonQuery, parseRows } from "#core/sql/json.ts";
import { type Given, keptStatement } from "#core/sql/kept-statements.ts";
import { read } from "#core/write/replay.ts";
import { ACCOUNTS } from "#shared/payments/books.ts";
import { type UnpostedReason, whyNotInBooks } from "#shared/payments/posting-warnings.ts";
import { invoices } from "#tables/invoices";
import {
  accounts,
  booksSettings,
  exchangeRates,
  financialYears,
  foreignLines,
  journalEntries,
  journalLines,
  unposted,
} from "#tables/ledger";
import { daysNear, inOpenFinancialYear, KINDS, linesOf, saidOf } from "../entries/post.ts";
import type { ForeignLine } from "../exchange/at-rates.ts";

/** How many rows are looked at in one read: a line of each is found. */
const AT_ONCE = 250;
const DAYS_OF_A_RATE = 16;

export type MissingLine = Omit<ForeignLine, "id"> & { id: number | null; is_active: 0 | 1 | null };

/** A document without an entry whose reason has gone, or is another than the known one. */
export type Missing = Pick<typeof unposted.$inferSelect, "id"> & {
  source_type: (typeof unposted.$inferSelect)["sourceType"];
  source_id: number;
  voucher_type: string;
  entry_date: string;
  narration: string;
  invoice_id: number | null;
  known_reason: UnpostedReason;
  /** Why it cannot be posted now; null where that is up to its accounts, or to the invoice that it credits. */
  reason: UnpostedReason | null;
  needs_invoice: 0 | 1;
  is_foreign: 0 | 1;
  lines: MissingLine[];
  /** The account of what the exchange made, and the last entry in another currency. */
  difference: number | null;
  seen: number;
};

// Each begins with the rows that are unposted.
const arms = KINDS.map(
  ([
    type,
    view,
  ]) => sql`SELECT ${unposted.id}, ${unposted.sourceType}, ${unposted.sourceId}, ${unposted.voucherType},
    ${unposted.reason} AS known_reason, posting.entry_date, posting.currency, posting.customer_id, posting.invoice_id,
    posting.capture_id, posting.narration
  FROM ${unposted} JOIN ${view} AS posting ON posting.source_id = ${unposted.sourceId} WHERE ${unposted.sourceType} = ${type}`,
);
const documents = sql.join(arms, sql` UNION ALL `);
const lines = saidOf<string>(sql`document`, sql`posting.lines`);

const ofInvoice = sql`'invoice:' || document.invoice_id`;
const ofCapture = sql`'capture:' || document.capture_id`;
/** The rate that is set of something. */
const setOf = (what: SQL) =>
  sql`(SELECT ${foreignLines.exchangeRateId} FROM ${foreignLines} WHERE ${foreignLines.rateOf} = ${what} LIMIT 1)`;
/** The newest rate of a day, which is not too old. */
const newestOn = (day: SQL) => sql`(SELECT ${exchangeRates.id} FROM ${exchangeRates}
  WHERE ${exchangeRates.currency} = document.currency
    AND ${exchangeRates.rateDate} BETWEEN date(${day}, ${sql.raw(`'-${DAYS_OF_A_RATE} days'`)}) AND ${day}
  ORDER BY ${exchangeRates.rateDate} DESC LIMIT 1)`;
const invoiceDate = sql`(SELECT ${invoices.invoiceDate} FROM ${invoices} WHERE ${invoices.id} = document.invoice_id)`;
const isInvoicePosted = sql`EXISTS (SELECT 1 FROM ${journalEntries} INDEXED BY journal_entries_source WHERE ${journalEntries.sourceType} = 'invoice'
  AND ${journalEntries.sourceId} = document.invoice_id AND ${journalEntries.reversalOf} IS NULL)`;
const inNoYear = sql`NOT EXISTS (SELECT 1 FROM ${financialYears}
  WHERE document.entry_date BETWEEN ${financialYears.startDate} AND ${financialYears.endDate})`;

const MEMBERS = sql.raw(
  "id source_type source_id voucher_type entry_date narration invoice_id known_reason reason needs_invoice is_foreign"
    .split(" ")
    .map((name) => `'${name}', document.${name}`)
    .join(", "),
);
type Values = { after: number; books: string; otherwise: UnpostedReason; from: string; to: string };
const select = keptStatement(
  ({ after, books, otherwise, from, to }: Given<Values>) => sql<Missing>`
  SELECT json_object(${MEMBERS}, 'difference', (SELECT ${accounts.id} FROM ${accounts}
      WHERE ${accounts.systemKey} = ${sql.raw(`'${ACCOUNTS.exchangeDifference}'`)} AND ${accounts.isActive} = 1),
    'seen', (SELECT coalesce(max(${foreignLines.entryId}), 0) FROM ${foreignLines}), 'lines', json((
      SELECT json_group_array(json_object('id', side.id, 'key', side.system_key, 'is_active', side.is_active,
        'debit', side.value ->> '$.debit', 'credit', side.value ->> '$.credit', 'parts', side.value -> '$.parts',
        'rate_of', side.rate_of, 'rate_id', side.rate_id, 'rate', (
          SELECT ${exchangeRates.rate} FROM ${exchangeRates} WHERE ${exchangeRates.id} = side.rate_id
        ), 'held', json(${heldBy(sql`side.rate_of`, sql`side.id`)})))
      FROM (SELECT line.value, ${accounts.id}, ${accounts.systemKey}, iif(${accounts.deletedAt} IS NULL, ${accounts.isActive}, NULL) AS is_active,
          CASE WHEN document.is_foreign = 0 THEN NULL
            WHEN ${accounts.partyId} IS NULL THEN coalesce(${ofCapture}, ${ofInvoice}) ELSE coalesce(${ofInvoice}, ${ofCapture}) END AS rate_of,
          iif(${accounts.partyId} IS NULL, coalesce(document.capture_rate, document.invoice_rate),
            coalesce(document.invoice_rate, document.capture_rate)) AS rate_id
        FROM ${linesOf({ lines, customerId: sql<number>`document.customer_id` })}) side
    ))) AS snapshot
  FROM (
    SELECT document.*, CASE
        WHEN document.is_foreign AND (document.invoice_rate IS NULL AND document.invoice_id IS NOT NULL
          OR document.capture_rate IS NULL AND document.capture_id IS NOT NULL) THEN ${otherwise}
        WHEN document.entry_date <= (SELECT ${booksSettings.lockedThrough} FROM ${booksSettings}) THEN 'period_locked'
        WHEN NOT ${inOpenFinancialYear(sql`document.entry_date`)} AND NOT (${inNoYear} AND document.entry_date BETWEEN ${from} AND ${to})
        THEN 'no_financial_year' END AS reason,
      document.source_type = 'credit_note' AND NOT ${isInvoicePosted} AS needs_invoice
    FROM (SELECT document.*, iif(document.is_foreign, coalesce(${setOf(ofCapture)}, document.invoice_rate, ${newestOn(sql`document.entry_date`)}), NULL) AS capture_rate
      FROM (SELECT document.*, document.currency <> ${books} AS is_foreign,
          iif(document.currency <> ${books}, coalesce(${setOf(ofInvoice)}, ${newestOn(invoiceDate)}), NULL) AS invoice_rate
        FROM (${documents}) document) document) document
    WHERE document.id > ${after} AND coalesce(reason, '') <> document.known_reason ORDER BY document.id LIMIT ${sql.raw(String(AT_ONCE))}
  ) document ORDER BY document.id`,
);

/** The documents after a row of `unposted` that may be posted, or whose reason is another now, the oldest first. */
export async function findMissing(
  ctx: CallCtx,
  after: number,
): Promise<{ found: Missing[]; isAll: boolean }> {
  const books = ctx.company.currency;
  const values = { after, books, otherwise: whyNotInBooks(books), ...daysNear(ctx) };
  const [cells] = await read(ctx, [jsonQuery(ctx, select(values))]);
  return { found: parseRows(cells), isAll: cells.length < AT_ONCE };
}

/** What is held on an account of what has one rate, by entries that stand. */
function heldBy(what: SQL, account: SQL): SQL {
  const { entryId, position, debit, credit, accountId } = journalLines;
  return sql`(SELECT json_object('amount', coalesce(sum(${foreignLines.amount}), 0), 'value', coalesce(sum(${debit} - ${credit}), 0))
    FROM ${foreignLines} JOIN ${journalLines} ON ${entryId} = ${foreignLines.entryId} AND ${position} = ${foreignLines.position}
    JOIN ${journalEntries} ON ${journalEntries.id} = ${entryId} AND ${journalEntries.status} = 'posted'
    WHERE ${foreignLines.rateOf} = ${what} AND ${accountId} = ${account})`;
}
