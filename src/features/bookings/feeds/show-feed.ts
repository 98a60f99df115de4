import { eq, sql } from "drizzle-orm";
import type { Sent, Shown } from "#api/operations/page.ts";
import type { Ctx, ReadCtx } from "#core/context.ts";
import { sha256Hex } from "#core/secrets/hash.ts";
import { jsonQuery, parseRows } from "#core/sql/json.ts";
import { asList } from "#core/sql/read-records.ts";
import { Problem } from "#shared/problem.ts";
import { DAY_MS } from "#shared/time/durations.ts";
import { bookingSettings, bookings, calendarFeeds as feeds } from "#tables/bookings";
import { statusAt } from "../bookings/snapshot.ts";
import { CALENDAR_TYPE, renderCalendar } from "./calendar.ts";
import { eventOf, selectLessons } from "./lessons.ts";
import { hashOf } from "./token.ts";

const MOST = 2_000;
const BACK_MS = 30 * DAY_MS;
// So long calendars can learn that a lesson is cancelled.
const CANCELLED_MS = 14 * DAY_MS;

/** The calendar that a feed's token opens; 404 for an unknown one; 304 for a client that has it already. */
export async function showFeed(ctx: Ctx, { token, ifNoneMatch }: Sent): Promise<Shown> {
  const [[feed], rows] = await readFeed(ctx, await hashOf(token));
  if (feed === undefined) throw new Problem("not_found");
  const lessons = parseRows(rows)[0] ?? [];
  const events = lessons.map((lesson) => eventOf(ctx, lesson, feed.detail));
  // By what stands in it and not by when it was made.
  const etag = `"${(await sha256Hex(renderCalendar({ ...feed, isFeed: true, events }, 0))).slice(0, 32)}"`;
  const headers = { "Cache-Control": "private, max-age=300", ETag: etag };
  if (ifNoneMatch.includes(etag)) return { page: "", status: 304, headers };
  const page = renderCalendar({ ...feed, isFeed: true, events }, ctx.now);
  return { page, headers: { ...headers, "Content-Type": CALENDAR_TYPE } };
}

function readFeed(ctx: ReadCtx, hash: string) {
  const here = eq(feeds.tokenHash, hash);
  const feed = (column: typeof feeds.id | typeof feeds.instructorId) =>
    sql`(SELECT ${column} FROM ${feeds} WHERE ${here})`;
  const ahead = sql`(SELECT ${bookingSettings.advanceDays} + 1 FROM ${bookingSettings}) * ${DAY_MS}`;
  const status = statusAt(ctx.now);
  const tail = sql`WHERE ${bookings.startAt} BETWEEN ${ctx.now - BACK_MS} AND ${ctx.now} + ${ahead} AND ${feed(feeds.id)} IS NOT NULL
    AND ${bookings.instructorId} = coalesce(${feed(feeds.instructorId)}, ${bookings.instructorId})
    AND (${status} NOT IN ('cancelled', 'expired') OR ${bookings.updatedAt} >= ${ctx.now - CANCELLED_MS})
    ORDER BY ${bookings.startAt}, ${bookings.id} LIMIT ${MOST}`;
  return ctx.database.read([
    ctx.db.select({ name: feeds.name, detail: feeds.detail }).from(feeds).where(here),
    jsonQuery(ctx, asList(selectLessons(status, tail))),
  ]);
}
