import { sql } from "drizzle-orm";
import * as z from "zod";
import type { CallCtx, WriteCtx } from "#core/context.ts";
import { jsonObject, jsonQuery, once, parseRows } from "#core/sql/json.ts";
import { read } from "#core/write/replay.ts";
import { clockTimeToWire } from "#shared/fields/clock-time.ts";
import { idReference } from "#shared/fields/ids.ts";
import { booleanParameter } from "#shared/fields/query.ts";
import { Problem } from "#shared/problem.ts";
import { addDays, isoDate } from "#shared/time/dates.ts";
import { DAY_MS } from "#shared/time/durations.ts";
import { refuseLong, requireInstructor, requireLesson } from "../bookings/bookable-lesson.ts";
import { type CourseRow, courseJson, lessonJson } from "../courses/courses.ts";
import { durationParameter, localTime, timezone } from "../schema.ts";
import {
  calendarOf,
  type OfferBasis,
  type OfferScope,
  offerBasisParts,
  selectAsked,
  slotSettingsOf,
} from "./offer-basis.ts";
import { REASONS } from "./reasons.ts";
import { type Offer, offerOn } from "./slots.ts";

const lengthParameters = {
  duration_minutes: durationParameter.meta({
    description: "The length of the lesson in minutes. Default: the course's, then the slot length.",
  }),
  product_id: idReference
    .optional()
    .meta({ description: "The course. Its lesson sets the length, as a booking of it does." }),
};
const reasonText = z.string().nullable().meta({
  description:
    "Why no slot is free: past_date, outside_advance_window, closed, not_working, duration_too_long, minimum_notice or fully_booked.",
});
const Slots = z.array(z.object({ start: localTime, end: localTime }));

export const AvailabilityQuery = z.object({
  instructor_id: idReference,
  date: isoDate,
  ...lengthParameters,
});
export const Availability = z
  .object({
    success: z.literal(true),
    available: z.boolean(),
    reason: reasonText,
    message: z.string().nullable().meta({ description: "The reason in English." }),
    slots: Slots,
    date: z.string(),
    timezone,
    duration_minutes: z.int(),
  })
  .meta({ id: "Availability" });

const MOST_DAYS = 31;
export const DatesQuery = z
  .object({
    instructor_id: idReference,
    from: isoDate,
    to: isoDate.meta({ description: `At most ${MOST_DAYS} days in all.` }),
    ...lengthParameters,
    slots: booleanParameter.optional().describe("Adds to each date its `slots` and its `reason`."),
  })
  .refine(({ from, to }) => from <= to && Date.parse(to) - Date.parse(from) < MOST_DAYS * DAY_MS, {
    path: ["to"],
    error: `must be from 0 to ${MOST_DAYS - 1} days after from`,
  });
export const Dates = z
  .object({
    success: z.literal(true),
    dates: z.array(
      z.object({
        date: z.string(),
        available: z.boolean(),
        first_start: localTime.nullable(),
        slots: Slots.optional().meta({ description: "Only with `slots`." }),
        reason: reasonText.optional(),
      }),
    ),
    timezone,
  })
  .meta({ id: "AvailableDates" });

type AvailabilityQuery = z.infer<typeof AvailabilityQuery>;
type DatesQuery = z.infer<typeof DatesQuery>;

type AskedCtx = CallCtx & Pick<WriteCtx, "actor">;

/** What decides on the offer of a lesson: of the course that is asked for, where one is. */
type Basis = OfferBasis & { course: CourseRow | null; lesson: CourseRow | null };

const basisJson = once(() =>
  jsonObject({
    ...offerBasisParts(),
    course: courseJson(sql`ask.product_id`),
    lesson: lessonJson(sql`ask.product_id`),
  }),
);

/** What one instructor offers on a date, out of one read. */
export async function getAvailability(ctx: AskedCtx, _params: unknown, query: AvailabilityQuery) {
  const basis = await readBasis(ctx, {
    instructorId: query.instructor_id,
    productId: query.product_id,
    from: query.date,
    to: query.date,
  });
  const slotSettings = slotSettingsOf(ctx, basis.settings);
  const duration = lengthOf(ctx, query, basis);
  const offer = offerOn(calendarOf(basis), query.date, slotSettings, duration, ctx.now);
  return { date: query.date, timezone: slotSettings.timezone, duration, offer };
}

/** Whether each date of a range has a slot, out of one read. */
export async function listDates(ctx: AskedCtx, _params: unknown, query: DatesQuery): Promise<DatesRow> {
  const { instructor_id: instructorId, product_id: productId, from, to } = query;
  const basis = await readBasis(ctx, { instructorId, productId, from, to });
  const slotSettings = slotSettingsOf(ctx, basis.settings);
  const duration = lengthOf(ctx, query, basis);
  const calendar = calendarOf(basis);
  const dates: DatesRow["dates"] = [];
  for (let date = from; date <= to; date = addDays(date, 1))
    dates.push({ date, offer: offerOn(calendar, date, slotSettings, duration, ctx.now) });
  return { dates, timezone: slotSettings.timezone, duration, whole: query.slots === true };
}

/** How long the lesson is; throws what a booking of that course is refused with, by its course, instructor or length. */
function lengthOf(
  { actor }: AskedCtx,
  { duration_minutes: sent, product_id: productId }: Pick<DatesQuery, "duration_minutes" | "product_id">,
  basis: Basis,
): number {
  const slotLength = basis.settings.slot_length_minutes;
  if (productId === undefined) return sent ?? slotLength;
  const course = requireLesson(basis.course, basis.lesson);
  requireInstructor(basis, course.transmission);
  const length = sent ?? course.duration_minutes;
  if (actor.type === "publishable") refuseLong(actor, { duration_minutes: sent }, course, length, slotLength);
  return length;
}

/** All that decides what an instructor offers; 404 for one who is not there. */
export async function readBasis(
  ctx: CallCtx,
  { productId, ...of }: OfferScope & { productId?: number | undefined },
): Promise<Basis> {
  const select = selectAsked(ctx, of, basisJson, sql`, ${productId ?? null} AS product_id`);
  const [rows] = await read(ctx, [jsonQuery(ctx, select)]);
  const [basis] = parseRows(rows);
  if (basis?.instructor == null) {
    throw new Problem("not_found", { message: "No such instructor", members: { resource: "instructor" } });
  }
  return basis;
}

type AvailabilityRow = { date: string; timezone: string; duration: number; offer: Offer };

export function renderAvailability({ date, timezone: zone, duration, offer }: AvailabilityRow) {
  const { slots, reason } = offer;
  return {
    success: true as const,
    available: slots.length > 0,
    reason,
    message: reason === null ? null : REASONS[reason],
    slots: renderSlots(offer, duration),
    date,
    timezone: zone,
    duration_minutes: duration,
  };
}

type DatesRow = {
  dates: { date: string; offer: Offer }[];
  timezone: string;
  duration: number;
  /** Whether the answer has the slots of each date. */
  whole: boolean;
};

export function renderDates({ dates, timezone: zone, duration, whole }: DatesRow) {
  return {
    success: true as const,
    dates: dates.map(({ date, offer }) => {
      const [first] = offer.slots;
      return {
        date,
        available: first !== undefined,
        first_start: first === undefined ? null : clockTimeToWire(first.minute),
        ...(whole ? { slots: renderSlots(offer, duration), reason: offer.reason } : {}),
      };
    }),
    timezone: zone,
  };
}

function renderSlots({ slots }: Offer, duration: number) {
  return slots.map(({ minute }) => ({
    start: clockTimeToWire(minute),
    end: clockTimeToWire(minute + duration),
  }));
}
