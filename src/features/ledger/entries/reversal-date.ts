import { type Column, type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import { companyToday } from "#core/calendar.ts";
import type { ReadCtx } from "#core/context.ts";
import { type Refusals, refuseWhen } from "#core/write/atomic.ts";
import { fieldProblem } from "#shared/problem.ts";
import { isoDate } from "#shared/time/dates.ts";
import { booksSettings } from "#tables/ledger";
import { closedDate, refuseFuture } from "../settings/closed-date.ts";
import { yearToOpen } from "./post.ts";

const FIELD = "reversal_date";

/** What a call may say that takes back what moved no money. */
export const ReversalDate = z.object({
  reversal_date: isoDate.optional().meta({
    description:
      "The day of the reversal: from the day of what it takes back to today, neither locked nor in a month that is filed. Default: today.",
  }),
});
export type ReversalDate = z.infer<typeof ReversalDate>;

/**
 * The day of a reversal, the statement that refuses it where no record is `here`, and those that hold the day asked for;
 * `date`: what has the day of the record.
 */
export function reversalDay(
  ctx: ReadCtx,
  { reversal_date: asked }: ReversalDate,
  date: Column,
  here: SQL,
): { day: string; there: SQL; held: SQL[] } {
  const found = sql`FROM ${date.table} WHERE ${here}`;
  const there = refuseWhen(sql`NOT EXISTS (SELECT 1 ${found})`, "not_found");
  if (asked === undefined) return { day: companyToday(ctx), there, held: [] };
  refuseFuture(ctx, FIELD, asked);
  if (yearToOpen(ctx, asked) === null)
    throw fieldProblem(FIELD, "too_small", "is more than two financial years back");
  const { lockedThrough, gstFiledThrough } = booksSettings;
  const held = [
    refuseWhen(sql`${asked} < (SELECT max(${date}) ${found})`, "reversal_too_early"),
    refuseWhen(sql`${asked} <= (SELECT ${lockedThrough} FROM ${booksSettings})`, "period_locked"),
    refuseWhen(
      sql`substr(${asked}, 1, 7) <= (SELECT ${gstFiledThrough} FROM ${booksSettings})`,
      "return_filed",
    ),
  ];
  return { day: asked, there, held };
}

/** What it means that a day is asked for before that of what is taken back: 422. A day from that on is open where that one is. */
export const TOO_EARLY: Refusals = {
  reversal_too_early: () =>
    fieldProblem(FIELD, "too_small", "must not be before the day of what it takes back"),
};

/** The same, and that the day asked for is closed. */
export const REVERSAL_REFUSALS: Refusals = { ...closedDate(FIELD), ...TOO_EARLY };

/** What the operations have in common that take a record back whose entry is reversed. */
export const REVERSAL = {
  // Void and refund take it there, so these do too.
  query: ReversalDate,
  body: ReversalDate,
  problems: ["entry_reversed", "period_locked", "return_filed", "number_exhausted"],
  problemStatuses: { period_locked: 422, return_filed: 422 },
} as const;
