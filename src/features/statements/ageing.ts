import { max, type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import { Router } from "#api/operations/operation.ts";
import { companyToday, dayStart } from "#core/calendar.ts";
import type { CallCtx, ReadCtx } from "#core/context.ts";
import { jsonQuery, parseRows } from "#core/sql/json.ts";
import { asList } from "#core/sql/read-records.ts";
import { read } from "#core/write/replay.ts";
import { moneyOnWire, moneyToWire } from "#shared/fields/numbers.ts";
import { idAbove, type Listed, type Page } from "#shared/page.ts";
import { DEBTORS_CODE } from "#shared/payments/books.ts";
import { addDays } from "#shared/time/dates.ts";
import { creditApplications, creditNotes } from "#tables/credit-notes";
import { customers } from "#tables/customers";
import { invoices } from "#tables/invoices";
import { accounts, journalEntries, journalLines } from "#tables/ledger";
import { payments } from "#tables/payments";
import { AsOfQuery, asGiven, pageOf, WHOLE } from "./period.ts";

/** How many customers are looked at in one read. */
const STEP = 5_000;
/** By how many days ago invoices were due: what a page calls them, and the condition. */
const BUCKETS = {
  current: ["Not due yet", "late <= 0"],
  d1_30: ["1–30 days late", "late BETWEEN 1 AND 30"],
  d31_60: ["31–60 days late", "late BETWEEN 31 AND 60"],
  d61_90: ["61–90 days late", "late BETWEEN 61 AND 90"],
  over_90: ["Over 90 days late", "late > 90"],
} as const;
type Bucket = keyof typeof BUCKETS;
const NAMES = Object.keys(BUCKETS) as Bucket[];

export const Ageing = z
  .object({
    current: moneyOnWire.describe("Due of invoices whose due date has not passed."),
    ...{ d1_30: moneyOnWire, d31_60: moneyOnWire, d61_90: moneyOnWire, over_90: moneyOnWire },
    unapplied: moneyOnWire.describe(
      "The rest of the balance: below 0 credit that no invoice uses, above 0 money that went back and is due of no invoice.",
    ),
  })
  .meta({ id: "Ageing", description: "By the days since invoices were due, in the currency of the books." });
const CustomerAgeing = z
  .object({
    customer: z.object({ id: z.string(), name: z.string() }),
    balance: moneyOnWire.describe("What the customer owes; its parts add up to it."),
    ageing: Ageing,
  })
  .meta({ id: "CustomerAgeing" });
type Aged = z.infer<typeof CustomerAgeing>;
type AgedRow = Record<Bucket, number> & { id: number; name: string; balance: number };

export const ageingRoutes = new Router("Ledger", "/ageing").list({ listAgeing }, "/", {
  summary: "List what customers owe, by age",
  description:
    "Customers with a balance at the end of `as_of`, by their ids; removed ones too. Their balances add up to Sundry Debtors of that day.",
  query: AsOfQuery,
  record: asGiven(CustomerAgeing),
  sort: ({ customer }: Aged) => [Number(customer.id)],
  page: pageOf("Ageing of debtors", wholeAgeing),
});

/** Customers with a balance at the end of a day, by age. */
async function listAgeing(
  given: CallCtx,
  _params: unknown,
  { as_of: asOf = companyToday(given), page }: z.infer<typeof AsOfQuery> & { page: Page },
): Promise<Listed<Aged>> {
  const ctx = { ...given, database: given.database.alone };
  const rows: AgedRow[] = [];
  let last = Number.POSITIVE_INFINITY;
  for (let after = idAbove(page); after < last && rows.length < page.take; after += STEP) {
    const some = debtorsOf(sql`${customers.id} > ${after} AND ${customers.id} <= ${after + STEP}`, asOf);
    const owing = sql`SELECT * FROM (${some}) WHERE balance <> 0 ORDER BY id LIMIT ${page.take - rows.length}`;
    const [[found], cells] = await read(ctx, [
      ctx.db.select({ last: max(customers.id) }).from(customers),
      jsonQuery(ctx, asList(selectAged(ctx, owing, asOf))),
    ]);
    last = found?.last ?? 0;
    rows.push(...(parseRows(cells)[0] ?? []));
  }
  return { rows: rows.slice(0, page.take - 1).map(renderAged), more: rows.length === page.take };
}

/** Customers that meet a condition, with their accounts and balances at the end of a day; those of removed ones too. */
export function debtorsOf(condition: SQL, asOf: string): SQL {
  return sql`SELECT ${accounts.id} AS account_id, ${customers.id} AS id, ${customers.name} AS name, coalesce((
      SELECT sum(${journalLines.debit} - ${journalLines.credit}) FROM ${journalLines}
      CROSS JOIN ${journalEntries} ON ${journalEntries.id} = ${journalLines.entryId} AND ${journalEntries.entryDate} <= ${asOf}
      WHERE ${journalLines.accountId} = ${accounts.id}
    ), 0) AS balance
    FROM ${customers} CROSS JOIN ${accounts} ON ${accounts.code} = ${`${DEBTORS_CODE}-`} || ${customers.id} WHERE ${condition}`;
}

/**
 * The balances of debtors by age. What is due of an invoice is what the books have of it at the end of the day: its own
 * entries, those of its payments, and of credit notes the share that was applied to it, all with their reversals.
 */
export function selectAged(
  { company: { timezone } }: Pick<ReadCtx, "company">,
  debtors: SQL,
  asOf: string,
): SQL<AgedRow> {
  const { createdAt, removedAt, amount, creditNoteId, invoiceId } = creditApplications;
  const end = dayStart(addDays(asOf, 1), timezone);
  // A note is applied to its own invoice as it is issued, of its own day.
  const isApplied = sql`(${createdAt} < ${end} OR ${createdAt} = ${creditNotes.createdAt})
    AND (${removedAt} IS NULL OR ${removedAt} >= ${end})`;
  const sums = NAMES.map((name) => sql.raw(`sum(amount) FILTER (WHERE ${BUCKETS[name][1]}) AS ${name}`));
  const shown = NAMES.map((name) => sql.raw(`'${name}', coalesce(${name}, 0)`));
  return sql`WITH debtor AS MATERIALIZED (${debtors}),
    posted AS MATERIALIZED (
      SELECT debtor.account_id, source_type, source_id, sum(debit - credit) AS amount
      FROM debtor CROSS JOIN ${journalLines} ON ${journalLines.accountId} = debtor.account_id
      CROSS JOIN ${journalEntries} ON ${journalEntries.id} = ${journalLines.entryId} AND ${journalEntries.entryDate} <= ${asOf}
      WHERE source_type IN ('invoice', 'payment', 'credit_note') GROUP BY 1, 2, 3 HAVING sum(debit - credit) <> 0
    ),
    due AS (
      SELECT account_id, invoice_id, sum(amount) AS amount FROM (
        SELECT account_id, source_id AS invoice_id, amount FROM posted WHERE source_type = 'invoice'
        UNION ALL SELECT account_id, ${payments.invoiceId}, posted.amount FROM posted
        CROSS JOIN ${payments} ON ${payments.id} = source_id WHERE source_type = 'payment'
        UNION ALL SELECT account_id, ${invoiceId},
          CAST(round(posted.amount * (1.0 * ${amount} / ${creditNotes.totalAmount})) AS INTEGER) FROM posted
        CROSS JOIN ${creditNotes} ON ${creditNotes.id} = source_id
        CROSS JOIN ${creditApplications} ON ${creditNoteId} = ${creditNotes.id} AND ${isApplied} WHERE source_type = 'credit_note'
      ) GROUP BY 1, 2 HAVING sum(amount) > 0
    )
    SELECT json_object('id', id, 'name', name, 'balance', balance, ${sql.join(shown, sql`, `)}) AS snapshot
    FROM debtor LEFT JOIN (
      SELECT account_id, ${sql.join(sums, sql`, `)} FROM (
        SELECT account_id, amount, julianday(${asOf}) - julianday(${invoices.dueDate}) AS late
        FROM due CROSS JOIN ${invoices} ON ${invoices.id} = invoice_id
      ) GROUP BY account_id
    ) AS aged USING (account_id) ORDER BY id`;
}

/** A customer's balance by age, as it goes out. */
export function renderAged({ id, name, balance, ...due }: AgedRow): Aged {
  const unapplied = NAMES.reduce((left, bucket) => left - due[bucket], balance);
  const amounts = Object.entries({ ...due, unapplied }).map(([bucket, amount]) => [
    bucket,
    moneyToWire(amount),
  ]);
  const ageing: Aged["ageing"] = Object.fromEntries(amounts);
  return { customer: { id: String(id), name }, balance: moneyToWire(balance), ageing };
}

/** The amounts of a balance by what a page calls them. */
export function labelled({ unapplied, ...due }: Aged["ageing"]): Record<string, number> {
  const named = NAMES.map((name) => [BUCKETS[name][0], due[name]]);
  return { ...Object.fromEntries(named), "Not allocated": unapplied };
}

/** What the page of all debtors shows. */
async function wholeAgeing(ctx: CallCtx, params: unknown, query: z.infer<typeof AsOfQuery>) {
  const { rows, more } = await listAgeing(ctx, params, { ...query, page: WHOLE });
  const debtors = rows.map(({ customer, ageing, balance }) => ({
    customer: customer.name,
    ...labelled(ageing),
    balance,
  }));
  const as_of = query.as_of ?? companyToday(ctx);
  return { as_of, customers: debtors, ...(more && { "The page ends here": "the list has more as JSON" }) };
}
