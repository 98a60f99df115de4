import { companyDate, dayClock } from "#core/calendar.ts";
import { DAY_MINUTES } from "#shared/fields/clock-time.ts";
import { addDays } from "#shared/time/dates.ts";
import { HOUR_MS, MINUTE_MS } from "#shared/time/durations.ts";

/** The hours of a day without messages to phones, in minutes after midnight; a `to` before `from` is the next day's. */
export type QuietHours = { from: number; to: number };
/** What a message is about, as far as its time matters: what the recipient did and when, and the lesson's start. */
export type Occasion = { actedAt: number | null; startAt: number | null };

const OWN_ACT_MS = 10 * MINUTE_MS;
const NO_WAIT_BEFORE_MS = 2 * HOUR_MS;

/** When a reminder so many elapsed hours before a lesson goes out: what falls into quiet hours goes at the last minute before them. */
export function reminderAt(
  startAt: number,
  hours: number,
  quiet: QuietHours | null,
  timezone: string,
): number {
  const instant = startAt - hours * HOUR_MS;
  const around = quietAround(instant, quiet, timezone);
  return around === null ? instant : around.begin - MINUTE_MS;
}

/** Whether a reminder comes too late to be one: by more than a quarter of its hours. */
export function isLate(now: number, reminderInstant: number, hours: number): boolean {
  return now - reminderInstant > (hours * HOUR_MS) / 4;
}

/** When what is no reminder goes out: now, or when the quiet hours end, but never later than two hours before its lesson. */
export function sendAt(
  now: number,
  { actedAt, startAt }: Occasion,
  quiet: QuietHours | null,
  timezone: string,
): number {
  const around = quietAround(now, quiet, timezone);
  if (around === null || (actedAt !== null && now - actedAt <= OWN_ACT_MS)) return now;
  const latest = startAt === null ? around.end : startAt - NO_WAIT_BEFORE_MS;
  return Math.max(now, Math.min(around.end, latest));
}

/** The quiet hours that an instant lies in. */
function quietAround(
  instant: number,
  quiet: QuietHours | null,
  timezone: string,
): { begin: number; end: number } | null {
  if (quiet === null) return null;
  const today = companyDate(instant, timezone);
  for (const date of [addDays(today, -1), today]) {
    const begin = showing(date, quiet.from, timezone);
    const end = showing(quiet.to > quiet.from ? date : addDays(date, 1), quiet.to, timezone);
    if (begin <= instant && instant < end) return { begin, end };
  }
  return null;
}

/** When a day's clock shows a time, or what the clocks skip to from it. */
function showing(date: string, minute: number, timezone: string): number {
  const clock = dayClock(date, timezone);
  for (let later = minute; later < DAY_MINUTES; later += 1) {
    const instant = clock(later);
    if (instant !== undefined) return instant;
  }
  return showing(addDays(date, 1), 0, timezone);
}
