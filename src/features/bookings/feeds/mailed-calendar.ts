import { eq, sql } from "drizzle-orm";
import type { OutsideCtx, ReadCtx } from "#core/context.ts";
import { jsonQuery, parseRows } from "#core/sql/json.ts";
import type { Attachment } from "#providers/email";
import { withoutLinks } from "#shared/text/without-links.ts";
import { bookings } from "#tables/bookings";
import { statusAt } from "../bookings/snapshot.ts";
import { findOne } from "../page/find-visit.ts";
import { calendarOfBooking } from "./booking-calendar.ts";
import { CALENDAR_FILE, CALENDAR_TYPE, renderCalendar } from "./calendar.ts";
import { eventOf, selectLessons } from "./lessons.ts";

type MailCtx = ReadCtx & OutsideCtx;

/**
 * The calendar file of a booking in an e-mail: a customer's as on the booking's page, an instructor's as in the
 * school's feeds, because a person who knows the page's address can act as the customer. Null for an unknown booking.
 */
export async function mailedCalendar(
  ctx: MailCtx,
  { booking, instructor }: { booking: string; instructor: number | null },
  at: number,
): Promise<Attachment | null> {
  if (ctx.origin === "") return null;
  const text =
    instructor === null
      ? await ofCustomer(ctx, booking, at)
      : await ofInstructor(ctx, booking, instructor, at);
  return text === null ? null : { name: CALENDAR_FILE, type: `${CALENDAR_TYPE}; method=PUBLISH`, text };
}

async function ofCustomer(ctx: MailCtx, booking: string, at: number): Promise<string | null> {
  const visit = await findOne(ctx, eq(bookings.id, booking));
  if (visit === undefined) return null;
  // The mail may go to another person than the one who typed where the lesson begins.
  const mailed = { ...visit, pickup: visit.pickup && withoutLinks(visit.pickup) };
  return calendarOfBooking(mailed, `${ctx.origin}/b/${ctx.company.slug}/${visit.public_token}`, at);
}

/** For an instructor whose lesson it is no longer it is cancelled, so that it leaves their calendar. */
async function ofInstructor(ctx: MailCtx, booking: string, instructor: number, at: number) {
  const status = sql`iif(${bookings.instructorId} = ${instructor}, ${statusAt(ctx.now)}, 'cancelled')`;
  const select = selectLessons(status, sql`WHERE ${eq(bookings.id, booking)}`);
  const [rows] = await ctx.database.read([jsonQuery(ctx, select)]);
  const [lesson] = parseRows(rows);
  if (lesson === undefined) return null;
  // A feed has the customer's phone number if the company has set that; e-mails have no such setting.
  const event = { ...eventOf(ctx, lesson, "full"), description: `Booking ${lesson.number}` };
  return renderCalendar({ name: lesson.instructor, isFeed: false, events: [event] }, at);
}
