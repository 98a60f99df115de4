import type * as z from "zod";
import { Router } from "#api/operations/operation.ts";
import { companyToday } from "#core/calendar.ts";
import type { CallCtx } from "#core/context.ts";
import type { RowOf } from "#core/sql/record.ts";
import { entry, readByDays } from "#features/ledger";
import type { Listed, Page } from "#shared/page.ts";
import { addDays } from "#shared/time/dates.ts";
import { journalEntries } from "#tables/ledger";
import { PeriodQuery, pageOf, requireOrder, WHOLE } from "./period.ts";

const DayBookQuery = PeriodQuery.extend({
  from: PeriodQuery.shape.from.meta({ description: "The first day. Default: `to`." }),
});
type DayBookQuery = z.infer<typeof DayBookQuery>;
type EntryRow = RowOf<typeof entry>;

export const dayBookRoutes = new Router("Ledger", "/day-book").list({ listDayBook }, "/", {
  summary: "List the journal entries of days",
  description: "In the order of their days, then of their ids, with their lines.",
  query: DayBookQuery,
  record: entry,
  sort: ({ entry_date: day, id }: EntryRow) => [day, id],
  page: pageOf("Day book", wholeDays),
});

/** Entries in the order of their days; those of one day in the order in which they were made. */
async function listDayBook(
  ctx: CallCtx,
  _params: unknown,
  { page, to = companyToday(ctx), from = to }: DayBookQuery & { page: Page },
): Promise<Listed<EntryRow>> {
  requireOrder(from, to, "to");
  const days = { column: journalEntries.entryDate, from, before: addDays(to, 1) };
  return readByDays(ctx, page, days, { isLatestFirst: false });
}

/** What a page of a day book shows: a row for each line of an entry. */
async function wholeDays(ctx: CallCtx, params: unknown, query: DayBookQuery) {
  const { rows, more } = await listDayBook(ctx, params, { ...query, page: WHOLE });
  const { to = companyToday(ctx), from = to } = query;
  const entries = rows
    .map(entry.render)
    .flatMap(({ lines, entry_date: date, entry_number: number, narration }) =>
      lines.map((line, place) => ({
        date: place === 0 ? date : "",
        entry: place === 0 ? `${number}: ${narration}` : "",
        account: line.account_name,
        ...{ debit: line.debit, credit: line.credit },
      })),
    );
  return { from, to, entries, ...(more && { "The page ends here; read on from": rows.at(-1)?.entry_date }) };
}
