import { type SQL, sql } from "drizzle-orm";
import type { BackgroundCtx, ReadCtx, SystemWriteCtx } from "#core/context.ts";
import type { Due } from "#core/due.ts";
import { NOTIFY_TASK } from "#core/jobs.ts";
import { jsonQuery, parseRows } from "#core/sql/json.ts";
import { systemWrite } from "#core/write/atomic.ts";
import { bookings } from "#tables/bookings";
import {
  notifications,
  notificationRules as rules,
  notificationSettings as settings,
} from "#tables/notifications";
import { reminderAt } from "./quiet-hours.ts";
import { quietHoursOf, setupQuery } from "./send/find-setup.ts";
import type { Channel } from "./states.ts";

const AT_ONCE = 500;

type Reminder = { rule: string; channel: Channel; hours: number; booking: string; startAt: number };

const { id, status, startAt } = bookings;
// A reminder that falls into the quiet hours goes before them; an hour more, where the clocks change.
const quietMs = sql`(SELECT coalesce(((${settings.quietTo} - ${settings.quietFrom} + 1440) % 1440 + 61) * 60000, 0) FROM ${settings})`;
const reminding = sql`(SELECT ${rules.rule} AS rule, channels.channel AS channel, ${rules.hours} AS hours,
    ${rules.hours} * 3600000 + iif(channels.channel = 'email', 0, ${quietMs}) AS ahead
  FROM ${rules} JOIN notification_channels AS channels ON channels.rule = ${rules.rule}
  WHERE ${rules.hours} IS NOT NULL) AS reminding`;
const confirmed = sql`FROM ${bookings} INDEXED BY bookings_confirmed_start WHERE ${status} = 'confirmed'`;

/** Lessons that have no reminder yet, and that begin within its hours. */
function unmade({ now }: ReadCtx): SQL {
  return sql`FROM ${reminding} CROSS JOIN ${bookings} INDEXED BY bookings_confirmed_start
    WHERE ${status} = 'confirmed' AND ${startAt} > ${now} AND ${startAt} <= ${now} + reminding.ahead
    AND NOT EXISTS (SELECT 1 FROM ${notifications} WHERE ${notifications.rule} = reminding.rule
      AND ${notifications.channel} = reminding.channel AND ${notifications.recipient} = 'customer'
      AND ${notifications.resource} = 'booking' AND ${notifications.recordId} = ${id}
      AND ${notifications.occasion} = CAST(${startAt} AS TEXT))`;
}

/**
 * Reminders of lessons. A booking makes none: they are looked for once the lesson is near, so one that was moved has its
 * reminder at its new time, one that was cancelled none, and other hours count for all at once.
 */
export const remindersDue: Due = {
  look: (ctx) => sql`SELECT json_object(
    'due', EXISTS (SELECT 1 ${unmade(ctx)}),
    'next', (SELECT min((SELECT ${startAt} ${confirmed} AND ${startAt} > ${ctx.now} + reminding.ahead
      ORDER BY ${startAt} LIMIT 1) - reminding.ahead) FROM ${reminding})
  ) AS snapshot`,
  act: makeReminders,
};

/** Makes the reminders, each due at its own instant. Gives when the next of them is, in the company's time, or null. */
async function makeReminders(ctx: SystemWriteCtx & BackgroundCtx): Promise<number | null> {
  const [cells, setups] = await ctx.database.read([
    jsonQuery(
      ctx,
      sql<Reminder>`SELECT json_object('rule', reminding.rule, 'channel', reminding.channel, 'hours', reminding.hours,
        'booking', ${id}, 'startAt', ${startAt}) AS snapshot ${unmade(ctx)} LIMIT ${AT_ONCE}`,
    ),
    setupQuery(ctx),
  ]);
  const [setup] = parseRows(setups);
  if (cells.length === 0 || setup === undefined) return null;
  const quiet = quietHoursOf(setup);
  const made = parseRows(cells).map(({ hours, ...reminder }) => ({
    ...reminder,
    dueAt: reminderAt(
      reminder.startAt,
      hours,
      reminder.channel === "email" ? null : quiet,
      ctx.company.timezone,
    ),
  }));
  await systemWrite(ctx, [
    sql`INSERT INTO ${notifications} (rule, channel, recipient, resource, record_id, occasion, due_at)
      SELECT value ->> '$.rule', value ->> '$.channel', 'customer', 'booking', value ->> '$.booking',
        value ->> '$.startAt', value ->> '$.dueAt' FROM json_each(${JSON.stringify(made)}) WHERE true
      ON CONFLICT DO NOTHING`,
  ]);
  const instants = made.map(({ dueAt }) => dueAt);
  if (instants.some((instant) => instant <= ctx.now)) await ctx.enqueue([NOTIFY_TASK]);
  if (cells.length === AT_ONCE) return ctx.now;
  const ahead = instants.filter((instant) => instant > ctx.now);
  return ahead.length === 0 ? null : Math.min(...ahead);
}
