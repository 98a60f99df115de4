import { Router } from "#contract/operation.ts";
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
      description: "Always 200 for a known instructor: where nothing is free, `reason` tells why.",
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
      summary: "Tell which dates of a month have a free slot",
      description: "With `slots=true` each date has what its own availability would tell.",
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
