import * as z from "zod";
import { companyToday } from "#core/calendar.ts";
import type { Ctx, ReadCtx } from "#core/context.ts";
import { type Report, renderReport } from "#features/invoices";
import { fieldProblem } from "#shared/problem.ts";
import { isoDate } from "#shared/time/dates.ts";
import { financialYearOf } from "#shared/time/financial-year.ts";

/** What a report takes that can be printed. */
const printed = {
  format: z.enum(["json", "html"]).optional().meta({
    description:
      "`html`: a page to print, in the look of your papers, of at most 2,000 lines, whatever `limit` and `cursor` are. Default: `json`.",
  }),
};
export const PeriodQuery = z.object({
  from: isoDate
    .optional()
    .meta({ description: "The first day. Default: that of the financial year of `to`." }),
  to: isoDate.optional().meta({ description: "The last day. Default: today." }),
  ...printed,
});
export type PeriodQuery = z.infer<typeof PeriodQuery>;
export const AsOfQuery = z.object({
  as_of: isoDate.optional().meta({ description: "The last day that counts. Default: today." }),
  ...printed,
});
export type AsOfQuery = z.infer<typeof AsOfQuery>;
export const currency = z.string().meta({ description: "The currency of the books." });

/** The days of a report: the financial year so far, unless the query says otherwise. */
export function periodOf(
  ctx: Pick<ReadCtx, "company" | "now">,
  { to = companyToday(ctx), from = financialYearOf(to, ctx.company.country).start }: PeriodQuery,
): { from: string; to: string } {
  requireOrder(from, to, "to");
  return { from, to };
}

/** Throws 422 where `from` comes after the last day, which another field names. */
export function requireOrder(from: string, last: string, field: string): void {
  if (from > last) throw fieldProblem("from", "too_big", `must not be after ${field}`);
}

/** A record that its verb gives as it goes out. */
export const asGiven = <Wire extends z.ZodType>(schema: Wire) => ({
  schema,
  render: (row: z.input<Wire>) => row,
});

/** The page of what a verb gives. */
export function pageOf<Params, Query>(
  title: string,
  read: (ctx: Ctx, params: Params, query: Query) => Promise<Report>,
) {
  return async (ctx: Ctx, params: Params, query: Query) =>
    renderReport(ctx, title, await read(ctx, params, query));
}

/** The most lines of a page, which is made whole before it is sent: as the first page of a list. */
export const WHOLE = { after: null, take: 2_001 };
