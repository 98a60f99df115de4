import { type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import { Router } from "#api/operations/operation.ts";
import type { CallCtx } from "#core/context.ts";
import { amount, described, from, idText, internal, rendered } from "#core/sql/fields.ts";
import { jsonQuery, parseRows } from "#core/sql/json.ts";
import { readListOf } from "#core/sql/read-records.ts";
import { type RowOf, record } from "#core/sql/record.ts";
import { read } from "#core/write/replay.ts";
import { debtorAccountOf } from "#features/ledger";
import type { RecordParams } from "#shared/fields/ids.ts";
import { moneyOnWire, moneyToWire } from "#shared/fields/numbers.ts";
import type { Listed, Page } from "#shared/page.ts";
import { Problem } from "#shared/problem.ts";
import { creditNotes, creditPayouts } from "#tables/credit-notes";
import { customers } from "#tables/customers";
import { invoices } from "#tables/invoices";
import { accounts, journalEntries, journalLines, unposted } from "#tables/ledger";
import { payments } from "#tables/payments";
import { Ageing, debtorsOf, labelled, renderAged, selectAged } from "./ageing.ts";
import { asGiven, currency, PeriodQuery, pageOf, periodOf, WHOLE } from "./period.ts";

const { sourceType, sourceId, entryDate, reversalOf } = journalEntries;
const { debit, credit, entryId, position } = journalLines;
const KEY = sql`${entryDate}, ${entryId}, ${position}`;

const line = record(
  journalLines,
  {
    ...{ id: internal(entryId), position: internal(position) },
    date: from(entryDate, z.string().describe("Of the journal entry.")),
    document_type: from(
      sourceType,
      z.string().describe("What was posted, such as `invoice`, `payment`, `credit_note` or `credit_payout`."),
    ),
    document_id: from(sourceId, idText),
    number: from(
      sql<string>`coalesce(CASE ${sourceType}
        WHEN 'invoice' THEN (SELECT ${invoices.invoiceNumber} FROM ${invoices} WHERE ${invoices.id} = ${sourceId})
        WHEN 'payment' THEN (SELECT ${payments.paymentNumber} FROM ${payments} WHERE ${payments.id} = ${sourceId})
        WHEN 'credit_note' THEN (SELECT ${creditNotes.creditNoteNumber} FROM ${creditNotes} WHERE ${creditNotes.id} = ${sourceId})
        WHEN 'credit_payout' THEN (SELECT ${creditNotes.creditNoteNumber} FROM ${creditPayouts}
          JOIN ${creditNotes} ON ${creditNotes.id} = ${creditPayouts.creditNoteId} WHERE ${creditPayouts.id} = ${sourceId})
        END, ${journalEntries.entryNumber})`,
      z
        .string()
        .describe(
          "Of the invoice, payment or credit note, else of the journal entry; a payout has its note's.",
        ),
    ),
    is_reversal: from(
      reversalOf,
      rendered(
        z.boolean().describe("Whether it takes the document back, as a void does."),
        (id) => id !== null,
      ),
    ),
    debit: described(amount, "What the customer owes more, in the currency of the books."),
    credit: described(amount, "What the customer owes less, in the currency of the books."),
    balance: from(
      sql<number>`(SELECT balance FROM carried) + sum(${debit} - ${credit}) OVER (ORDER BY ${KEY})`,
      described(amount, "What the customer owes then; what you owe is negative."),
    ),
  },
  "StatementLine",
);
type LineRow = RowOf<typeof line>;

const StatementSummary = z
  .object({
    customer: z.object({ id: z.string(), name: z.string() }),
    ...{ currency, from: z.string(), to: z.string() },
    opening_balance: moneyOnWire.describe("What the customer owed before `from`."),
    debit: moneyOnWire.describe("The sum of the debits of the period."),
    credit: moneyOnWire.describe("The sum of the credits of the period."),
    closing_balance: moneyOnWire.describe(
      "What the customer owes at the end of `to`: its account's balance.",
    ),
    ageing: Ageing.describe("Of `closing_balance`, at the end of `to`."),
    unposted: z
      .int()
      .describe(
        "How many invoices, payments and credit notes have no journal entry today: they are in no amount here.",
      ),
  })
  .meta({ id: "StatementSummary" });

const page = pageOf("Statement of account", wholeStatement);
export const customerStatementRoutes = new Router("Ledger", "/customers")
  .list({ listCustomerStatement }, "/:id/statement", {
    summary: "List the statement of a customer's account",
    description:
      "In the order of days, then of journal entries. The first balance begins with what the customer owed before `from`.",
    query: PeriodQuery,
    record: line,
    sort: ({ balance, date, id, position }: LineRow) => [balance, date, id, position],
    page,
  })
  .get({ getStatementSummary }, "/:id/statement/summary", {
    summary: "Read the summary of a customer's statement",
    description: "What the customer owed before the period and after it, and how long it has been due.",
    query: PeriodQuery,
    record: asGiven(StatementSummary),
    page,
  });

/** The lines of a customer's account, each beside its entry, of which a condition follows. */
function linesOf(customerId: number): SQL {
  return sql`${journalLines} CROSS JOIN ${journalEntries} ON ${journalEntries.id} = ${entryId} WHERE ${journalLines.accountId} = (
    SELECT ${accounts.id} FROM ${accounts} WHERE ${debtorAccountOf(customerId)}) AND`;
}

/** A customer that is not removed, as a condition. */
function isCustomer(id: number): SQL {
  return sql`${customers.id} = ${id} AND ${customers.isCustomer} = 1 AND ${customers.deletedAt} IS NULL`;
}

/**
 * The lines of a customer's account in the order of their days, then of entries; the cursor carries the balance. No index
 * has an account's lines by day, for the day is the entry's: each page goes through all of them, and sorts what follows.
 */
async function listCustomerStatement(
  given: CallCtx,
  { id }: RecordParams,
  { page, ...query }: PeriodQuery & { page: Page },
): Promise<Listed<LineRow>> {
  const ctx = { ...given, database: given.database.alone };
  const { from, to } = periodOf(ctx, query);
  const [carried, day = "", entry = 0, place = 0] = page.after ?? [null];
  const opening =
    carried === null
      ? sql`SELECT coalesce(sum(${debit} - ${credit}), 0) AS balance FROM ${linesOf(id)} ${entryDate} < ${from}`
      : sql`SELECT ${carried} AS balance`;
  const select = sql<LineRow>`WITH carried AS MATERIALIZED (${opening}) SELECT ${line.columns()} AS snapshot
    FROM ${linesOf(id)} ${entryDate} BETWEEN ${from} AND ${to} AND (${KEY}) > (${day}, ${entry}, ${place})
    ORDER BY ${KEY} LIMIT ${page.take}`;
  return readListOf(ctx, sql`SELECT 1 FROM ${customers} WHERE ${isCustomer(id)}`, page, select);
}

type Sums = Record<"opening" | "debit" | "credit" | "unposted", number>;

/** What a customer owed before a period and after it, by age, and what came between. */
async function getStatementSummary(given: CallCtx, { id }: RecordParams, query: PeriodQuery) {
  const ctx = { ...given, database: given.database.alone };
  const { from, to } = periodOf(ctx, query);
  const isBefore = sql`${entryDate} < ${from}`;
  const sum = (amount: SQL) => sql`coalesce(sum(${amount}), 0)`;
  const sums = sql<Sums>`SELECT json_object('opening', ${sum(sql`iif(${isBefore}, ${debit} - ${credit}, 0)`)},
    'debit', ${sum(sql`iif(${isBefore}, 0, ${debit})`)}, 'credit', ${sum(sql`iif(${isBefore}, 0, ${credit})`)},
    'unposted', ${countUnposted(id)}) AS snapshot FROM ${linesOf(id)} ${entryDate} <= ${to}`;
  const [aged, summed] = await read(ctx, [
    jsonQuery(ctx, selectAged(ctx, debtorsOf(isCustomer(id), to), to)),
    jsonQuery(ctx, sums),
  ]);
  const [[debtor], [found]] = [parseRows(aged), parseRows(summed)];
  if (debtor === undefined || found === undefined) throw new Problem("not_found");
  const { customer, balance, ageing } = renderAged(debtor);
  return {
    ...{ customer, currency: ctx.company.currency, from, to },
    opening_balance: moneyToWire(found.opening),
    debit: moneyToWire(found.debit),
    credit: moneyToWire(found.credit),
    ...{ closing_balance: balance, ageing, unposted: found.unposted },
  };
}

/** How many documents of a customer have no entry. */
function countUnposted(customerId: number): SQL {
  const { sourceType: type, sourceId: id } = unposted;
  const count = (name: string, table: typeof invoices | typeof payments | typeof creditNotes, isLive: SQL) =>
    sql`(SELECT count(*) FROM ${table} CROSS JOIN ${unposted} ON ${type} = ${name} AND ${id} = ${table.id}
      WHERE ${table.customerId} = ${customerId} AND ${isLive})`;
  return sql`${count("invoice", invoices, sql`${invoices.status} <> 'voided'`)}
    + ${count("payment", payments, sql`${payments.deletedAt} IS NULL`)} + ${count("credit_note", creditNotes, sql`true`)}`;
}

const OPENING = { document: "Opening balance", number: "", debit: 0, credit: 0 };

/** What the page of a statement shows: the lines between both balances, and the closing one by age. */
async function wholeStatement(ctx: CallCtx, params: RecordParams, query: PeriodQuery) {
  const {
    opening_balance: balance,
    closing_balance,
    ageing,
    unposted: _,
    ...summary
  } = await getStatementSummary(ctx, params, query);
  const { rows, more } = await listCustomerStatement(ctx, params, { ...query, page: WHOLE });
  const lines = rows.map(line.render).map(({ document_type: type, date, number, debit, credit, ...rest }) => {
    const document = type.charAt(0).toUpperCase() + type.slice(1).replaceAll("_", " ");
    const shown = rest.is_reversal ? `${document}, taken back` : document;
    return { date, document: shown, number, debit, credit, balance: rest.balance };
  });
  return {
    ...summary,
    transactions: [{ date: summary.from, ...OPENING, balance }, ...lines],
    ...(more && { "The page ends here; read on from": rows.at(-1)?.date }),
    ...labelled(ageing),
    closing_balance,
  };
}
