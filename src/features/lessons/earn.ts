import { type SQL, sql } from "drizzle-orm";
import { companyDate, companyToday } from "#core/calendar.ts";
import type { CallCtx, IdCtx, SystemWriteCtx } from "#core/context.ts";
import { systemWrite } from "#core/write/atomic.ts";
import { ONE_BY_ONE, postDocuments } from "#features/ledger";
import { DAY_MS } from "#shared/time/durations.ts";
import { bookingPackages, bookings } from "#tables/bookings";
import { booksSettings, journalEntries } from "#tables/ledger";
import { lessonEarnings, lessonSales } from "#tables/lessons";

const AT_ONCE = 500;

const intoEarnings = sql`INSERT INTO ${lessonEarnings} (operation, sale_id, booking_id, amount, entry_date, created_at)`;

type JobCtx = CallCtx & SystemWriteCtx & IdCtx;

/**
 * Earns what was paid for the lessons that were given, and for packages that lapsed: a lesson that staff ended, or a
 * confirmed one a day after its end. An entry has the day of its lesson or lapse, or today where that is locked. Gives
 * whether sales are left to earn.
 */
export async function earnLessons(ctx: JobCtx): Promise<boolean> {
  for (;;) {
    const [[next]] = await ctx.database.read([
      ctx.db
        .select({
          date: sql<string | null>`(SELECT min(date) FROM (${lessonsOver(ctx.now)}))`,
          lapse: sql<number | null>`(SELECT min(${bookingPackages.expiresAt}) ${lapsedSales(ctx.now)})`,
          locked: sql<string | null>`(SELECT ${booksSettings.lockedThrough} FROM ${booksSettings})`,
        })
        .from(sql`(SELECT 1)`),
    ]);
    const { date = null, lapse = null, locked = null } = next ?? {};
    if (date !== null) await post(ctx, { date, locked }, (call) => earnDay(call, date));
    else if (lapse !== null) {
      const day = companyDate(lapse, ctx.company.timezone);
      await post(ctx, { date: day, locked }, (call) => earnLapsed(call, lapse));
    } else break;
  }
  const [[left]] = await ctx.database.read([
    ctx.db.select({ id: lessonSales.id }).from(lessonSales).where(isOpen).limit(1),
  ]);
  return left !== undefined;
}

type Earning = { operation: string; now: number; entryDate: string };

async function post(
  ctx: JobCtx,
  { date, locked }: { date: string; locked: string | null },
  earn: (earning: Earning) => SQL,
): Promise<void> {
  const entryDate = locked !== null && date <= locked ? companyToday(ctx) : date;
  // Each batch is a call of its own: its entries are found by it.
  const call = { ...ctx.call, id: ctx.newId() };
  const operation = call.id;
  await systemWrite(ctx, [
    earn({ operation, now: ctx.now, entryDate }),
    ...postDocuments(
      { ...ctx, call },
      {
        sourceType: "lesson",
        voucherType: "lesson",
        ordinal: ONE_BY_ONE,
        date: entryDate,
        documents: earnedBy(operation),
      },
    ),
  ]);
}

/** Sales that are not all earned, whose money is in the books. */
const isOpen = sql`${lessonSales.endedBy} IS NULL
  AND ${lessonSales.earnedAmount} + ${lessonSales.creditedAmount} < ${lessonSales.amount}
  AND EXISTS (SELECT 1 FROM ${journalEntries} INDEXED BY journal_entries_source
    WHERE ${journalEntries.sourceType} = iif(${lessonSales.invoiceId} IS NULL, 'lesson_receipt', 'invoice')
      AND ${journalEntries.sourceId} = coalesce(${lessonSales.invoiceId}, ${lessonSales.receiptId})
      AND ${journalEntries.reversalOf} IS NULL AND ${journalEntries.status} = 'posted')`;
const isEarned = sql`EXISTS (SELECT 1 FROM ${lessonEarnings}
  WHERE ${lessonEarnings.bookingId} = ${bookings.id} AND ${lessonEarnings.removedBy} IS NULL)`;

/** Lessons that are over and have earned nothing yet, each with its sale. */
function lessonsOver(now: number): SQL {
  const lesson = sql`SELECT ${lessonSales.id} AS sale, ${bookings.id} AS booking, ${bookings.bookingDate} AS date,
    ${bookings.startAt} AS start FROM ${lessonSales}`;
  const isOver = sql`${isOpen} AND (${bookings.status} IN ('completed', 'no_show')
    OR (${bookings.status} = 'confirmed' AND ${bookings.endAt} <= ${now - DAY_MS})) AND NOT ${isEarned}`;
  return sql`${lesson} CROSS JOIN ${bookings} ON ${bookings.id} = ${lessonSales.bookingId}
    WHERE ${lessonSales.packageId} IS NULL AND ${isOver}
    UNION ALL ${lesson} CROSS JOIN ${bookings} ON ${bookings.bookingPackageId} = ${lessonSales.packageId} WHERE ${isOver}`;
}

/** Each lesson of a day earns its part of the sale, to the paisa: together the lessons of a package earn all of it. */
function earnDay({ operation, now, entryDate }: Earning, date: string): SQL {
  const upTo = (place: SQL) => sql`max(earned, min(amount, amount * (given + ${place}) / sessions))`;
  const before = sql`iif(place = 1, earned, ${upTo(sql`place - 1`)})`;
  return sql`${intoEarnings}
    SELECT ${operation}, sale, booking, ${upTo(sql`place`)} - ${before}, ${entryDate}, ${now} FROM (
      SELECT lesson.sale, lesson.booking, ${lessonSales.amount} - ${lessonSales.creditedAmount} AS amount,
        ${lessonSales.earnedAmount} AS earned,
        coalesce(${bookingPackages.sessionsTotal}, 1) AS sessions,
        (SELECT count(*) FROM ${lessonEarnings}
          WHERE ${lessonEarnings.saleId} = lesson.sale AND ${lessonEarnings.removedBy} IS NULL) AS given,
        row_number() OVER (PARTITION BY lesson.sale ORDER BY lesson.start, lesson.booking) AS place
      FROM (SELECT * FROM (${lessonsOver(now)}) WHERE date = ${date} ORDER BY start, booking LIMIT ${AT_ONCE}) lesson
        JOIN ${lessonSales} ON ${lessonSales.id} = lesson.sale
        LEFT JOIN ${bookingPackages} ON ${bookingPackages.id} = ${lessonSales.packageId})`;
}

/** The sales of packages that lapsed a day ago, all of whose lessons are over. */
function lapsedSales(now: number): SQL {
  return sql`FROM ${lessonSales} JOIN ${bookingPackages} ON ${bookingPackages.id} = ${lessonSales.packageId}
    WHERE ${isOpen} AND ${bookingPackages.status} = 'active' AND ${bookingPackages.expiresAt} <= ${now - DAY_MS}
      AND NOT EXISTS (SELECT 1 FROM ${bookings} WHERE ${bookings.bookingPackageId} = ${lessonSales.packageId}
        AND ${bookings.status} IN ('pending', 'confirmed') AND NOT ${isEarned})`;
}

/** What lapsed at an instant earns the rest of its sale. */
function earnLapsed({ operation, now, entryDate }: Earning, lapse: number): SQL {
  return sql`${intoEarnings}
    SELECT ${operation}, ${lessonSales.id}, NULL,
      ${lessonSales.amount} - ${lessonSales.creditedAmount} - ${lessonSales.earnedAmount}, ${entryDate}, ${now}
    ${lapsedSales(now)} AND ${bookingPackages.expiresAt} = ${lapse} LIMIT ${AT_ONCE}`;
}

function earnedBy(operation: string): SQL {
  return sql`SELECT source_id AS id, currency, narration, customer_id, lines
    FROM postings_of_lessons WHERE operation = ${operation} AND amount > 0`;
}
