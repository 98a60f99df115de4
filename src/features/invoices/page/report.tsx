import { companyToday } from "#core/calendar.ts";
import type { FileCtx, ReadCtx } from "#core/context.ts";
import { moneyToWire } from "#shared/fields/numbers.ts";
import { sum } from "#shared/money/shares.ts";
import { Problem } from "#shared/problem.ts";
import { renderSeller, selectSeller, sellerOnInvoice } from "../invoices/parties.ts";
import { logoOf } from "./find-by-token.ts";
import { formatAmount } from "./formats.ts";
import { renderPaper } from "./paper.tsx";
import { Seller } from "./parties.tsx";
import { Table } from "./table.tsx";
import { Sums } from "./totals.tsx";
import { WORDS } from "./words/words.ts";

type Value = string | number;
type Row = Record<string, Value>;
/** What a report shows: its days, whom it is for; tables by their headings, and below them sums, the last in bold. */
export type Report = Partial<Record<"from" | "to" | "as_of", string>> & {
  customer?: { name: string };
} & Record<string, unknown>;

/** The most rows of a table, for a page is made whole before it is sent. */
const MOST = 10_000;
const DATE = /^\d{4}-\d\d-\d\d$/;
const words = WORDS.en;

/** A report as a page to print, with the company's logo and particulars as invoices have them; numbers are amounts. */
export async function renderReport(
  ctx: ReadCtx & FileCtx,
  title: string,
  { from, as_of: asOf = "", to = asOf, currency: _, customer, ...shown }: Report,
): Promise<string> {
  const [[company]] = await ctx.database.read([selectSeller({})]);
  if (company === undefined) throw new Problem("not_found");
  const { country, currency } = ctx.company;
  const seller = renderSeller(sellerOnInvoice(company, country, companyToday(ctx)));
  const contact = { ...company, logo: await logoOf(ctx, company) };
  const begin = from === undefined ? "as of" : `${words.day(from)} to`;
  const days = from === to ? words.day(to) : `${begin} ${words.day(to)}`;
  const cell = (value: Value) => {
    if (typeof value === "number") return value === 0 ? "–" : formatAmount(value, currency);
    return DATE.test(value) ? words.day(value) : value;
  };
  const members = Object.entries(shown);
  const tables = members.flatMap(([name, rows]) =>
    Array.isArray(rows) && rows.length > 0 ? [{ name, rows }] : [],
  );
  const sums = members.flatMap(([name, value]) =>
    typeof value === "number" || typeof value === "string"
      ? [
          {
            name: named(name),
            value: typeof value === "number" ? formatAmount(value, currency) : cell(value),
          },
        ]
      : [],
  );
  const children = (
    <>
      <header>
        <Seller seller={seller} contact={contact} words={words} />
        <div class="title">
          <h1>{title}</h1>
          <p>{named(days)}</p>
          {customer && (
            <p class="name" dir="auto">
              {customer.name}
            </p>
          )}
          <p class="quiet">Amounts in {currency}</p>
        </div>
      </header>
      {tables.map(({ name, rows }) => (
        <section class="report">
          <h2>
            {named(name)}
            {rows.length > MOST && ` (the first ${MOST} of ${rows.length})`}
          </h2>
          <Table columns={columnsOf(rows, cell, customer === undefined)} rows={rows.slice(0, MOST)} />
        </section>
      ))}
      {tables.length + sums.length === 0 && <p>There is nothing to show.</p>}
      <section class="report">
        <Sums rows={sums.map((row, place) => ({ ...row, sum: place === sums.length - 1 }))} />
      </section>
    </>
  );
  return renderPaper({ language: "en", words, kind: title, number: days, seller, isStill: true, children });
}

/** The columns of a table by the members of its first row; those of texts may wrap, those of amounts may have a total. */
function columnsOf(rows: readonly Row[], cell: (value: Value) => string, isSummed: boolean) {
  const totalOf = (member: string) =>
    moneyToWire(sum(rows.map((row) => Math.round(Number(row[member]) * 100))));
  return Object.entries(rows[0] ?? {}).map(([member, value], place) => ({
    name: named(member),
    ...(typeof value === "string" && { kind: "words" as const }),
    cell: (row: Row) => cell(row[member] ?? ""),
    ...(isSummed && place === 0 && { total: "Total" }),
    ...(isSummed && typeof value === "number" && { total: cell(totalOf(member)) }),
  }));
}

/** A member's name as people read it: `net_profit` is Net profit. */
function named(member: string): string {
  return member.charAt(0).toUpperCase() + member.slice(1).replaceAll("_", " ");
}
