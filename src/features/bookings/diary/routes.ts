import { Router } from "#api/operations/operation.ts";
import { staffBookingExample } from "../bookings/examples.ts";
import { getDiary, renderDiary } from "./get.ts";
import { Diary, DiaryQuery } from "./schema.ts";

const { id, booking_number, status, payment_status, start_time, end_time, hold_expires_at, product_id } =
  staffBookingExample;

export const diaryRoutes = new Router("Settings: Bookings by staff", "/diary").get({ getDiary }, "/", {
  summary: "Read the diary",
  description:
    "For up to 14 days: the working times, the leave and the bookings of each instructor. Cancelled and expired bookings are left out.",
  query: DiaryQuery,
  record: { schema: Diary, render: renderDiary },
  problems: ["not_found"],
  example: {
    query: { from: "2026-12-01", to: "2026-12-01" },
    result: {
      timezone: "Australia/Sydney",
      days: [
        {
          date: "2026-12-01",
          instructors: [
            {
              id: 2,
              name: "Priya Raman",
              working: [{ start: "09:00", end: "17:00" }],
              away: [{ start: "12:00", end: "13:00", note: "Car service" }],
              bookings: [
                {
                  ...{ id, booking_number, status, payment_status, start_time, end_time, hold_expires_at },
                  contact: { name: "Mia Chen", phone: "0412 345 678" },
                  customer: { id: "1", name: "Mia Chen", phone: "0412 345 678" },
                  product_id,
                  course: "Driving lesson, 60 minutes",
                  needs_review: false,
                },
              ],
            },
          ],
        },
      ],
    },
  },
});
