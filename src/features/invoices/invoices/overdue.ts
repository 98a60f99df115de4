import { sql } from "drizzle-orm";
import { companyDate, msUntilTomorrow } from "#core/calendar.ts";
import type { ReadCtx, SystemWriteCtx } from "#core/context.ts";
import type { Due } from "#core/due.ts";
import { systemWrite } from "#core/write/atomic.ts";
import { MINUTE_MS } from "#shared/time/durations.ts";
import { invoices } from "#tables/invoices";

const AT_ONCE = 500;
const FIRST_MINUTE = 5;

const { id, amountDue, overdueSince, dueDate } = invoices;
const open = sql`FROM ${invoices} INDEXED BY invoices_not_overdue WHERE ${amountDue} > 0 AND ${overdueSince} IS NULL`;

/** Invoices that became overdue: they are marked once a day, some minutes after the company's midnight. */
export const overdueInvoices: Due = {
  look: (ctx) => sql`SELECT json_object(
    'due', EXISTS (SELECT 1 ${open} AND ${dueDate} < ${lookedAt(ctx)}),
    'next', iif(EXISTS (SELECT 1 ${open}), ${nextLook(ctx)}, NULL)
  ) AS snapshot`,
  act: markOverdue,
};

/** In small batches, so that no writer waits long. */
async function markOverdue(ctx: SystemWriteCtx): Promise<null> {
  const today = lookedAt(ctx);
  const due = sql`SELECT ${id} ${open} AND ${dueDate} < ${today} ORDER BY ${dueDate} LIMIT ${AT_ONCE}`;
  for (;;) {
    const [result] = await systemWrite(ctx, [
      ctx.db.update(invoices).set({ overdueSince: today }).where(sql`${id} IN (${due})`),
    ]);
    if ((result?.rowsAffected ?? 0) < AT_ONCE) return null;
  }
}

/** How long after midnight a company's invoices are looked at, in milliseconds: not those of all companies at once. */
function delayOf({ company }: ReadCtx): number {
  const spread = [...company.slug].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 60, 0);
  return (FIRST_MINUTE + spread) * MINUTE_MS;
}

/** The company's date at the last look that was due. */
function lookedAt(ctx: ReadCtx): string {
  return companyDate(ctx.now - delayOf(ctx), ctx.company.timezone);
}

/** When the next look is due, in the company's time (epoch ms). */
function nextLook(ctx: ReadCtx): number {
  const before = ctx.now - delayOf(ctx);
  return before + msUntilTomorrow(before, ctx.company.timezone) + delayOf(ctx);
}
