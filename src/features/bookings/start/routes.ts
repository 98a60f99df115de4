import { Router } from "#api/operations/operation.ts";
import { courseExample } from "../courses/examples.ts";
import { instructorExample } from "../instructors/examples.ts";
import { newLocationExample } from "../locations/examples.ts";
import { settingsExample } from "../settings/examples.ts";
import { renderStart, startBooking } from "./get.ts";
import { Start, StartQuery } from "./schema.ts";

export const startRoutes = new Router("Bookings", "/start").get({ startBooking }, "/", {
  summary: "Read the data that a booking page starts with",
  description:
    "The rules, courses, locations and instructors in one call. Takes the parameters of the list of instructors.",
  keys: "any",
  query: StartQuery,
  record: { schema: Start, render: renderStart },
  envelope: "flat",
  problems: ["not_found"],
  cacheControl: "private, no-store",
  example: {
    result: {
      success: true,
      settings: settingsExample,
      courses: [courseExample],
      locations: [{ ...newLocationExample, id: 3, operating_hours: null }],
      instructors: [instructorExample],
      timezone: settingsExample.timezone,
      visitor: "mB3fY0d2xJrT6v8QAAAAAGcp0a1uVnE9sZkLw4hXcDo",
      turnstile_site_key: null,
    },
  },
});
