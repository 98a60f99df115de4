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

export const availabilityRoutes = new Router("Bookings", "/availability", { keys: "any", envelope: "flat" })
  .get({ getAvailability }, "/", {
    summary: "Read an instructor's free slots on a date",
    description: "Always 200 for a known instructor. When no slot is free, `reason` says why.",
    problems: ["not_found", "invalid_product", "invalid_instructor", "duration_not_offered"],
    query: AvailabilityQuery,
    record: { schema: Availability, render: renderAvailability },
  })
  .get({ listAvailableDates: listDates }, "/dates", {
    summary: "List the dates of a month and whether each has a free slot",
    description: "With `slots=true` each date also has the slots that a read of its availability returns.",
    problems: ["not_found", "invalid_product", "invalid_instructor", "duration_not_offered"],
    query: DatesQuery,
    record: { schema: Dates, render: renderDates },
  });
