import { type SQL, sql } from "drizzle-orm";
import { companyDate, dayClock, dayStart } from "#core/calendar.ts";
import type { BackgroundCtx, ReadCtx, SystemWriteCtx } from "#core/context.ts";
import type { Due } from "#core/due.ts";
import { NOTIFY_TASK } from "#core/jobs.ts";
import { systemWrite } from "#core/write/atomic.ts";
import { addDays } from "#shared/time/dates.ts";
import { HOUR_MS } from "#shared/time/durations.ts";
import { invoices } from "#tables/invoices";
import { notifications, notificationRules as rules } from "#tables/notifications";

const AT_ONCE = 500;
const MOST_DAYS = 90;
/** The minute of the company's day at which they are sent. */
const MORNING = 9 * 60;

const { id, amountDue, overdueSince, dueDate } = invoices;
const overdue = sql`${invoices} INDEXED BY invoices_overdue WHERE ${amountDue} > 0 AND ${overdueSince} IS NOT NULL`;
const channels = sql`${rules} JOIN notification_channels AS channels ON channels.rule = ${rules.rule}`;
const occasion = sql`${dueDate} || ':' || days.value`;

/** Invoices whose day it is, and that have no notice yet. */
function unnoticed(today: string): SQL {
  return sql`FROM ${channels} CROSS JOIN json_each(${rules.days}) AS days CROSS JOIN ${overdue}
    AND ${rules.rule} = 'invoice_overdue' AND ${dueDate} = date(${today}, '-' || days.value || ' days')
    AND NOT EXISTS (SELECT 1 FROM ${notifications} WHERE ${notifications.rule} = ${rules.rule}
      AND ${notifications.channel} = channels.channel AND ${notifications.recipient} = 'customer'
      AND ${notifications.resource} = 'invoice' AND ${notifications.recordId} = CAST(${id} AS TEXT)
      AND ${notifications.occasion} = ${occasion})`;
}

/** Invoices that have been overdue for the days of the rule: notices go in the company's morning. */
export const overdueNotices: Due = {
  look: (ctx) => {
    const { today, morning, next } = morningOf(ctx);
    const isSoon = sql`EXISTS (SELECT 1 FROM ${channels} WHERE ${rules.rule} = 'invoice_overdue')
      AND EXISTS (SELECT 1 FROM ${overdue} AND ${dueDate} >= ${addDays(today, -MOST_DAYS)})`;
    return sql`SELECT json_object(
      'due', ${morning} <= ${ctx.now} AND EXISTS (SELECT 1 ${unnoticed(today)}),
      'next', iif(${isSoon}, ${next}, NULL)
    ) AS snapshot`;
  },
  act: makeNotices,
};

async function makeNotices(ctx: SystemWriteCtx & BackgroundCtx): Promise<number | null> {
  const { today, morning } = morningOf(ctx);
  if (morning > ctx.now) return morning;
  const [made] = await systemWrite(ctx, [
    sql`INSERT INTO ${notifications} (rule, channel, recipient, resource, record_id, occasion, due_at)
      SELECT ${rules.rule}, channels.channel, 'customer', 'invoice', ${id}, ${occasion}, ${morning}
      ${unnoticed(today)} LIMIT ${AT_ONCE} ON CONFLICT DO NOTHING`,
  ]);
  await ctx.enqueue([NOTIFY_TASK]);
  return (made?.rowsAffected ?? 0) < AT_ONCE ? null : ctx.now;
}

/** The company's day, the instant of its overdue notices, and the next such instant. */
function morningOf({ now, company: { timezone } }: ReadCtx): {
  today: string;
  morning: number;
  next: number;
} {
  const today = companyDate(now, timezone);
  const morning = at(today, timezone);
  return { today, morning, next: morning > now ? morning : at(addDays(today, 1), timezone) };
}

function at(date: string, timezone: string): number {
  return dayClock(date, timezone)(MORNING) ?? dayStart(date, timezone) + 9 * HOUR_MS;
}
