import { Router } from "#api/operations/operation.ts";
import { availabilityExample, datesExample } from "./examples.ts";
import { getAvailability, listDates, renderAvailability, renderDates } from "./get.ts";
import { Availability, AvailabilityQuery, Dates, DatesQuery } from "./schema.ts";

export const availabilityRoutes = new Router("Bookings")
  .add(
    {
      id: "getAvailability",
      method: "get",
      path: "/schools/:company/availability",
      summary: "Read an instructor's free slots on a date",
      description: "Always 200 for a known instructor. When no slot is free, `reason` says why.",
      scope: "bookings.read",
      keys: "any",
      query: AvailabilityQuery,
      result: Availability,
      envelope: "flat",
      problems: ["not_found"],
      example: {
        query: { instructor_id: "2", date: "2026-12-01" },
        result: availabilityExample,
      },
      render: renderAvailability,
    },
    getAvailability,
  )
  .add(
    {
      id: "listAvailableDates",
      method: "get",
      path: "/schools/:company/availability/dates",
      summary: "List the dates of a month and whether each has a free slot",
      description: "With `slots=true` each date also has the slots that a read of its availability returns.",
      scope: "bookings.read",
      keys: "any",
      query: DatesQuery,
      result: Dates,
      envelope: "flat",
      problems: ["not_found"],
      example: {
        query: { instructor_id: "2", from: "2026-12-01", to: "2026-12-02" },
        result: datesExample,
      },
      render: renderDates,
    },
    listDates,
  );
