import { sql } from "drizzle-orm";
import * as z from "zod";
import { Router } from "#api/operations/operation.ts";
import { companyToday } from "#core/calendar.ts";
import type { CallCtx, WriteCtx } from "#core/context.ts";
import { described, instant, internal, nullable } from "#core/sql/fields.ts";
import { readOne } from "#core/sql/read-records.ts";
import { type RowOf, record } from "#core/sql/record.ts";
import { atomic } from "#core/write/atomic.ts";
import { patchOf } from "#shared/fields/patch.ts";
import { fieldProblem } from "#shared/problem.ts";
import { isoDate } from "#shared/time/dates.ts";
import { booksSettings } from "#tables/ledger";
import { thenPosting } from "../unposted/post-missing.ts";

const lockedThrough = isoDate.nullable().meta({
  description: "The last day of the locked period, before today. Null: nothing is locked.",
});
const gstFiledThrough = z
  .string()
  .regex(/^[12][0-9]{3}-(?:0[1-9]|1[0-2])$/, "must be a month YYYY-MM")
  .nullable()
  .meta({ description: "The last month whose GST return is filed, as `YYYY-MM`. Null: none is." });

const books = record(booksSettings, {
  id: internal<number>(),
  locked_through: lockedThrough,
  locked_at: described(nullable(instant), "When the books were last locked."),
  gst_filed_through: gstFiledThrough,
});
const BooksPatch = patchOf(z.object({ locked_through: lockedThrough, gst_filed_through: gstFiledThrough }));
type BooksPatch = z.infer<typeof BooksPatch>;
const select = () => books.select(sql`true`);

export const booksSettingsRoutes = new Router("Settings: Books", "/books").settings({
  id: "BooksSettings",
  words: "the lock of the books and the filed months",
  record: books,
  patch: BooksPatch,
  keepsTexts: true,
  verbs: { get: (ctx: CallCtx) => readOne(ctx, select()), update: thenPosting(updateBooks) },
  description:
    "No document is dated in a locked period, and no invoice or credit note of it is voided. The same holds of invoices and credit notes in a month that is filed. A payment of a locked day may be refunded: the reversal is dated today, or on an open day that is asked for. Both may be moved back.",
});

/** Sets the fields sent. Throws 422 for a day or a month that is not over. */
function updateBooks(ctx: WriteCtx, _params: unknown, patch: BooksPatch): Promise<RowOf<typeof books>> {
  const { locked_through: day, gst_filed_through: month } = patch;
  const today = companyToday(ctx);
  if (day != null && day >= today) throw fieldProblem("locked_through", "too_big", "must be before today");
  if (month != null && month >= today.slice(0, 7))
    throw fieldProblem("gst_filed_through", "too_big", "must be before this month");
  const lock = day === undefined ? {} : { lockedThrough: day, lockedAt: day === null ? null : ctx.now };
  return atomic(ctx, [ctx.db.update(booksSettings).set({ ...lock, gstFiledThrough: month })], select());
}
