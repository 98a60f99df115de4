import { type SQLWrapper, sql } from "drizzle-orm";
import { companyToday } from "#core/calendar.ts";
import type { ReadCtx } from "#core/context.ts";
import type { Refusals } from "#core/write/atomic.ts";
import { fieldProblem } from "#shared/problem.ts";
import { booksSettings } from "#tables/ledger";

const MESSAGES = {
  period_locked: "is in a period of the books that is locked",
  return_filed: "is in a month whose GST return is filed",
} as const;

/** Whether the books, or the return of the month, are closed on a date, as the triggers say of documents: 1 or 0. */
export function isClosedOn(date: SQLWrapper) {
  const { lockedThrough, gstFiledThrough } = booksSettings;
  return sql<number>`coalesce((SELECT ${date} <= ${lockedThrough} OR substr(${date}, 1, 7) <= ${gstFiledThrough} FROM ${booksSettings}), 0)`;
}

/** What it means that the books, or the return of the month, are closed on the date that a field names: 422. */
export function closedDate(field: string): Refusals {
  const closed = (code: keyof typeof MESSAGES) => () =>
    fieldProblem(field, code, MESSAGES[code], code, { status: 422 });
  return { period_locked: closed("period_locked"), return_filed: closed("return_filed") };
}

/** Throws 422 where the day that a field gives for money that moved is still to come. */
export function refuseFuture(ctx: Pick<ReadCtx, "company" | "now">, field: string, date: string): void {
  if (date > companyToday(ctx)) throw fieldProblem(field, "too_big", "must not be after today");
}
