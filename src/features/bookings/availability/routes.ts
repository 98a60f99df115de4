import { Router } from "#api/operations/operation.ts";
import {
  Availability,
  AvailabilityQuery,
  Dates,
  DatesQuery,
  getAvailability,
  listDates,
  renderAvailability,
  renderDates,
} from "./get.ts";

const availabilityExample = {
  success: true as const,
  available: true,
  reason: null,
  message: null,
  slots: [
    { start: "09:00", end: "10:00" },
    { start: "11:00", end: "12:00" },
  ],
  date: "2026-12-01",
  timezone: "Australia/Sydney",
  duration_minutes: 60,
};

const datesExample = {
  success: true as const,
  dates: [
    { date: "2026-12-01", available: true, first_start: "09:00" },
    { date: "2026-12-02", available: false, first_start: null },
  ],
  timezone: "Australia/Sydney",
};

export const availabilityRoutes = new Router("Bookings", "/availability", { keys: "any", envelope: "flat" })
  .get({ getAvailability }, "/", {
    summary: "Read an instructor's free slots on a date",
    description: "Always 200 for a known instructor. When no slot is free, `reason` says why.",
    problems: ["not_found", "invalid_product", "invalid_instructor", "duration_not_offered"],
    query: AvailabilityQuery,
    record: { schema: Availability, render: renderAvailability },
    example: {
      query: { instructor_id: "2", date: "2026-12-01" },
      result: availabilityExample,
    },
  })
  .get({ listAvailableDates: listDates }, "/dates", {
    summary: "List the dates of a month and whether each has a free slot",
    description: "With `slots=true` each date also has the slots that a read of its availability returns.",
    problems: ["not_found", "invalid_product", "invalid_instructor", "duration_not_offered"],
    query: DatesQuery,
    record: { schema: Dates, render: renderDates },
    example: {
      query: { instructor_id: "2", from: "2026-12-01", to: "2026-12-02" },
      result: datesExample,
    },
  });
