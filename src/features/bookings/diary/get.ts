import { sql } from "drizzle-orm";
import type { CallCtx, ReadCtx } from "#core/context.ts";
import { columnsNamed } from "#core/sql/columns.ts";
import { type JsonRow, jsonObject, jsonQuery, once, parseRows } from "#core/sql/json.ts";
import { read } from "#core/write/replay.ts";
import { clockTimeToWire } from "#shared/fields/clock-time.ts";
import { Problem } from "#shared/problem.ts";
import { addDays, timestampToWire } from "#shared/time/dates.ts";
import { DAY_MS } from "#shared/time/durations.ts";
import { bookings, instructorOverrides, instructors } from "#tables/bookings";
import { customers } from "#tables/customers";
import { products } from "#tables/products";
import { FREE, type Override, type WeeklyWindow, workingWindows } from "../availability/slots.ts";
import { takesTime } from "../availability/taken-time.ts";
import { contact } from "../bookings/contact.ts";
import { type SettingsRow, settingsJson, zoneOf } from "../settings/settings.ts";
import type { DiaryQuery } from "./schema.ts";

const bookingShape = {
  ...columnsNamed(bookings, "id", "booking_number", "status", "payment_status", "start_time", "end_time"),
  ...columnsNamed(bookings, "hold_expires_at", "customer_id", "product_id", "needs_review"),
  date: bookings.bookingDate,
  customer_name: customers.name,
  phone: customers.phone,
  contact_name: contact.name,
  contact_phone: contact.phone,
  course: products.name,
};
const overrideShape = {
  date: instructorOverrides.date,
  available: sql<boolean>`json(iif(${instructorOverrides.isAvailable}, 'true', 'false'))`,
  start: instructorOverrides.startMinute,
  end: instructorOverrides.endMinute,
  note: instructorOverrides.note,
};
type BookingRow = JsonRow<typeof bookingShape>;
type OverrideRow = Override & { note: string | null };
type Sheet = {
  id: number;
  name: string;
  schedule: WeeklyWindow[];
  overrides: OverrideRow[];
  bookings: BookingRow[];
};
type DiaryRow = { timezone: string; from: string; to: string; sheets: Sheet[] };

/** Who works when, who is away, and what is booked, on up to 14 days: out of one read, a sheet for each instructor. */
export async function getDiary(ctx: CallCtx, _params: unknown, query: DiaryQuery): Promise<DiaryRow> {
  const { from, to, instructor_id: instructorId } = query;
  const [settings, sheets] = await read(ctx, [
    jsonQuery(ctx, sql<SettingsRow>`SELECT ${settingsJson()} AS snapshot`),
    jsonQuery(ctx, selectSheets(ctx, query)),
  ]);
  const [rules] = parseRows(settings);
  if (rules === undefined) throw new Error("A company has booking rules");
  const found = parseRows(sheets);
  if (instructorId !== undefined && found.length === 0) throw new Problem("not_found");
  return { timezone: zoneOf(ctx, rules), from, to, sheets: found };
}

const bookingJson = once(() => jsonObject(bookingShape));
const overrideJson = once(() => jsonObject(overrideShape));

function selectSheets(ctx: ReadCtx, { from, to, instructor_id: instructorId }: DiaryQuery) {
  const taken = sql`${bookings.instructorId} = ${instructors.id}
    AND ${bookings.startAt} BETWEEN ${Date.parse(from) - DAY_MS} AND ${Date.parse(to) + 2 * DAY_MS}
    AND ${bookings.bookingDate} BETWEEN ${from} AND ${to} AND ${takesTime(ctx.now)}`;
  const booked = sql`SELECT ${bookingJson()} AS one FROM ${bookings}
    CROSS JOIN ${customers} ON ${customers.id} = ${bookings.customerId}
    CROSS JOIN ${products} ON ${products.id} = ${bookings.productId}
    WHERE ${taken} ORDER BY ${bookings.startAt}`;
  const away = sql`SELECT ${overrideJson()} AS one FROM ${instructorOverrides}
    WHERE ${instructorOverrides.instructorId} = ${instructors.id} AND ${instructorOverrides.date} BETWEEN ${from} AND ${to}`;
  const whose =
    instructorId === undefined
      ? sql`${instructors.isActive} = 1 OR EXISTS (SELECT 1 FROM ${bookings} WHERE ${taken})`
      : sql`${instructors.id} = ${instructorId}`;
  return sql<Sheet>`SELECT json_object('id', ${instructors.id}, 'name', ${instructors.name},
      'schedule', json(${instructors.schedule}),
      'overrides', json((SELECT json_group_array(json(one)) FROM (${away}))),
      'bookings', json((SELECT json_group_array(json(one)) FROM (${booked})))) AS snapshot
    FROM ${instructors} WHERE ${instructors.deletedAt} IS NULL AND (${whose})
    ORDER BY ${instructors.name}, ${instructors.id}`;
}

export function renderDiary({ timezone, from, to, sheets }: DiaryRow) {
  const dates: string[] = [];
  for (let date = from; date <= to; date = addDays(date, 1)) dates.push(date);
  const byDate = sheets.map((sheet) => Map.groupBy(sheet.bookings, (one) => one.date));
  return {
    timezone,
    days: dates.map((date) => ({
      date,
      instructors: sheets.map((sheet, place) => ({
        id: sheet.id,
        name: sheet.name,
        working: workingWindows({ ...sheet, busy: FREE }, date).map(renderWindow),
        away: sheet.overrides
          .filter((one) => one.date === date && !one.available)
          .map((one) => ({ ...renderWindow(one), note: one.note })),
        bookings: (byDate[place]?.get(date) ?? []).map(renderDiaryBooking),
      })),
    })),
  };
}

function renderWindow<Time extends number | null>({ start, end }: { start: Time; end: Time }) {
  const toWire = (minute: Time) =>
    (minute === null ? null : clockTimeToWire(minute)) as Time extends null ? null : string;
  return { start: toWire(start), end: toWire(end) };
}

function renderDiaryBooking(row: BookingRow) {
  const isHeld = row.status === "pending" && row.hold_expires_at !== null;
  return {
    ...row,
    hold_expires_at: isHeld ? timestampToWire(row.hold_expires_at ?? 0) : null,
    contact: row.contact_name === null ? null : { name: row.contact_name, phone: row.contact_phone },
    customer: { id: String(row.customer_id), name: row.customer_name, phone: row.phone },
    needs_review: row.needs_review === 1,
  };
}
