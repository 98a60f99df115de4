import * as z from "zod";
import { idReference } from "#shared/fields/ids.ts";
import { isoDate } from "#shared/time/dates.ts";
import { DAY_MS } from "#shared/time/durations.ts";
import { Booking } from "../bookings/schema.ts";
import { localTime, timezone } from "../schema.ts";

const MOST_DAYS = 14;

export const DiaryQuery = z
  .object({
    from: isoDate.meta({ description: "The first date, in the school's zone." }),
    to: isoDate.meta({ description: `At most ${MOST_DAYS} days in all.` }),
    instructor_id: idReference.optional(),
  })
  .refine(({ from, to }) => from <= to && Date.parse(to) - Date.parse(from) < MOST_DAYS * DAY_MS, {
    path: ["to"],
    error: `must be from 0 to ${MOST_DAYS - 1} days after from`,
  });

const { id, booking_number, status, payment_status, start_time, end_time, hold_expires_at } = Booking.shape;
const DiaryBooking = z.object({
  ...{ id, booking_number, status, payment_status, start_time, end_time, hold_expires_at },
  contact: z
    .object({ name: z.string(), phone: z.string().nullable() })
    .nullable()
    .meta({ description: "The contact that was typed at booking. Null once it is erased." }),
  customer: z
    .object({ id: z.string(), name: z.string(), phone: z.string().nullable() })
    .meta({ description: "The customer that the contact matches, who may be another person." }),
  product_id: z.int().describe("The course."),
  course: z.string().describe("Its name."),
  needs_review: z.boolean(),
});
const window = z.object({ start: localTime, end: localTime });
export const Diary = z
  .object({
    timezone,
    days: z.array(
      z.object({
        date: z.string(),
        instructors: z
          .array(
            z.object({
              id: z.int(),
              name: z.string(),
              working: z.array(window).describe("The instructor's working times, booked or not."),
              away: z
                .array(
                  z.object({
                    start: localTime.nullable().describe("Null for the whole day."),
                    end: localTime.nullable().describe("Null for the whole day."),
                    note: z.string().nullable().describe("For staff: why."),
                  }),
                )
                .meta({ description: "The leave on the date; without times, the whole day." }),
              bookings: z
                .array(DiaryBooking)
                .meta({ description: "By start; without bookings that ended before they began." }),
            }),
          )
          .describe("By name: the active instructors, and others who have lessons on these dates."),
      }),
    ),
  })
  .meta({ id: "Diary" });

export type DiaryQuery = z.infer<typeof DiaryQuery>;
