import { companyDate } from "#core/calendar.ts";
import type { CallCtx } from "#core/context.ts";
import { clockTimeToWire } from "#shared/fields/clock-time.ts";
import { addDays } from "#shared/time/dates.ts";
import { MINUTE_MS } from "#shared/time/durations.ts";
import { readBasis } from "../availability/get.ts";
import { calendarOf, slotSettingsOf } from "../availability/offer-basis.ts";
import { offerOn } from "../availability/slots.ts";
import type { Visit } from "./find-visit.ts";

export type OfferedDay = { date: string; times: { time: string; startAt: number }[] };

/** The dates with other times that a lesson's instructor offers it at, out of one read. */
export async function offeredTimes(ctx: CallCtx, visit: Visit): Promise<OfferedDay[]> {
  const from = companyDate(ctx.now, visit.timezone);
  const to = addDays(from, visit.advance_days);
  const basis = await readBasis(ctx, {
    ...{ instructorId: visit.instructor_id, from, to },
    bookingId: visit.id,
  });
  const slotSettings = slotSettingsOf(ctx, basis.settings);
  const duration = (visit.end_at - visit.start_at) / MINUTE_MS;
  const calendar = calendarOf(basis);
  const days: OfferedDay[] = [];
  for (let date = from; date <= to; date = addDays(date, 1)) {
    const { slots } = offerOn(calendar, date, slotSettings, duration, ctx.now);
    const others = slots.filter(({ startAt }) => startAt !== visit.start_at);
    const times = others.map(({ minute, startAt }) => ({ time: clockTimeToWire(minute), startAt }));
    if (times.length > 0) days.push({ date, times });
  }
  return days;
}
